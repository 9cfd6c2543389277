import type { Questions } from "../../../local/page/page-questions.ts";
import { LiveState } from "../live-state.ts";
import { ask } from "./ask.ts";
import { aheadMs } from "./service-platform.ts";

export type ListedFault = Questions["alive"]["output"]["faults"][number];

/** The faults that were set and not cleared, as the server listed them last. */
export const faults = new LiveState<readonly ListedFault[]>([]);

/** Whether requests can meet it still. */
export const isOn = ({ state }: ListedFault): boolean => state === "on";

/** The market that goes on with live trades, as the server said last, whichever window switched it on. */
export const liveMarket = new LiveState<string | null>(null);

/** Asks whether the server is there: its faults, its live market and its time. Rejects with an `AskError`. */
export async function askAlive(signal?: AbortSignal): Promise<void> {
  const told = await ask("alive", {}, signal);
  faults.set(told.faults);
  liveMarket.set(told.liveMarket);
  aheadMs.set(told.aheadMs);
}

/** Ends the faults of an endpoint; of every one without a name. Rejects with an `AskError`. */
export async function clearFaults(route?: string): Promise<void> {
  await ask("clear-faults", route === undefined ? {} : { route });
  await askAlive();
}
