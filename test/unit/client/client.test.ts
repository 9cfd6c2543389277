import { afterEach, describe, expect, test, vi } from "vitest";
import {
  Countinghouse,
  CountinghouseError,
  type CountinghouseOptions,
  type DeprecationWarning,
} from "../../../client/src/index.ts";
import { sellOrderText, transactionText } from "../../support/documents.ts";
import { errorBody, SCRIPT_BEGINS_MS, type Scripted, scriptServer } from "../../support/scripted-fetch.ts";

const ORDER = "8f14e45f-ceea-467f-a0e6-0f9b1c2d3e4f";
const KEY = "K".repeat(43);
const jsonType = { headers: { "Content-Type": "application/json" } };
const pass = { body: '{"partner_reference":"a","type":"b","version":1}' };
const order: Scripted = { body: sellOrderText() };

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function begin(answers: readonly Scripted[], options: Partial<CountinghouseOptions> = {}) {
  const server = scriptServer(answers);
  const exchange = { apiKey: "A".repeat(64), sign: async (bytes: Uint8Array) => bytes.slice(0, 64) };
  const business = { accessToken: "token-1" };
  const passes = { accessToken: "token-2" };
  const all = { ...server.options, business, passes, exchange, ramp: { apiKey: KEY }, ...options };
  return { ...server, client: new Countinghouse(all) };
}

/** The error of a request. */
const errorOf = async (request: Promise<unknown>): Promise<CountinghouseError> =>
  await request.then(
    () => {
      throw new Error("It succeeded.");
    },
    (error: unknown) => {
      if (error instanceof CountinghouseError) return error;
      throw error;
    },
  );

describe("a request", () => {
  test("goes to its route below the base, with its credential and an id of its own", async () => {
    const { client, sent } = begin([order, order, { body: transactionText() }]);
    await client.ramp.sellOrder(ORDER);
    await client.ramp.sellOrder(ORDER);
    await client.business.transaction("a/b c");
    expect(sent.map(({ url }) => url)).toEqual([
      `https://api.test/base/sell-orders/${ORDER}`,
      `https://api.test/base/sell-orders/${ORDER}`,
      "https://api.test/base/transaction/a%2Fb%20c",
    ]);
    expect(sent[0]?.headers).toEqual({
      "X-API-KEY": KEY,
      "Request-Id": expect.stringMatching(/^[\da-f]{32}$/),
    });
    expect(sent[2]?.headers.Authorization).toBe("Bearer token-1");
    expect(new Set(sent.map(({ headers }) => headers["Request-Id"])).size).toBe(3);
  });

  test("asks a function for its token each time", async () => {
    const tokens = ["token-1", "token-2"];
    const accessToken = async () => tokens.shift() ?? "";
    const answer = { body: transactionText() };
    const { client, sent } = begin([{ status: 503, body: {} }, answer], { business: { accessToken } });
    await client.business.transaction("a");
    expect(sent.map(({ headers }) => headers.Authorization)).toEqual(["Bearer token-1", "Bearer token-2"]);
  });

  test("may be for an id that begins or ends with dots", async () => {
    const { client, sent } = begin([{ body: transactionText() }, { body: transactionText() }]);
    for (const id of ["..a", "a.."]) await client.business.transaction(id);
    expect(sent.map(({ url }) => url.split("/").at(-1))).toEqual(["..a", "a.."]);
  });

  test("does not follow a redirect, which would carry the credentials along", async () => {
    const redirects: (string | undefined)[] = [];
    const fetch = async (_: string, { redirect }: RequestInit) => {
      redirects.push(redirect);
      return new Response(null, { status: 302, headers: { location: "https://elsewhere.test" } });
    };
    const { client } = begin([], { fetch });
    const { code, message } = await errorOf(client.ramp.sellOrder(ORDER));
    expect([code, redirects]).toEqual(["unexpected_answer", ["manual"]]);
    expect(message).toContain("Set baseUrl to where it leads");
  });

  test("leaves no timer and no listener behind", async () => {
    vi.useFakeTimers();
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    await begin([order]).client.ramp.sellOrder(ORDER, { signal });
    expect(vi.getTimerCount()).toBe(0);
    const ofCalls = ({ mock }: typeof added | typeof removed) => mock.calls.map((call) => call.slice(0, 2));
    expect(ofCalls(removed)).toEqual(ofCalls(added));
    expect(added).toHaveBeenCalled();
  });

  test("waits for the tokens that the answer before it left", async () => {
    const headers = { "RateLimit-Policy": '"ramp";q=40;w=2', RateLimit: '"ramp";r=0;t=2' };
    const { client, waits } = begin([{ ...order, headers }, order, order]);
    for (let times = 0; times < 2; times += 1) await client.ramp.sellOrder(ORDER);
    expect(waits).toEqual([50]);
  });
});

describe("a request is repeated", () => {
  const passing: readonly (readonly [string, Scripted])[] = [
    ["a limit", { status: 429, body: errorBody("rate_limited", { retry_after_ms: 210 }) }],
    ["a switch", { status: 503, body: errorBody("service_disabled", { retry_after_ms: 30_000 }) }],
    ["a fault of the service", { status: 500, body: errorBody("internal_error") }],
    ["API Gateway's throttle", { status: 429, body: { message: "Too Many Requests" } }],
    ["a function that failed", { status: 500, body: { message: "Internal Server Error" } }],
    ["a function that was too slow", { status: 504, body: { message: "Endpoint request timed out" } }],
    ["a proxy", { status: 502, headers: { "Content-Type": "text/html" }, body: "<p>" }],
    ["a lost connection", new TypeError("fetch failed")],
    ["a body that was cut off", { body: sellOrderText().slice(0, -10) }],
    ["a body that did not come", { body: "" }],
  ];
  test.each(passing)("after %s, signed anew", async (_, answer) => {
    const { client, sent, waits } = begin([answer, { body: { data: [], metadata: { timestamp: 1 } } }]);
    for await (const _ of client.exchange.trades({ symbol: "BTC-USD", from: SCRIPT_BEGINS_MS - 1 }));
    expect(sent).toHaveLength(2);
    const stamps = sent.map(({ headers }) => headers["X-Svc-Timestamp"]);
    expect(Number(stamps[1]) - Number(stamps[0])).toBe(waits[0]);
    expect(sent[0]?.headers["X-Svc-Signature"]).not.toBe(sent[1]?.headers["X-Svc-Signature"]);
  });

  test("after exactly the wait that the body tells, and otherwise the header in the interface's unit", async () => {
    const limited = (headers: Record<string, string>, members = {}) => ({
      status: 429,
      headers,
      body: errorBody("rate_limited", members),
    });
    const page = { body: { data: [], metadata: { timestamp: 1 } } };
    const both = limited({ "Retry-After": "7" }, { retry_after_ms: 210 });
    const trades = begin([both, page, limited({ "Retry-After": "7" }), page]);
    for (let walks = 0; walks < 2; walks += 1)
      for await (const _ of trades.client.exchange.trades({ symbol: "A-B", from: SCRIPT_BEGINS_MS - 1 }));
    expect(trades.waits).toEqual([210, 7]);
    const seven = limited({ "Retry-After": "7" });
    const others = begin([seven, order, seven, { body: transactionText() }, seven, pass]);
    await others.client.ramp.sellOrder(ORDER);
    await others.client.business.transaction("a");
    await others.client.passes.get("a");
    expect(others.waits).toEqual([7_000, 7_000, 7_000]);
  });

  test("with waits that grow by failures of one kind", async () => {
    const busy = { status: 503, body: {} };
    const limited = { status: 429, body: errorBody("rate_limited", { retry_after_ms: 3 }) };
    const { client, waits } = begin([busy, limited, busy, limited, busy, order]);
    await client.ramp.sellOrder(ORDER);
    expect(waits).toEqual([313, 3, 625, 625, 1_250]);
  });

  test("once after a fault of the service itself, whatever else failed", async () => {
    const fault = { status: 500, body: errorBody("internal_error") };
    const { client, sent } = begin([new TypeError("x"), fault, { status: 503, body: {} }, fault, order]);
    expect(await errorOf(client.ramp.sellOrder(ORDER))).toMatchObject({ code: "internal_error" });
    expect(sent).toHaveLength(4);
  });

  test("and its error says why there was no answer, as far as the platform does", async () => {
    const coded = Object.assign(new AggregateError([]), { code: "ECONNREFUSED" });
    const reasons: readonly (readonly [unknown, string])[] = [
      [new TypeError("fetch failed", { cause: coded }), "ECONNREFUSED"],
      [new TypeError("Load failed"), "Load failed"],
      [new TypeError(""), "TypeError"],
    ];
    for (const [error, reason] of reasons) {
      const { client } = begin([error as Error], { retry: { attemptsMax: 1 } });
      expect((await errorOf(client.ramp.sellOrder(ORDER))).message).toContain(`part of one: ${reason}.`);
    }
  });

  test("until the attempts are used up, and the last error is thrown", async () => {
    const cause = new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 127.0.0.1:9") });
    const answers = Array.from({ length: 6 }, () => cause);
    const { client, sent, waits } = begin(answers);
    const error = await errorOf(client.ramp.sellOrder(ORDER));
    expect(error).toMatchObject({ code: "network_error", cause });
    expect(error.message).toContain("connect ECONNREFUSED 127.0.0.1:9");
    expect(sent).toHaveLength(6);
    expect(waits).toEqual([313, 625, 1_250, 2_500, 5_000]);
  });

  test.each([
    [400, "validation_error"],
    [401, "invalid_credentials"],
    [403, "insufficient_scope"],
    [404, "not_found"],
  ])("never after a %i", async (status, code) => {
    const { client, sent } = begin([{ status, body: errorBody(code) }]);
    expect(await errorOf(client.ramp.sellOrder(ORDER))).toMatchObject({ code, status });
    expect(sent).toHaveLength(1);
  });
});

test.each(["application/json", "application/json; charset=utf-8", "Application/vnd.pass.v1+JSON"])(
  "an answer is read as JSON if its Content-Type says %s",
  async (type) => {
    const { client } = begin([{ ...order, headers: { "Content-Type": type } }]);
    expect(await client.ramp.sellOrder(ORDER)).toHaveProperty("id");
  },
);

test("headers are read without the space around them, which fetch of Node.js leaves at their end", async () => {
  const headers = new Map([
    ["content-type", "application/json"],
    ["retry-after", "3 \t"],
    ["request-id", "r-1 "],
  ]);
  const text = async () => JSON.stringify(errorBody("temporarily_unavailable"));
  const fetch = async () => ({ status: 503, headers, body: {}, text }) as unknown as Response;
  const error = await errorOf(begin([], { fetch }).client.ramp.sellOrder(ORDER));
  expect(error).toMatchObject({ retryAfterMs: 3_000, requestId: "r-1" });
});

describe("the body of an answer", () => {
  const MIB = 1024 * 1024;
  test("may have 8 MiB", async () => {
    const { client } = begin([{ body: " ".repeat(8 * MIB - 2_000) + sellOrderText() }]);
    expect(await client.ramp.sellOrder(ORDER)).toHaveProperty("id");
  });

  test.each([200, 404])("is not read on once it is longer, with a %i", async (status) => {
    let parts = 0;
    let isLeft = false;
    const body = () =>
      new ReadableStream<Uint8Array>({
        pull: (stream) => {
          parts += 1;
          if (parts <= 40) stream.enqueue(new Uint8Array(MIB).fill(0x20));
          else stream.close();
        },
        cancel: () => {
          isLeft = true;
        },
      });
    const fetch = async () => new Response(body(), { status, ...jsonType });
    const { client } = begin([], { fetch });
    const error = await errorOf(client.ramp.sellOrder(ORDER));
    expect(error).toMatchObject({ code: "unexpected_answer", status });
    expect(error.message).toContain("the body has more than 8 MiB");
    expect(parts).toBeLessThanOrEqual(10);
    expect(isLeft).toBe(true);
  });

  test("is read from a fetch whose bodies are not streams of the platform", async () => {
    const headers = new Headers(jsonType.headers);
    const answer = { status: 200, headers, body: {}, text: async () => sellOrderText() };
    const { client } = begin([], { fetch: async () => answer as unknown as Response });
    expect(await client.ramp.sellOrder(ORDER)).toHaveProperty("id");
  });

  test("keeps letters whose bytes come in two parts", async () => {
    const bytes = new TextEncoder().encode(sellOrderText({ wallet: "0xé€😀" }));
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => {
        for (const byte of bytes) stream.enqueue(Uint8Array.of(byte));
        stream.close();
      },
    });
    const { client } = begin([], { fetch: async () => new Response(body, jsonType) });
    expect((await client.ramp.sellOrder(ORDER)).wallet).toBe("0xé€😀");
  });
});

describe("an answer that is not the service's is an error, and never an empty page", () => {
  test.each<readonly [string, Scripted, string]>([
    ["HTML", { headers: { "Content-Type": "text/html" }, body: "<p>Log in</p>" }, "Content-Type"],
    [
      "JSON of another kind",
      { ...order, headers: { "Content-Type": "text/application/json" } },
      "Content-Type",
    ],
    ["JSON without a Content-Type", { ...order, headers: { "Content-Type": "" } }, "Content-Type"],
    ["another document", { body: { orders: [] } }, "id is not as the contract says"],
    ["nothing", { body: "null" }, "the document is not as the contract says"],
    ["an amount as text", { body: sellOrderText({ exchange_rate: "1" }) }, "exchange_rate"],
  ])("%s", async (_, answer, words) => {
    const { client, sent } = begin([answer]);
    const error = await errorOf(client.ramp.sellOrder(ORDER));
    expect(error).toMatchObject({ code: "unexpected_answer", status: 200 });
    expect(error.message).toContain(words);
    expect(sent).toHaveLength(1);
  });

  test.each<readonly [string, unknown]>([
    ["a list in its place", []],
    ["no list of trades", { metadata: { timestamp: 1 } }],
    ["a trade without an id", { data: [{ tdt: 1 }], metadata: { timestamp: 1 } }],
  ])("a page of trades: %s", async (_, body) => {
    const { client } = begin([{ body }]);
    const walk = client.exchange.trades({ symbol: "A-B", from: SCRIPT_BEGINS_MS - 1 });
    expect((await errorOf(Array.fromAsync(walk))).code).toBe("unexpected_answer");
  });
});

describe("an error", () => {
  test("says what the service said, and what is needed for a report", async () => {
    const body = errorBody("not_found");
    const { client, sent } = begin([{ status: 404, headers: { "Request-Id": "r-1" }, body }]);
    const error = await errorOf(client.ramp.sellOrder(ORDER));
    expect(error).toMatchObject({
      name: "CountinghouseError",
      code: "not_found",
      status: 404,
      errorId: "0b1e6a0a-5e0c-4d52-9d3e-0f6f3f9c2a11",
      requestId: "r-1",
      retryAfterMs: undefined,
      serverTime: SCRIPT_BEGINS_MS,
      url: sent[0]?.url,
    });
    expect(error.message).toBe(
      `GET https://api.test/base/sell-orders/${ORDER}: 404 not_found: Not now. (error_id 0b1e6a0a-5e0c-4d52-9d3e-0f6f3f9c2a11)`,
    );
  });

  test("has the wait that was asked for when it is longer than the client's patience", async () => {
    const body = errorBody("service_disabled", { retry_after_ms: 500_000 });
    const { client, waits } = begin([{ status: 503, body }]);
    expect(await errorOf(client.ramp.sellOrder(ORDER))).toMatchObject({ retryAfterMs: 500_000 });
    expect(waits).toEqual([]);
  });

  test("says that a wait was cut to what a timer takes", async () => {
    const answer = { status: 429, headers: { "Retry-After": "99999999999999" }, body: { message: "No" } };
    const error = await errorOf(begin([answer]).client.ramp.sellOrder(ORDER));
    expect(error.retryAfterMs).toBe(2 ** 31 - 1);
    expect(error.message).toMatch(/: No It asks to wait for 24 days or longer\.$/);
  });

  test.each([
    [
      404,
      "Not Found",
      "no_route",
      "API Gateway knows no such path. Check baseUrl; an id must have no slash.",
    ],
    [400, "Bad Request", "gateway_refused", "Bad Request"],
    [403, "Forbidden", "gateway_refused", "Forbidden"],
    [413, "Request Too Long", "gateway_refused", "Request Too Long"],
    [429, "Too Many Requests", "gateway_throttled", "Too Many Requests"],
    [500, "Internal Server Error", "gateway_failed", "Internal Server Error"],
    [504, "Endpoint request timed out", "gateway_failed", "Endpoint request timed out"],
  ])("of API Gateway has a code of its own: %i %s", async (status, message, code, said) => {
    const answer = { status, headers: { "apigw-requestid": "g-1" }, body: { message } };
    const { client } = begin([answer], { retry: { totalMs: 0 } });
    const error = await errorOf(client.ramp.sellOrder(ORDER));
    expect(error).toMatchObject({ code, status, requestId: "g-1" });
    expect(error.message.endsWith(`${status} ${code}: ${said}`)).toBe(true);
    expect(error).not.toHaveProperty("cause");
  });

  const notOurs = "The body is not the service's: ";
  const redirected = "The server redirects. Set baseUrl to where it leads.";
  test.each<readonly [number, unknown, string]>([
    [418, "a teapot", `${notOurs}"a teapot".`],
    [400, "", `${notOurs}"".`],
    [400, { message: "no", more: 1 }, notOurs],
    [400, { message: 1 }, notOurs],
    [400, "null", notOurs],
    [400, errorBody("a_new_code"), notOurs],
    [400, "x".repeat(900), `${notOurs}"${"x".repeat(200)}".`],
    [300, "", redirected],
    [399, "", redirected],
  ])("of something else in front says so: %i %j", async (status, body, said) => {
    const error = await errorOf(begin([{ status, body }]).client.ramp.sellOrder(ORDER));
    expect(error).toMatchObject({ code: "unexpected_answer", status });
    expect(error.message).toContain(said);
    expect(error.message).not.toContain("(error_id ");
  });

  test.each([
    [5_001, " This machine's clock is 5001 ms ahead of the server's: set it, or give the option now."],
    [-31_000, " This machine's clock is 31000 ms behind the server's: set it, or give the option now."],
    [100, ""],
  ])("of a signature names a clock that is %i ms off", async (aheadMs, hint) => {
    for (const [status, code] of [
      [409, "timestamp_in_future"],
      [401, "invalid_credentials"],
    ] as const) {
      const body = errorBody(code, { timestamp: SCRIPT_BEGINS_MS - aheadMs });
      const { client } = begin([{ status, body }]);
      const error = await errorOf(client.ramp.sellOrder(ORDER));
      expect(error.message.split("3f9c2a11)")[1]).toBe(hint);
    }
  });

  test.each<[string, (client: Countinghouse) => Promise<unknown>]>([
    ["A".repeat(64), (client) => Array.fromAsync(client.exchange.trades({ symbol: "A-B", from: 0 }))],
    [KEY, (client) => client.ramp.sellOrder(ORDER)],
    ["token-2", (client) => client.passes.get("a")],
    ["token-1", (client) => client.business.transaction("a")],
  ])("never shows a credential, even if a proxy repeats what it was sent: %s", async (secret, ask) => {
    const text = `${secret} is not welcome`;
    const plain = { "Content-Type": "text/plain" };
    for (const answer of [{ body: { message: text } }, { headers: plain, body: text }]) {
      const error = await errorOf(ask(begin([{ status: 403, ...answer }]).client));
      expect(error.message).toContain("(hidden) is not welcome");
      expect(JSON.stringify(error) + error.message + String(error.stack)).not.toContain(secret);
    }
  });

  test("shows no part of a credential that is cut off with the text around it", async () => {
    for (let before = 150; before <= 210; before += 1) {
      const body = `${"x".repeat(before)}${KEY} and more`;
      const { message } = await errorOf(begin([{ status: 418, body }]).client.ramp.sellOrder(ORDER));
      expect(message).not.toContain("KK");
    }
  });

  test("shows no credential in any of its members, whatever the answer repeats", async () => {
    const retry = { attemptsMax: 1 };
    const ids = { error_id: KEY, message: `no ${KEY.toLowerCase()}` };
    const answers: readonly Scripted[] = [
      { status: 503, headers: { "Request-Id": KEY }, body: errorBody("temporarily_unavailable", ids) },
      { status: 503, headers: { "apigw-requestid": KEY }, body: { message: btoa(KEY) } },
      new TypeError(`the proxy refused X-API-KEY: ${KEY}`),
      { ...order, headers: { "Content-Type": KEY } },
    ];
    for (const answer of answers) {
      const { cause: _, ...members } = await errorOf(begin([answer], { retry }).client.ramp.sellOrder(ORDER));
      expect(JSON.stringify(members)).not.toMatch(/k{4}|s0tLS0t/i);
    }
    const page = { body: "[]", headers: { Link: `<?cursor=${KEY}>; rel="next"` } };
    const { client } = begin([page, { status: 400, body: "" }], { business: { accessToken: KEY } });
    const { url, message } = await errorOf(Array.fromAsync(client.business.transactions()));
    expect([url, message].join(" ")).not.toContain(KEY);
  });

  test("shows neither a signature nor the text that was signed with a key", async () => {
    const sign = () => new Uint8Array(64).fill(7);
    const echo = { status: 403, body: { message: `Bad signature ${btoa("\x07".repeat(64))}` } };
    const { client } = begin([echo], { exchange: { apiKey: "A".repeat(64), sign } });
    const walk = Array.fromAsync(client.exchange.trades({ symbol: "A-B", from: SCRIPT_BEGINS_MS - 1 }));
    expect((await errorOf(walk)).message).toContain(": Bad signature (hidden)");
  });

  test.each(["with a\nbreak", "", "with ü", " "])(
    "says that a credential cannot be sent, and does not show it: %j",
    async (apiKey) => {
      const { client, sent } = begin([], { ramp: { apiKey } });
      const error = await errorOf(client.ramp.sellOrder(ORDER));
      expect(error.code).toBe("credentials_failed");
      if (apiKey.trim() !== "") expect(error.message).not.toContain(apiKey);
      expect(sent).toEqual([]);
    },
  );

  test("has the failure of a function for credentials as its cause", async () => {
    const cause = new Error("the HSM is locked");
    const { client } = begin([], { business: { accessToken: () => Promise.reject(cause) } });
    const error = await errorOf(client.business.transaction("a"));
    expect(error).toMatchObject({ code: "credentials_failed", cause });
  });
});

describe("a deprecation", () => {
  const Sunset = "Thu, 01 Jul 2027 00:00:00 GMT";
  const answer = { body: transactionText(), headers: { Deprecation: "@1782864000", Sunset } };
  const beginWarned = (answers: readonly Scripted[]) => {
    const warnings: DeprecationWarning[] = [];
    const { client } = begin(answers, { onWarning: (warning) => warnings.push(warning) });
    return { client, warnings };
  };

  test("is reported once for each endpoint", async () => {
    const { client, warnings } = beginWarned([answer, answer, { ...order, headers: { Sunset } }, order]);
    for (const id of ["a", "b"]) await client.business.transaction(id);
    for (let times = 0; times < 2; times += 1) await client.ramp.sellOrder(ORDER);
    expect(warnings).toEqual([
      {
        endpoint: "get-transaction",
        message: `countinghouse: get-transaction is deprecated as it is used here. It will be removed on ${Sunset}.`,
        deprecation: "@1782864000",
        sunset: Sunset,
      },
      expect.objectContaining({ endpoint: "get-sell-order", deprecation: undefined }),
    ]);
  });

  test("is not seen where none is, and may have no end yet", async () => {
    const { client, warnings } = beginWarned([order, { ...answer, headers: { Deprecation: "@1" } }]);
    await client.ramp.sellOrder(ORDER);
    await client.business.transaction("a");
    expect(warnings.map(({ message, sunset }) => [message, sunset])).toEqual([
      ["countinghouse: get-transaction is deprecated as it is used here.", undefined],
    ]);
  });

  test("shows no credential that its headers repeat", async () => {
    const { client, warnings } = beginWarned([
      { ...order, headers: { Sunset: KEY, Deprecation: `@${KEY}` } },
    ]);
    await client.ramp.sellOrder(ORDER);
    expect(JSON.stringify(warnings)).not.toContain(KEY);
  });

  test("names the endpoint", async () => {
    const headers = { Deprecation: "@1" };
    const page = { headers, body: { data: [], metadata: { timestamp: 1 } } };
    const { client, warnings } = beginWarned([{ headers, body: "[]" }, { ...pass, headers }, page]);
    await Array.fromAsync(client.business.transactions());
    await client.passes.get("a");
    await Array.fromAsync(client.exchange.trades({ symbol: "A-B", from: SCRIPT_BEGINS_MS - 1 }));
    const names = warnings.map(({ endpoint }) => endpoint);
    expect(names).toEqual(["list-transactions", "get-pass", "list-trades"]);
  });

  test("is a warning of the console unless the program says otherwise", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    await begin([answer]).client.business.transaction("a");
    expect(warn.mock.calls).toEqual([[expect.stringContaining("get-transaction is deprecated")]]);
  });
});

describe("options that cannot be meant are refused", () => {
  test("but not an address on plain HTTP, or with slashes at its end", async () => {
    for (const base of ["http://api.test", "https://api.test/v1//"]) {
      const { client, sent } = begin([order], { baseUrl: base });
      await client.ramp.sellOrder(ORDER);
      expect(sent[0]?.url).toBe(`${base.replace(/\/+$/, "")}/sell-orders/${ORDER}`);
    }
  });

  test("an interface without credentials", () => {
    const client = new Countinghouse({ baseUrl: "https://api.test" });
    expect(() => client.business).toThrow("give it the option business");
    expect(() => client.passes).toThrow("give it the option passes");
    expect(() => client.exchange).toThrow("give it the option exchange");
    expect(() => client.ramp).toThrow("give it the option ramp");
  });

  test("but an option that is undefined counts as left out", async () => {
    vi.stubGlobal("fetch", async () => new Response(sellOrderText(), jsonType));
    const missing = { fetch: undefined, now: undefined, sleep: undefined, onWarning: undefined };
    const given = { baseUrl: "https://api.test", ramp: { apiKey: KEY }, ...missing };
    const client = new Countinghouse(given as unknown as CountinghouseOptions);
    expect(await client.ramp.sellOrder(ORDER)).toHaveProperty("id");
  });
});
