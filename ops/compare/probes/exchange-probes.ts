import { found, get, type Probe, type Sending } from "../probe.ts";
import type { Side, SigningChoice } from "../side.ts";

/** The target of a listing of trades. */
export const tradesOf = (side: Side, query: string): string =>
  `/1.0/trades/all/${side.get("exchange.symbol")}?${query}`;

/** A GET that is signed. */
export const signedGet = async (side: Side, target: string, how: SigningChoice = {}): Promise<Sending> =>
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

const list = (name: string, query: string, shows: string, meant?: number): Probe => ({
  name: `query-${name}`,
  shows,
  ...(meant !== undefined && { meant }),
  sending: (side) => get(side, `/transactions?${query}`, side.bearer("business.token")),
});

/** A signature is over the bytes of the query, so it holds only if they arrive as they were sent. */
const signed = (name: string, query: string, shows: string): Probe => ({
  name: `query-signed-${name}`,
  shows,
  meant: 200,
  sending: (side) => signedGet(side, tradesOf(side, query)),
});

/** Awkward queries. */
export const queryProbes: readonly Probe[] = [
  list("repeated", "state=completed&state=pending&count=1", "A parameter that may be repeated.", 200),
  list("repeated-once-only", "count=1&count=2", "A parameter that must not be repeated.", 400),
  list("empty-value", "from=", "A parameter with an empty value.", 400),
  list("without-value", "from", "A parameter without a value.", 400),
  list("empty-pairs", "&&count=1&&", "Pairs without a name and a value.", 200),
  list("empty", "", "A question mark without a query.", 200),
  list("encoded-name", "%63ount=1", "An encoded letter of a name.", 200),
  list("encoded-value", "count=%31", "An encoded digit of a value.", 200),
  list("plus", "account=a+b&count=1", "A plus sign stands for a space.", 200),
  list("encoded-plus", "account=a%2Bb&count=1", "An encoded plus sign stands for itself.", 200),
  list("comma", "account=a,b&account=c%2Cd&count=1", "Commas in values are not those of a list.", 200),
  list("semicolon", "count=1;state=completed", "A semicolon separates nothing.", 400),
  list("question-mark", "count=1?x", "A second question mark is part of a value.", 400),
  list("hash", "count=1#x", "A hash sign is part of a value.", 400),
  list("name-case", "Count=1", "The names of parameters have a letter case.", 400),
  list("stray-percent", "account=50%&count=1", "A percent sign that begins no encoded byte."),
  list("invalid-utf8", "account=%FF&count=1", "Encoded bytes that are not UTF-8."),
  list("raw-bytes", "account=\u00e9&count=1", "A byte beyond ASCII that is not encoded."),
  list("brackets", "account[]=a", "Brackets are part of a name.", 400),
  signed("encoded-digit", "limit=%31", "The query is not decoded on its way."),
  signed("empty-pair", "limit=1&&", "Empty pairs are not removed on their way."),
  signed("order", "limit=1&end_date=1795554000000", "Parameters are not sorted on their way."),
];
