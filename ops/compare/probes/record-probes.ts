import type { Field } from "../message.ts";
import { found, get, type Probe, segment } from "../probe.ts";
import { fieldOf } from "../read-answer.ts";
import type { Side } from "../side.ts";

type TokenName = "business.token" | "business.noScopeToken";

const one = (
  name: string,
  shows: string,
  meant: number,
  target: (side: Side) => string,
  token: TokenName = "business.token",
): Probe => ({
  name,
  shows,
  meant,
  sending: (side) => get(side, target(side), side.bearer(token)),
});

const ownTransaction = (side: Side): string => `/transaction/${segment(side.get("business.transactionId"))}`;

const byRequestId = (side: Side): string => {
  const window = `from=${side.get("business.requestWindow.from")}&to=${side.get("business.requestWindow.to")}`;
  return `/transactions?request_id=${segment(side.get("business.requestId"))}&${window}`;
};

const INVALID_TOKEN: Field = ["Authorization", "Bearer not.a.token"];

/** A 401 and a 403 with their challenges, which tell more than that of a request without credentials. */
export const businessChallenges: readonly Probe[] = [
  {
    name: "get-transaction-invalid-token",
    shows: "The challenge of a token that is not valid says so.",
    meant: 401,
    sending: (side) => get(side, "/transaction/compare", INVALID_TOKEN),
  },
  one(
    "get-transaction-insufficient-scope",
    "The challenge of a 403 names the scope.",
    403,
    ownTransaction,
    "business.noScopeToken",
  ),
  one(
    "list-transactions-insufficient-scope",
    "The challenge of a 403 names the scope.",
    403,
    () => "/transactions",
    "business.noScopeToken",
  ),
];

/** The two endpoints of transactions. */
export const businessProbes: readonly Probe[] = [
  one("get-transaction", "A transaction.", 200, ownTransaction),
  one(
    "get-transaction-by-request-id",
    "The deprecated lookup, with its headers.",
    200,
    (side) => `/transaction/${segment(side.get("business.requestId"))}?id_type=request_id`,
  ),
  one(
    "get-transaction-ignored-parameters",
    "A read of one record ignores unknown parameters.",
    200,
    (side) => `${ownTransaction(side)}?a=%20&b=+&c&d=&e=%2C&a=2`,
  ),
  one(
    "get-transaction-validation-error",
    "A parameter of no known value.",
    400,
    (side) => `${ownTransaction(side)}?id_type=reference`,
  ),
  one(
    "get-transaction-not-found",
    "A transaction that there is not.",
    404,
    () => "/transaction/compare-absent",
  ),
  one(
    "get-transaction-of-another",
    "Another business's transaction.",
    404,
    (side) => `/transaction/${segment(side.get("business.otherTransactionId"))}`,
  ),
  {
    name: "get-transaction-scheme-case",
    shows: "The scheme of a credential has no letter case.",
    meant: 200,
    sending: (side) =>
      get(side, ownTransaction(side), ["authorization", `bearer ${side.get("business.token")}`]),
  },
  one("list-transactions", "A page with more to come, and its link.", 200, () => "/transactions?count=2"),
  one("list-transactions-by-request-id", "The list of one request's transactions.", 200, byRequestId),
  {
    name: "list-transactions-next-page",
    shows: "The link of a page leads to the next one.",
    meant: 200,
    before: (side) => get(side, "/transactions?count=2", side.bearer("business.token")),
    sending: (side, before) => {
      const link = before && fieldOf(before, "link");
      const next = found(side, /<([^<>]*)>; rel="next"/.exec(link ?? "")?.[1], "a link to a next page");
      return get(side, `/transactions${next.slice(next.indexOf("?"))}`, side.bearer("business.token"));
    },
  },
  one(
    "list-transactions-validation-error",
    "A list refuses unknown parameters.",
    400,
    () => "/transactions?status=completed",
  ),
  one(
    "list-transactions-invalid-cursor",
    "A cursor that no list gave.",
    400,
    () => "/transactions?cursor=AQ",
  ),
];

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
