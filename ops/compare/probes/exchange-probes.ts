import { found, get, type Probe, type Sending } from "../probe.ts";
import type { Side, SigningChoice } from "../side.ts";

const tradesOf = (side: Side, query: string): string =>
  `/1.0/trades/all/${side.get("exchange.symbol")}?${query}`;

const signedGet = async (side: Side, target: string, how: SigningChoice = {}): Promise<Sending> =>
  get(side, target, ...(await side.signed(target, how)));

const trades = (name: string, shows: string, meant: number, query: string, how?: SigningChoice): Probe => ({
  name: name === "" ? "list-trades" : `list-trades-${name}`,
  shows,
  meant,
  sending: (side) => signedGet(side, tradesOf(side, query), how),
});

const MINUTE_MS = 60_000;

/** The endpoint of trades. A window costs a token for each of its days. */
export const exchangeProbes: readonly Probe[] = [
  trades("", "A page of trades with more to come.", 200, "limit=2"),
  {
    name: "list-trades-next-page",
    shows: "The cursor of a page leads to the next one.",
    meant: 200,
    before: (side) => signedGet(side, tradesOf(side, "limit=2")),
    sending: (side, before) => {
      const cursor = /"next_cursor":"([^"]+)"/.exec(String(before?.body))?.[1];
      const query = `limit=2&cursor=${found(side, cursor, "a cursor")}`;
      return signedGet(side, tradesOf(side, query));
    },
  },
  trades("validation-error", "An instant in seconds.", 400, "start_date=1795554000"),
  trades("invalid-cursor", "A cursor that no page gave.", 400, "cursor=AQ"),
  {
    name: "list-trades-unknown-symbol",
    shows: "A market in lower case is another one.",
    meant: 400,
    sending: (side) =>
      signedGet(side, `/1.0/trades/all/${side.get("exchange.symbol").toLowerCase()}?limit=1`),
  },
  trades("insufficient-scope", "A key without the scope.", 403, "limit=1", { key: "exchange.noScopeApiKey" }),
  trades("timestamp-in-future", "A clock that is a minute ahead.", 409, "limit=1", { aheadMs: MINUTE_MS }),
  trades("stale", "A signature of two minutes ago.", 401, "limit=1", { aheadMs: -2 * MINUTE_MS }),
  {
    name: "list-trades-other-query",
    shows: "A signature of another query.",
    meant: 401,
    sending: async (side) =>
      get(side, tradesOf(side, "limit=1"), ...(await side.signed(tradesOf(side, "limit=2")))),
  },
  {
    name: "list-trades-body",
    shows: "A signed request with a body is refused.",
    meant: 401,
    sending: async (side) => {
      const target = tradesOf(side, "limit=1");
      const headers = [...(await side.signed(target)), ["Content-Length", "1"] as const];
      return { message: { target: `${side.basePath}${target}`, headers, body: "a" } };
    },
  },
  {
    name: "list-trades-encoded-path",
    shows: "What is signed is the path as the gateway decoded it.",
    meant: 200,
    sending: (side) => signedGet(side, tradesOf(side, "limit=1").replace("-", "%2D")),
  },
];
