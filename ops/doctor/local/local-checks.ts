import type { Clock } from "../../../lib/clock.ts";
import { type TableName, tables } from "../../../lib/dynamo/tables.ts";
import { readDemoFile } from "../../../local/demo/demo-file.ts";
import { commands } from "../../../local/installation.ts";
import type { OperatorStore } from "../../store/operator-store.ts";
import { checkSigned } from "../check-signed.ts";
import { checkTable } from "../check-table.ts";
import type { Check, Found } from "../finding.ts";
import { notChecked } from "../finding.ts";
import { checkAnswer } from "../stage/check-addresses.ts";
import { checkDirectory, checkEngine, checkLock, checkSpace } from "./check-place.ts";
import {
  checkDemo,
  checkFaults,
  checkPage,
  checkPort,
  checkServiceClock,
  runningAddress,
} from "./check-service.ts";

const SIGNED_TIMEOUT_S = 30;

/** The checks of a data directory that need no store. */
export const placeChecks = (data: string): readonly Check[] => [
  { name: "directory", run: () => checkDirectory(data) },
  { name: "disk", run: () => checkSpace(data) },
  { name: "lock", run: () => checkLock(data) },
  { name: "engine", run: () => checkEngine(data) },
];

/** The checks of a store on this machine, and of the service that may run on it. */
export const storeChecks = (store: OperatorStore, data: string, clock: Clock): readonly Check[] => [
  ...(Object.keys(tables) as TableName[]).map((name) => ({
    name: `table ${name}`,
    run: () =>
      checkTable(name, store.table(name), {
        isProtected: false,
        isAmazons: false,
        tags: {},
        remedy: `Run \`${commands.start}\`, or end it and start it again: it makes missing tables.`,
      }),
  })),
  { name: "demo", run: () => checkDemo(store) },
  { name: "port", run: () => checkPort(data) },
  { name: "clock", run: () => checkServiceClock(data, clock) },
  { name: "faults", run: () => checkFaults(data) },
  { name: "page", run: () => checkPage(data) },
  { name: "answer", run: () => whileRunning(data, (address) => checkAnswer(address, fetch)) },
  {
    name: "request",
    run: () =>
      whileRunning(data, async () => {
        const { symbol } = (await readDemoFile(data)).exchange ?? {};
        return await checkSigned({ data, timeout: SIGNED_TIMEOUT_S, symbol }, clock);
      }),
  },
];

async function whileRunning(data: string, work: (address: string) => Promise<Found>): Promise<Found> {
  const address = await runningAddress(data);
  if (address !== undefined) return await work(address);
  return notChecked(`no \`${commands.start}\` runs on it`, `Start one: ${commands.start}`);
}
