import { describe, expect, test } from "vitest";
import { Countinghouse, CountinghouseError, type CountinghouseOptions } from "../../../client/src/index.ts";
import { sellOrderText, transactionText } from "../../support/documents.ts";
import { errorBody, SCRIPT_BEGINS_MS, type Scripted, scriptServer } from "../../support/scripted-fetch.ts";

const never = new Promise<never>(() => {});
const missing: Scripted = { status: 404, body: errorBody("not_found") };
const usedUp = { "RateLimit-Policy": '"a";q=1;w=9', RateLimit: '"a";r=0;t=9' };

/** A body of which a part comes, and then nothing. */
const halfABody = (): Response =>
  new Response(new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode("[")) }), {
    headers: { "Content-Type": "application/json" },
  });

/** A fetch that fails once its signal is aborted, as the platform's does. */
const heeding = (_: string, { signal }: RequestInit): Promise<Response> =>
  new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new Error("aborted"))));

function begin(answers: readonly Scripted[], changes: Partial<CountinghouseOptions> = {}) {
  const server = scriptServer(answers);
  const client = new Countinghouse({
    ...server.options,
    business: { accessToken: "token-1" },
    passes: { accessToken: "token-2" },
    exchange: { apiKey: "A".repeat(64), sign: () => new Uint8Array(64) },
    ramp: { apiKey: "K".repeat(43) },
    ...changes,
  });
  return { ...server, client };
}

type Ask = (client: Countinghouse, signal: AbortSignal) => Promise<unknown>;
const transaction: Ask = ({ business }, signal) => business.transaction("a", { signal });
const list: Ask = ({ business }, signal) => Array.fromAsync(business.transactions({}, { signal }));
const pass: Ask = ({ passes }, signal) => passes.get("a", { signal });
const order: Ask = ({ ramp }, signal) => ramp.sellOrder("a", { signal });
const walk: Ask = ({ exchange }, signal) =>
  Array.fromAsync(exchange.trades({ symbol: "A-B", from: SCRIPT_BEGINS_MS - 1, signal }));

/** Waits that never end by themselves, and that look at no signal: each with a request that comes to it. */
const waits: readonly (readonly [string, Ask, readonly Scripted[], Partial<CountinghouseOptions>])[] = [
  ["for an access token", transaction, [], { business: { accessToken: () => never } }],
  ["for a wallet's token", pass, [], { passes: { accessToken: () => never } }],
  ["for a detached signature", pass, [], { passes: { signJws: () => never } }],
  ["for a signature", walk, [], { exchange: { apiKey: "A".repeat(64), sign: () => never } }],
  ["for an answer", order, [], { fetch: () => never }],
  ["for an answer to a walk", walk, [], { fetch: () => never }],
  ["for an answer to a request that heeds its signal", order, [], { fetch: heeding }],
  ["for the rest of a body", list, [], { fetch: async () => halfABody() }],
  [
    "for the next page",
    list,
    [{ body: "[]", headers: { Link: "<?cursor=x>; rel=next", ...usedUp } }],
    { sleep: () => never },
  ],
  ["before a repetition", transaction, [{ status: 503, body: {} }], { sleep: () => never }],
  [
    "for an order that is not there",
    ({ ramp }, signal) => ramp.waitUntilFinal("a", { signal }),
    [missing],
    { sleep: () => never },
  ],
  [
    "for an order to be final",
    ({ ramp }, signal) => ramp.waitUntilFinal("a", { signal }),
    [{ body: sellOrderText({ status: "PROCESSING" }) }],
    { sleep: () => never },
  ],
  [
    "for a transaction that is not there",
    ({ business }, signal) => business.waitForTransaction("a", { signal }),
    [missing],
    { sleep: () => never },
  ],
];

describe("a wait ends with the reason of its signal", () => {
  test.each(waits)("%s", async (_, ask, answers, changes) => {
    for (const reason of [new Error("enough"), new CountinghouseError("mine", { code: "network_error" })]) {
      const stop = new AbortController();
      const { client } = begin(answers, changes);
      const asked = ask(client, stop.signal);
      setImmediate(() => stop.abort(reason));
      await expect(asked).rejects.toBe(reason);
    }
  });

  test("for tokens", async () => {
    const { client } = begin([{ body: transactionText(), headers: usedUp }], { sleep: () => never });
    await client.business.transaction("a");
    const stop = new AbortController();
    const asked = transaction(client, stop.signal);
    setImmediate(() => stop.abort(new Error("enough")));
    await expect(asked).rejects.toThrow("enough");
  });

  test.each([transaction, list, pass, order, walk])("and nothing begins after it: %s", async (ask) => {
    const asked: string[] = [];
    const accessToken = () => {
      asked.push("token");
      return "t";
    };
    const { client, sent } = begin([], { business: { accessToken }, passes: { accessToken } });
    await expect(ask(client, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
    expect([...sent, ...asked]).toEqual([]);
  });
});

describe("without a signal, the longest time of a request ends", () => {
  const attempts = { timeoutMs: 1, retry: { attemptsMax: 2 } };
  const signal = new AbortController().signal;

  test.each(waits.slice(0, 4))("the wait %s", async (_, ask, answers, changes) => {
    const { client, sent } = begin(answers, { ...changes, ...attempts });
    await expect(ask(client, signal)).rejects.toMatchObject({
      code: "credentials_failed",
      message: expect.stringContaining("no credentials were made within 1 ms"),
    });
    expect(sent).toEqual([]);
  });

  test.each(waits.slice(4, 8))("the wait %s, which begins once more", async (_, ask, answers, changes) => {
    const { client, waits } = begin(answers, { ...changes, ...attempts });
    await expect(ask(client, signal)).rejects.toMatchObject({
      code: "timeout",
      status: undefined,
      message: expect.stringContaining("no whole answer within 1 ms"),
    });
    expect(waits).toEqual([313]);
  });
});
