import { describe, expect, test } from "vitest";
import { Countinghouse, type CountinghouseOptions } from "../../../client/src/index.ts";
import { SCRIPT_BEGINS_MS, scriptServer } from "../../support/scripted-fetch.ts";

const jwk = { kty: "OKP", crv: "Ed25519", d: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", kid: "k" };
const business = { accessToken: "t" };
const exchange = { apiKey: "A", sign: () => new Uint8Array(64) };
const ramp = { apiKey: "K" };

/** Values that mean nothing as text, a number, a function or an object. */
const odd: Readonly<Record<string, readonly unknown[]>> = {
  text: [null, 5, true, [], {}, ["a"]],
  header: [null, 5, "", " ", "a\nb", [], {}],
  number: [null, "", "5", Number.NaN, -1, [], [5], {}],
  function: [null, "", 5, {}, []],
  object: [null, "", 5, "a", true],
  signal: [null, "", 5, {}, [], new AbortController()],
  id: [undefined, null, "", 5, [], ["a"], {}, ".", "..", "\ud800"],
};

/** Options of a client, each by its path and with the values that it refuses. */
const ofClient: readonly (readonly [string, readonly unknown[]])[] = [
  ["baseUrl", [undefined, ...(odd.text ?? []), "", "api.example.com", "ftp://a", "xhttp://a"]],
  ["baseUrl", ["https://user@a", "https://:pass@a", "https://user:pass@a", "https://a?b=c", "https://a#b"]],
  ...["business", "passes", "exchange", "ramp", "retry"].map((name) => [name, odd.object ?? []] as const),
  ["business.accessToken", [undefined, null, 5, [], {}, Promise.resolve("t")]],
  ["ramp.apiKey", [undefined, ...(odd.text ?? [])]],
  ["exchange.apiKey", [undefined, ...(odd.text ?? [])]],
  ["exchange.headerPrefix", odd.header ?? []],
  ["exchange.sign", odd.function ?? []],
  ["passes.accessToken", [null, 5, [], {}]],
  ["passes.jws", [...(odd.object ?? []), {}, { ...jwk, kid: undefined }, { ...jwk, d: 5 }]],
  ["passes.signJws", odd.function ?? []],
  ["passes.versionHeader", odd.header ?? []],
  ["passes.serviceApiVersion", odd.header ?? []],
  ["timeoutMs", [...(odd.number ?? []), 0, Number.POSITIVE_INFINITY, 2 ** 31]],
  ["retry.attemptsMax", [...(odd.number ?? []), 0]],
  ["retry.totalMs", odd.number ?? []],
  ["retry.baseMs", [...(odd.number ?? []), Number.POSITIVE_INFINITY]],
  ["retry.waitMsMax", [...(odd.number ?? []), 2 ** 31]],
  ["retry.tokensMsMax", odd.number ?? []],
  ...["onWarning", "fetch", "now", "sleep", "random"].map((name) => [name, odd.function ?? []] as const),
];

function optionsWith(path: string, value: unknown): CountinghouseOptions {
  const [name = "", within] = path.split(".");
  const whole = { baseUrl: "https://api.test", business, exchange, ramp, passes: {}, retry: {} };
  const before = (whole as Record<string, object | string>)[name];
  const after = within === undefined ? value : { ...(before as object), [within]: value };
  return { ...whole, [name]: after };
}

describe("an option of a client that cannot be meant is a TypeError with its name", () => {
  test.each(ofClient)("%s", (path, values) => {
    for (const value of values)
      expect(() => new Countinghouse(optionsWith(path, value)), String(value)).toThrow(
        expect.objectContaining({
          name: "TypeError",
          message: expect.stringMatching(new RegExp(`^${path}[.:]`)),
        }),
      );
  });

  test("a password in an address, which is not shown", () => {
    expect(() => new Countinghouse({ baseUrl: "https://user:pass@a" })).not.toThrow("user:pass");
  });

  test("a key that is left out", () => {
    const given = { ...optionsWith("exchange", { apiKey: "A" }) };
    expect(() => new Countinghouse(given)).toThrow(/^privateKey: must be an Ed25519 private key/);
  });
});

const everyMs = [...(odd.number ?? []), 0, Number.POSITIVE_INFINITY];
/** Nothing that a follow has ended with. */
const wrongResumes = [...(odd.object ?? []), {}];

/** What gives ids once alone, or none. */
const wrongIds = ["order-1", ["order-1"].values(), {}, 1, null];

/** Calls of a client, each with options that it takes beside those of every call. */
const calls: readonly (readonly [
  string,
  (client: Countinghouse, options: never) => unknown,
  Readonly<Record<string, readonly unknown[]>>,
])[] = [
  ["transaction", (client, options) => client.business.transaction("a", options), {}],
  [
    "waitForTransaction",
    (client, options) => client.business.waitForTransaction("a", options),
    { everyMs, missingMs: odd.number ?? [] },
  ],
  ["transactions", (client, options) => client.business.transactions({}, options), {}],
  ["pass", (client, options) => client.passes.get("a", options), { ifNoneMatch: odd.header ?? [] }],
  [
    "trades",
    (client, options: object) =>
      client.exchange.trades({ symbol: "A-B", from: SCRIPT_BEGINS_MS - 1, ...options }),
    { onProgress: odd.function ?? [], limit: [...(odd.number ?? []), 0, 1.5], resume: odd.object ?? [] },
  ],
  ["sellOrder", (client, options) => client.ramp.sellOrder("a", options), {}],
  [
    "a follow of transactions",
    (client, options) => client.business.follow(options),
    {
      since: [null, "yesterday"],
      everyMs,
      resume: [
        ...wrongResumes,
        { seen: {} },
        ...[1, Number.NaN].map((sinceMicros) => ({ sinceMicros, seen: { a: "completed" } })),
      ],
    },
  ],
  [
    "a follow of orders",
    (client, { ids = [], ...options }: { ids?: string[] }) => client.ramp.follow(ids, options),
    {
      ids: wrongIds,
      onMissing: odd.function ?? [],
      everyMs,
      resume: [...wrongResumes, { seen: { a: "x" } }],
    },
  ],
  [
    "a follow of passes",
    (client, { ids = [], ...options }: { ids?: string[] }) => client.passes.follow(ids, options),
    { ids: wrongIds, everyMs, resume: [...wrongResumes, { seen: { a: "COMPLETED" } }] },
  ],
  [
    "waitUntilFinal",
    (client, options) => client.ramp.waitUntilFinal("a", options),
    { onChange: odd.function ?? [], everyMs, missingMs: odd.number ?? [] },
  ],
];

function begin() {
  const server = scriptServer([]);
  return {
    ...server,
    client: new Countinghouse({ ...server.options, business, exchange, ramp, passes: {} }),
  };
}

describe("an option of a call that cannot be meant is a TypeError with its name, and nothing is sent", () => {
  const all = { signal: odd.signal ?? [], onWait: odd.function ?? [] };
  test.each(calls)("%s", async (_, call, others) => {
    const { client, sent } = begin();
    for (const [name, values] of Object.entries({ ...all, ...others }))
      for (const value of values)
        await expect(
          (async () => call(client, { [name]: value } as never))(),
          `${name}: ${String(value)}`,
        ).rejects.toThrow(
          expect.objectContaining({
            name: "TypeError",
            message: expect.stringMatching(new RegExp(`^${name}: `)),
          }),
        );
    expect(sent).toEqual([]);
  });

  test.each<readonly [string, (client: Countinghouse, id: never) => unknown]>([
    ["id", ({ business }, id) => business.transaction(id)],
    ["id", ({ business }, id) => business.waitForTransaction(id)],
    ["partner_reference", ({ passes }, id) => passes.get(id)],
    ["order_id", ({ ramp }, id) => ramp.sellOrder(id)],
    ["order_id", ({ ramp }, id) => ramp.waitUntilFinal(id)],
    [
      "symbol",
      ({ exchange }, symbol) => Array.fromAsync(exchange.trades({ symbol, from: SCRIPT_BEGINS_MS - 1 })),
    ],
  ])("%s of %s", async (name, ask) => {
    const { client, sent } = begin();
    for (const id of odd.id ?? [])
      await expect((async () => ask(client, id as never))(), String(id)).rejects.toThrow(
        expect.objectContaining({
          name: "TypeError",
          message: expect.stringMatching(new RegExp(`^${name}: `)),
        }),
      );
    expect(sent).toEqual([]);
  });
});

describe("a function for a credential that gives none is a failure of the credentials, and nothing is sent", () => {
  const walk = ({ exchange: part }: Countinghouse) =>
    Array.fromAsync(part.trades({ symbol: "A-B", from: SCRIPT_BEGINS_MS - 1 }));
  test.each<
    readonly [
      string,
      (give: () => never) => Partial<CountinghouseOptions>,
      (client: Countinghouse) => unknown,
    ]
  >([
    [
      "a token",
      (give) => ({ business: { accessToken: give } }),
      (client) => client.business.transaction("a"),
    ],
    ["a wallet's token", (give) => ({ passes: { accessToken: give } }), (client) => client.passes.get("a")],
    ["a detached signature", (give) => ({ passes: { signJws: give } }), (client) => client.passes.get("a")],
    ["a signature", (give) => ({ exchange: { apiKey: "A", sign: give } }), walk],
  ])("%s", async (_, optionsOf, ask) => {
    for (const value of [undefined, null, "", 5, [], {}]) {
      const server = scriptServer([]);
      const client = new Countinghouse({ ...server.options, ...optionsOf(() => value as never) });
      await expect(ask(client), JSON.stringify(value)).rejects.toMatchObject({ code: "credentials_failed" });
      expect(server.sent).toEqual([]);
    }
  });
});
