import { get, type Probe, segment } from "../probe.ts";
import type { Side } from "../side.ts";

const order = (name: string, shows: string, meant: number, id: (side: Side) => string): Probe => ({
  name: name === "" ? "get-sell-order" : `get-sell-order-${name}`,
  shows,
  meant,
  sending: (side) => get(side, `/sell-orders/${segment(id(side))}`, ["X-API-KEY", side.get("ramp.apiKey")]),
});

/** The endpoint of sell orders. */
export const rampProbes: readonly Probe[] = [
  order("", "A sell order.", 200, (side) => side.get("ramp.orderId")),
  order("letter-case", "The id of an order has no letter case.", 200, (side) =>
    side.get("ramp.orderId").toUpperCase(),
  ),
  order("validation-error", "An id of another form.", 400, () => "order-1"),
  order("not-found", "An order that there is not.", 404, () => "01ARZ3NDEKTSV4RRFFQ69G5FAV"),
  order("of-another", "Another partner's order.", 404, (side) => side.get("ramp.otherOrderId")),
  {
    name: "get-sell-order-wrong-key",
    shows: "A key that nobody has.",
    meant: 401,
    sending: (side) => get(side, "/sell-orders/01ARZ3NDEKTSV4RRFFQ69G5FAV", ["X-API-KEY", "A".repeat(43)]),
  },
];
