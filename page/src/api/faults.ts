import type { Questions } from "../../../local/page/page-questions.ts";
import { LiveState } from "../live-state.ts";
import { ask } from "./ask.ts";

export type ListedFault = Questions["alive"]["output"]["faults"][number];

/** The faults that were set and not cleared, as the server listed them last. */
export const faults = new LiveState<readonly ListedFault[]>([]);

/** Whether requests can meet it still. */
export const isOn = ({ state }: ListedFault): boolean => state === "on";

/** Asks whether the server is there, which lists its faults. Rejects with an `AskError`. */
export const look = async (signal?: AbortSignal): Promise<void> =>
  faults.set((await ask("alive", {}, signal)).faults);

/** Ends the faults of an endpoint; of every one without a name. Rejects with an `AskError`. */
export async function clearFaults(route?: string): Promise<void> {
  await ask("clear-faults", route === undefined ? {} : { route });
  await look();
}
