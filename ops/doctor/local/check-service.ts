import type { Clock } from "../../../lib/clock.ts";
import { readItem } from "../../../lib/dynamo/read-item.ts";
import { readDemoFile } from "../../../local/demo/demo-file.ts";
import { markerIds } from "../../../local/demo/marker-ids.ts";
import { listFaults } from "../../../local/faults/fault-routes.ts";
import { commands } from "../../../local/installation.ts";
import { codeOf } from "../../../local/process/operator-error.ts";
import { readHolder } from "../../../local/store/data-lock.ts";
import { askControl } from "../../control/ask-control.ts";
import type { OperatorStore } from "../../store/operator-store.ts";
import { type Found, fail, notChecked, ok, warn } from "../finding.ts";
import { judgeClock } from "../stage/check-account.ts";

const TIMEOUT_MS = 10_000;

const notRunning = (): Found =>
  notChecked(`no \`${commands.start}\` runs on it`, `Start one: ${commands.start}`);

/** The address of the service that runs on a data directory; undefined when none does. */
export async function runningAddress(data: string): Promise<string | undefined> {
  if ((await readHolder(data))?.kind !== "gateway") return undefined;
  return (await readDemoFile(data)).baseUrl;
}

/** Whether the port of the last start is the service's, or free for the next one. */
export async function checkPort(data: string): Promise<Found> {
  const { baseUrl } = await readDemoFile(data);
  if (baseUrl === undefined)
    return notChecked(`\`${commands.start}\` never ran on it`, `Start one: ${commands.start}`);
  const isRunning = (await runningAddress(data)) !== undefined;
  try {
    const { status } = await fetch(baseUrl, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: "manual" });
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
export async function checkServiceClock(data: string, clock: Clock): Promise<Found> {
  const address = await runningAddress(data);
  if (address === undefined) return notRunning();
  const sentAt = clock();
  const { headers } = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: "manual" });
  const date = Date.parse(headers.get("date") ?? "");
  return judgeClock(Number.isNaN(date) ? undefined : (sentAt + clock()) / 2 - (date + 500), "the service's");
}

/** Whether requests meet faults on purpose. */
export async function checkFaults(data: string): Promise<Found> {
  if ((await runningAddress(data)) === undefined) return notRunning();
  const active = (await askControl(data, listFaults, {})).filter(({ state }) => state === "on");
  if (active.length === 0) return ok("none is switched on");
  const named = active.map(({ endpoint, fault }) => `${fault} at ${endpoint}`).join(", ");
  return warn(`switched on: ${named}`, `When you are done: ${commands.ops} demo fault clear`);
}

/** Whether the demo's records are all there. */
export async function checkDemo({ table }: OperatorStore): Promise<Found> {
  const marker = await readItem(table("Settings"), { key: { id: markerIds.records } });
  if (marker?.complete?.BOOL === true) return ok("its records are complete");
  const state = marker === undefined ? "it was never written" : "it was interrupted while it was written";
  return warn(state, `Run \`${commands.start}\`, which writes what is missing.`);
}

/** Whether the page for browsers is served. */
export async function checkPage(data: string): Promise<Found> {
  const address = await runningAddress(data);
  if (address === undefined) return notRunning();
  const { origin } = new URL(address);
  const response = await fetch(origin, {
    headers: { accept: "text/html" },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: "manual",
  });
  const text = await response.text();
  if (response.headers.get("content-type")?.startsWith("text/html") !== true)
    return ok("left out of this start (--no-page)");
  if (text.includes("<script")) return ok(`${origin} serves it`);
  return warn(
    `${origin} does not serve it yet`,
    "Open it: it says how far its build is. The interfaces do not need it.",
  );
}
