import { describe, expect, test } from "vitest";
import { Spending, type SpendingState } from "../../../../page/src/market/spending.ts";
import { ModelExchange } from "../../../support/model-exchange.ts";

const NOW = 1_795_554_000_000;
const DAY_MS = 86_400_000;
const COST = 30;

/** The model behind the page's way to spend, with its waits and the states that were shown. */
function begin(answer?: (real: Response, count: number) => Response) {
  const model = new ModelExchange({ trades: [], faults: [] }, NOW);
  const { platform } = model;
  const waits: number[] = [];
  const shown: SpendingState[] = [];
  let count = 0;
  const spending = new Spending({
    ask: async (signal) => {
      const query = `limit=1&start_date=${NOW - COST * DAY_MS}&end_date=${NOW}`;
      const real = await platform.fetch(`https://api.test/1.0/trades/all/A-B?${query}`, { signal });
      count += 1;
      return answer === undefined ? withRetryAfter(real) : answer(real, count);
    },
    cost: COST,
    retryAfterUnit: "milliseconds",
    platform: {
      now: platform.now,
      sleep: async (ms, signal) => {
        waits.push(ms);
        await platform.sleep(ms, signal);
      },
    },
  });
  spending.state.listen(() => shown.push(spending.state.value));
  return { spending, shown, waits, model };
}

/** What an answer says of the tokens that are left, and of the wait. */
const limits = (second: number, minute: number, toldMs = 1) => ({
  "RateLimit-Policy": '"second";q=100;w=1, "minute";q=1000;w=60',
  RateLimit: `"second";r=${second};t=1, "minute";r=${minute};t=9`,
  "Retry-After": `${toldMs}`,
});

/** The model says the wait in its body alone. */
function withRetryAfter(response: Response, toldMs = 300): Response {
  if (response.status === 429) response.headers.set("Retry-After", String(toldMs));
  return response;
}

describe("using a budget up", () => {
  test("asks until a request is refused, waits as long as it is told in milliseconds, and is answered again", async () => {
    const { spending, shown, waits, model } = begin();
    await spending.useUp("second");
    expect(spending.state.value).toEqual({
      phase: "recovered",
      budget: "second",
      answered: model.requests - 1,
      refused: 1,
      toldMs: 300,
      problem: undefined,
    });
    expect(waits).toEqual([300]);
    const phases = shown.map(({ phase }) => phase).filter((phase, at, all) => phase !== all[at - 1]);
    expect(phases).toEqual(["spending", "refused", "spending", "recovered"]);
  });

  test("goes on through the refusals of another budget", async () => {
    const { spending, model } = begin((real) => withRetryAfter(real, 2_000));
    await spending.useUp("minute");
    const { phase, answered, refused } = spending.state.value;
    expect(phase).toBe("recovered");
    expect(refused).toBeGreaterThan(3);
    expect(answered * COST).toBeGreaterThan(1_000);
    expect(model.requests).toBe(answered + refused);
  });

  test("waits again when others have taken the tokens meanwhile", async () => {
    const { spending, waits } = begin((real) => withRetryAfter(real, 1));
    await spending.useUp("second");
    expect(spending.state.value.phase).toBe("recovered");
    expect(waits.length).toBeGreaterThan(2);
  });

  test("takes the first answer after the budget was used up, though another one refuses meanwhile", async () => {
    const script = [
      { status: 429, headers: limits(0, 30) },
      { status: 200, headers: limits(100, 30) },
      { status: 429, headers: limits(100, 29) },
      { status: 429, headers: limits(29, 30) },
      { status: 200, headers: limits(70, 0) },
    ];
    const { spending } = begin((_, count) => new Response("{}", script[count - 1] ?? { status: 500 }));
    await spending.useUp("minute");
    expect(spending.state.value).toMatchObject({ phase: "recovered", answered: 2, refused: 3 });
  });

  test("takes the refusal of a slower budget, which leaves no way to use the faster one up", async () => {
    const headers = limits(100, 0, 1_800);
    const { spending, waits } = begin(
      (_, count) => new Response("{}", { status: count === 1 ? 429 : 200, headers }),
    );
    await spending.useUp("second");
    expect(spending.state.value).toMatchObject({ phase: "recovered", answered: 1, refused: 1 });
    expect(waits).toEqual([1_800]);
  });

  test("ends when it is stopped, during a wait too", async () => {
    const { spending, shown, model } = begin((real, count) => {
      if (count === 2) spending.stop();
      return withRetryAfter(real);
    });
    await spending.useUp("second");
    expect([spending.state.value.phase, model.requests]).toEqual(["stopped", 2]);
    expect(shown.some(({ phase }) => phase === "refused")).toBe(false);
    const waiting = begin();
    waiting.spending.state.listen(() => {
      if (waiting.spending.state.value.phase === "refused") waiting.spending.stop();
    });
    await waiting.spending.useUp("second");
    expect([waiting.spending.state.value.phase, waiting.spending.state.value.refused]).toEqual([
      "stopped",
      1,
    ]);
  });

  test("of another budget begins anew, and the one before shows nothing any more", async () => {
    const { spending, shown, model } = begin();
    const first = spending.useUp("minute");
    const second = spending.useUp("second");
    await Promise.all([first, second]);
    expect(spending.state.value).toMatchObject({ phase: "recovered", budget: "second" });
    expect(shown.map(({ phase }) => phase)).not.toContain("stopped");
    // The first one's request is not the second one's.
    const { answered, refused } = spending.state.value;
    expect(answered + refused).toBe(model.requests - 1);
  });

  test.each([
    [500, {}, "A request was answered with 500."],
    [429, {}, "A 429 does not say how long to wait."],
    [429, { "Retry-After": "soon" }, "A 429 does not say how long to wait."],
  ])("fails on a %d with %j, and says why", async (status, headers, problem) => {
    const { spending } = begin(() => new Response("{}", { status, headers }));
    await spending.useUp("second");
    expect(spending.state.value).toMatchObject({ phase: "failed", problem });
  });
});
