import type { Item } from "../dynamo/item.ts";

/** The operator's switch of one endpoint. An endpoint without a stored switch is on. */
export type Switch = { readonly on: true } | { readonly on: false; readonly reason: string };

/** Key of an endpoint's switch among the settings. */
export const switchId = (endpointName: string): string => `switch#${endpointName}`;

/** A stored switch. An item without a reason is on: it says who switched the endpoint on, and when. */
export function switchOf(item: Item | undefined): Switch {
  const reason = item?.off_reason?.S;
  return reason === undefined ? { on: true } : { on: false, reason };
}
