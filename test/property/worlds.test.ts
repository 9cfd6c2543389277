import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startCountinghouse } from "../../publish/embed/index.ts";
import type { Countinghouse, World } from "../../publish/embed/types.ts";
import { cases } from "../support/cases.ts";
import { moneyOf, sellOrderText } from "../support/documents.ts";
import { askOrder, askPass, askTrades, askTransaction } from "../support/embedded.ts";

/** Something that a test may do in its world. */
type Deed = (world: World) => Promise<unknown>;

/** A step that a record cannot take is refused, which is fine here. */
const tolerant =
  (deed: Deed): Deed =>
  (world) =>
    deed(world).catch(() => {});

const deeds: fc.Arbitrary<Deed> = fc.oneof(
  fc
    .constantFrom("AWAITING_DEPOSIT", "PROCESSING", "COMPLETED", "EXPIRED")
    .map((state) => tolerant((world) => world.advance(world.credentials.ramp.orders[state] ?? ""))),
  fc
    .constantFrom("created", "pending", "completed")
    .map((state) => tolerant((world) => world.advance(world.credentials.business.states[state] ?? ""))),
  fc
    .constantFrom(undefined, "void")
    .map((to) => tolerant((world) => world.advance(world.credentials.passes.partnerReference, to))),
  fc.tuple(fc.uuid({ version: 4 }), fc.integer({ min: 100, max: 99_999 })).map(
    ([id, cents]): Deed =>
      (world) =>
        world.importRecords("sell-orders", { records: sellOrderText({ id, fiat: moneyOf(cents / 100) }) }),
  ),
  fc.integer({ min: 0, max: 40 * 86_400_000 }).map(
    (ms): Deed =>
      (world) =>
        world.passTime(ms),
  ),
  fc
    .tuple(
      fc.constantFrom("all", "get-pass", "get-transaction", "list-trades", "get-sell-order"),
      fc.constantFrom("429", "500", "503", "gateway-503", "cut", "reset"),
    )
    .map(
      ([endpoint, kind]): Deed =>
        (world) =>
          world.fault(endpoint, kind),
    ),
  fc.constant<Deed>((world) =>
    Promise.allSettled([askOrder(world), askPass(world), askTrades(world), askTransaction(world)]),
  ),
  fc.constant<Deed>((world) => world.reset()),
);

/** What a world answers, without what differs from answer to answer. */
async function answersOf(world: World): Promise<readonly unknown[]> {
  const { symbol: _symbol, ...exchange } = world.credentials.exchange;
  const pending = world.credentials.ramp.orders.AWAITING_DEPOSIT;
  const trades = await askTrades(world, 20);
  const answers = await Promise.all([
    askTransaction(world),
    askOrder(world),
    askOrder(world, undefined, pending),
    askPass(world),
  ]);
  return [
    exchange.apiKey,
    trades.status,
    (JSON.parse(trades.body) as { data?: unknown }).data,
    ...answers.map(({ status, body }) => [status, body]),
  ];
}

describe("whatever is done in one world", () => {
  let house: Countinghouse;
  let bystander: World;
  beforeAll(async () => {
    house = await startCountinghouse({ now: Date.UTC(2026, 10, 28, 9, 30) });
    bystander = await house.world("bystander");
  });
  afterAll(() => house.close());

  test("another answers as before, and so does the same one after a reset", async () => {
    const before = await answersOf(bystander);
    const acting = await house.world("acting");
    const atFirst = await answersOf(acting);
    await fc.assert(
      fc.asyncProperty(fc.array(deeds, { minLength: 1, maxLength: 6 }), async (done) => {
        for (const deed of done) await deed(acting);
        expect(await answersOf(bystander)).toEqual(before);
        await acting.reset();
        expect(await answersOf(acting)).toEqual(atFirst);
      }),
      { numRuns: cases(2) },
    );
  });
});
