import { describe, expect, test } from "vitest";
import { Countinghouse, type CountinghouseOptions, type RetryOptions } from "../../../client/src/index.ts";
import { sellOrderText } from "../../support/documents.ts";
import { type Scripted, type ScriptedServer, scriptServer } from "../../support/scripted-fetch.ts";

const ORDER = "8f14e45f-ceea-467f-a0e6-0f9b1c2d3e4f";
const order = { body: sellOrderText() };

const limitOf = (tokens: number, seconds: number) => ({
  "RateLimit-Policy": `"a";q=${tokens};w=${seconds}`,
  RateLimit: `"a";r=0;t=${seconds}`,
});
/** An answer after which no token is left, of so many that come back in so many seconds. */
const usedUp = (tokens: number, seconds: number): Scripted => ({
  ...order,
  headers: limitOf(tokens, seconds),
});
/** An answer of a limit that hardly holds anybody back. */
const plenty: Scripted = {
  ...order,
  headers: { "RateLimit-Policy": '"b";q=900;w=1', RateLimit: '"b";r=899;t=1' },
};

/** A client that has asked once, and knows the limit of the first answer. */
async function begin(
  answers: readonly Scripted[],
  optionsOf: (server: ScriptedServer) => Partial<CountinghouseOptions> = () => ({}),
) {
  const server = scriptServer(answers);
  const options = { ...server.options, ramp: { apiKey: "K".repeat(43) }, ...optionsOf(server) };
  const { ramp } = new Countinghouse(options);
  const ask = (signal?: AbortSignal) => ramp.sellOrder(ORDER, { signal });
  await ask();
  return { ...server, ramp, ask };
}

describe("a wait for tokens", () => {
  test("is told, and does not count towards the longest time for repetitions", async () => {
    const { ramp, waits } = await begin([usedUp(1, 130), new TypeError("socket hang up"), order]);
    const told: (readonly [ms: number, code: string | undefined])[] = [];
    await ramp.sellOrder(ORDER, { onWait: (ms, failure) => told.push([ms, failure?.code]) });
    // The repetition waits for a token of its own.
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(260_000);
    expect(waits).toContain(313);
    expect(told).toEqual(waits.map((ms) => [ms, ms === 313 ? "network_error" : undefined]));
  });

  test.each<readonly [RetryOptions, number, readonly number[]]>([
    [{}, 600, Array<number>(10).fill(60_000)],
    [{}, 601, []],
    [{ tokensMsMax: 2_000 }, 2, [2_000]],
    [{ tokensMsMax: 2_000 }, 3, []],
    [{ tokensMsMax: 0 }, 1, []],
    [{ tokensMsMax: Number.POSITIVE_INFINITY }, 661, [...Array<number>(11).fill(60_000), 1_000]],
  ])(
    "is not begun where it is too long, so that the service says how it stands: %j, %i s",
    async (retry, seconds, expected) => {
      const { ask, waits, sent } = await begin([usedUp(1, seconds), order], () => ({ retry }));
      await ask();
      expect(waits).toEqual(expected);
      expect(sent).toHaveLength(2);
    },
  );

  test("ends within a minute after another answer has told of another limit", async () => {
    const { ask, waits } = await begin([usedUp(1, 400), plenty, order], ({ options }) => ({
      sleep: async (ms) => {
        await new Promise(setImmediate);
        await options.sleep(ms);
      },
    }));
    // The second one would wait 800 s, and is sent at once.
    await Promise.all([ask(), ask()]);
    expect(waits).toEqual([60_000]);
  });
});

describe("tokens of a request that is not sent are the next one's", () => {
  test("when it is given up while it waits", async () => {
    let stop = new AbortController();
    const { ask, waits, sent } = await begin([usedUp(40, 2), order], ({ options }) => ({
      sleep: async (ms, signal) => {
        stop.abort(new Error("enough"));
        await options.sleep(ms, signal);
      },
    }));
    for (let times = 0; times < 200; times += 1) {
      stop = new AbortController();
      await expect(ask(stop.signal)).rejects.toThrow("enough");
    }
    await ask();
    expect(waits).toEqual([50]);
    expect(sent).toHaveLength(2);
  });

  test("when it was given up before it began", async () => {
    const { ask, waits } = await begin([usedUp(40, 2), order]);
    await expect(ask(AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
    await ask();
    expect(waits).toEqual([50]);
  });

  test("when its credentials cannot be made", async () => {
    const keys = ["t-1", "", "t-2"];
    const server = scriptServer([{ headers: limitOf(40, 2), body: "[]" }, { body: "[]" }]);
    const business = { accessToken: () => keys.shift() ?? "" };
    const client = new Countinghouse({ ...server.options, business });
    const list = () => Array.fromAsync(client.business.transactions());
    await list();
    await expect(list()).rejects.toMatchObject({ code: "credentials_failed" });
    await list();
    // The one that failed has waited, too.
    expect(server.waits).toEqual([50]);
  });

  test("when the program's own function that is told of the wait fails", async () => {
    const { ramp, ask, waits } = await begin([usedUp(40, 2), order]);
    const onWait = (): void => {
      throw new Error("the screen is gone");
    };
    await expect(ramp.sellOrder(ORDER, { onWait })).rejects.toThrow("the screen is gone");
    await ask();
    expect(waits).toEqual([50]);
  });
});
