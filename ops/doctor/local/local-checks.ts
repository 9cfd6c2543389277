import { constants } from "node:fs";
import { access, statfs } from "node:fs/promises";
import type { Clock } from "../../../lib/clock.ts";
import { readItem } from "../../../lib/dynamo/read-item.ts";
import { type TableName, tables } from "../../../lib/dynamo/tables.ts";
import { readDemoFile } from "../../../local/demo/demo-file.ts";
import { markerIds } from "../../../local/demo/marker-ids.ts";
import { listFaults } from "../../../local/faults/fault-routes.ts";
import { commands } from "../../../local/installation.ts";
import { codeOf } from "../../../local/process/operator-error.ts";
import { describeHolder, isElsewhere, readHolder } from "../../../local/store/data-lock.ts";
import { readStartNote } from "../../../local/store/start-note.ts";
import { askControl } from "../../control/ask-control.ts";
import type { OperatorStore } from "../../store/operator-store.ts";
import { checkSigned } from "../check-signed.ts";
import { checkTable } from "../check-table.ts";
import { type Check, type Found, fail, notChecked, ok, warn } from "../finding.ts";
import { aheadOf, judgeClock } from "../stage/check-account.ts";
import { aLook, checkAnswer } from "../stage/check-addresses.ts";

const MIB = 1024 ** 2;
const WARNED_BYTES = 1_024 * MIB;
const NEEDED_BYTES = 100 * MIB;

/** Whether a data directory is there and can be written to. */
async function checkDirectory(data: string): Promise<Found> {
  try {
    await access(data, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok(`${data} can be read and written`);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT")
      return fail(
        `there is no ${data}`,
        `Run \`${commands.start}\` once, or name its directory with --data.`,
      );
    return fail(
      `${data} cannot be written (${code})`,
      `Give it to the user who runs \`${commands.start}\`, or name another with --data.`,
    );
  }
}

/** Judges the free bytes of a disk. */
export function judgeSpace(freeBytes: number): Found {
  const text = `${Math.floor(freeBytes / MIB).toLocaleString("en")} MiB are free`;
  const todo =
    "Make room, or move the directory to another disk and name it with --data. A full disk stops writes and loses none that was answered.";
  if (freeBytes < NEEDED_BYTES) return fail(text, todo);
  return freeBytes < WARNED_BYTES ? warn(text, todo) : ok(text);
}

/** Whether the disk of a data directory has room. */
async function checkSpace(data: string): Promise<Found> {
  const { bavail, bsize } = await statfs(data);
  return judgeSpace(bavail * bsize);
}

/** Which process holds a data directory. */
async function checkLock(data: string): Promise<Found> {
  const holder = await readHolder(data);
  if (holder === undefined) return ok("no process holds it");
  if (!isElsewhere(holder)) return ok(`held by ${describeHolder(holder)}`);
  return warn(
    `held by ${describeHolder(holder)}`,
    "Run commands there, or stop it. Two machines must not use one directory.",
  );
}

/** Which engine has the records. */
async function checkEngine(data: string): Promise<Found> {
  const { engineEndpoint } = (await readStartNote(data)) ?? {};
  return ok(engineEndpoint === undefined ? `embedded, in ${data}` : `the DynamoDB at ${engineEndpoint}`);
}

/** The address of the service that runs on a data directory; undefined when none does. */
async function runningAddress(data: string): Promise<string | undefined> {
  if ((await readHolder(data))?.kind !== "gateway") return undefined;
  return (await readDemoFile(data)).baseUrl;
}

/** Whether the port of the last start is the service's, or free for the next one. */
async function checkPort(data: string): Promise<Found> {
  const { baseUrl } = await readDemoFile(data);
  if (baseUrl === undefined)
    return notChecked(`\`${commands.start}\` never ran on it`, `Start one: ${commands.start}`);
  const isRunning = (await runningAddress(data)) !== undefined;
  try {
    const { status } = await fetch(baseUrl, aLook());
    if (isRunning) return ok(`${baseUrl} answers`);
    return warn(
      `${baseUrl} answers ${status}, and it is not the service of this directory`,
      `Stop the other program, or start with another --port.`,
    );
  } catch (error) {
    const reason = codeOf(error instanceof Error ? (error.cause ?? error) : error);
    if (!isRunning) return ok(`${baseUrl} is free for the next start`);
    return fail(`${baseUrl} does not answer (${reason})`, `Stop \`${commands.start}\` and start it again.`);
  }
}

/** Whether the clock of this machine and that of the running service agree. */
async function checkServiceClock(address: string, clock: Clock): Promise<Found> {
  const sentAt = clock();
  const { headers } = await fetch(address, aLook());
  return judgeClock(aheadOf(headers.get("date"), sentAt, clock()), "the service's");
}

/** Whether requests meet faults on purpose. */
async function checkFaults(data: string): Promise<Found> {
  const active = (await askControl(data, listFaults, {})).filter(({ state }) => state === "on");
  if (active.length === 0) return ok("none is switched on");
  const named = active.map(({ endpoint, fault }) => `${fault} at ${endpoint}`).join(", ");
  return warn(`switched on: ${named}`, `When you are done: ${commands.ops} demo fault clear`);
}

/** Whether the demo's records are all there. */
async function checkDemo({ table }: OperatorStore): Promise<Found> {
  const marker = await readItem(table("Settings"), { key: { id: markerIds.records } });
  if (marker?.complete?.BOOL === true) return ok("its records are complete");
  const state = marker === undefined ? "it was never written" : "it was interrupted while it was written";
  return warn(state, `Run \`${commands.start}\`, which writes what is missing.`);
}

/** Whether the page for browsers is served. */
async function checkPage(address: string): Promise<Found> {
  const { origin } = new URL(address);
  const response = await fetch(origin, { ...aLook(), headers: { accept: "text/html" } });
  const text = await response.text();
  if (response.headers.get("content-type")?.startsWith("text/html") !== true)
    return ok("left out of this start (--no-page)");
  if (text.includes("<script")) return ok(`${origin} serves it`);
  return warn(
    `${origin} does not serve it yet`,
    "Open it: it says how far its build is. The interfaces do not need it.",
  );
}

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
  { name: "clock", run: () => whileRunning(data, (address) => checkServiceClock(address, clock)) },
  { name: "faults", run: () => whileRunning(data, () => checkFaults(data)) },
  { name: "page", run: () => whileRunning(data, checkPage) },
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
