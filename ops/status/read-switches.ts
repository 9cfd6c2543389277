import { endpoints } from "../../infra/endpoints.ts";
import { attributionOf } from "../../lib/dynamo/attribution.ts";
import { readItem } from "../../lib/dynamo/read-item.ts";
import { switchId, switchOf } from "../../lib/switches/switch.ts";
import type { OperatorStore } from "../store/operator-store.ts";

/** A switch that is off. */
export interface OffSwitch {
  readonly endpoint: string;
  readonly reason: string;
  /** Who switched it off, and when (epoch ms), where that was kept. */
  readonly by: string | undefined;
  readonly at: number | undefined;
}

/** The switches that are off. @throws {Failure} when the store does not answer. */
export async function readOffSwitches({
  table,
}: Pick<OperatorStore, "table">): Promise<readonly OffSwitch[]> {
  const found = endpoints.map(async ({ contract: { name } }): Promise<readonly OffSwitch[]> => {
    const item = await readItem(table("Settings"), { key: { id: switchId(name) } });
    const position = switchOf(item);
    const { at, by } = attributionOf(item) ?? {};
    return position.on ? [] : [{ endpoint: name, reason: position.reason, by, at }];
  });
  return (await Promise.all(found)).flat();
}
