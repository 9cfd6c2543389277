import { endpoints } from "../../infra/endpoints.ts";
import { readItem } from "../../lib/dynamo/read-item.ts";
import { switchId } from "../../lib/switches/switch.ts";
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
    const reason = item?.off_reason?.S;
    const at = item?.set_at?.N;
    return reason === undefined
      ? []
      : [{ endpoint: name, reason, by: item?.set_by?.S, at: at === undefined ? undefined : Number(at) }];
  });
  return (await Promise.all(found)).flat();
}
