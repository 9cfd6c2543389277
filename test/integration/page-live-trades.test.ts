import { afterAll, describe, expect, test } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { tablesOf } from "../../lib/dynamo/table.ts";
import { ControlRefusal } from "../../local/control/control-route.ts";
import { liveTrades } from "../../local/page/page-routes.ts";
import { LOCAL_STAGE } from "../../local/template/local-stage.ts";
import { startEngine } from "../support/engine.ts";

describe("the question for live trades", async () => {
  const engine = await startEngine("dynalite");
  const live = liveTrades(tablesOf(engine.client, LOCAL_STAGE)("Trades"), systemClock);
  const route = live.question;
  afterAll(async () => {
    await route.answer({ stop: true });
    await engine.close();
  });

  test.each([
    { market: "NO-SUCH", perSecond: 1 },
    { market: "BTC-USD", perSecond: 0 },
    { market: "BTC-USD", perSecond: 101 },
    { market: "BTC-USD", perSecond: 1.5 },
    { market: "BTC-USD" },
    { stop: false },
    {},
  ])("refuses %j", async (input) => {
    await expect(route.answer(input)).rejects.toThrow(ControlRefusal);
  });

  test.each([1, 100])(
    "lets a market go on with %d trades a second, and then another in its place",
    async (perSecond) => {
      expect(await route.answer({ market: "BTC-USD", perSecond })).toEqual({ market: "BTC-USD" });
      expect(await route.answer({ market: "SOL-EUR", perSecond })).toEqual({ market: "SOL-EUR" });
      expect(live.market()).toBe("SOL-EUR");
    },
  );

  test("stops, and may be told to stop again", async () => {
    expect(await route.answer({ stop: true })).toEqual({ market: null });
    expect(live.market()).toBeNull();
    expect(await route.answer({ stop: true })).toEqual({ market: null });
  });
});
