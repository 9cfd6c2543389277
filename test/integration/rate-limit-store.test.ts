import {
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { randomOf } from "../../bench/support/random-of.ts";
import type { Charge } from "../../lib/rate-limit/charge.ts";
import { lastUseIn } from "../../lib/rate-limit/last-use.ts";
import { RateLimitStore } from "../../lib/rate-limit/rate-limit-store.ts";
import { type BucketSettings, bucketsSchema } from "../../lib/rate-limit/settings.ts";
import { type Bucket, bucketsOf } from "../../lib/rate-limit/token-bucket.ts";
import { cases } from "../support/cases.ts";
import { DAY_MS, NOW } from "../support/chain.ts";
import { type Engine, startEngine, testedStores } from "../support/engine.ts";
import { LimitTable } from "../support/limit-table.ts";
import { exchangeBuckets, limitOn } from "../support/limits.ts";

const two = bucketsOf(exchangeBuckets, 30);
const one = bucketsOf([{ name: "ramp", burst: 40, refillTokens: 20, refillWindowMs: 1_000 }], 1);

/** Any buckets that the settings accept. */
const bucketSettings = fc
  .uniqueArray(
    fc.record({
      name: fc.stringMatching(/^[a-z][a-z0-9-]{0,19}$/),
      burst: fc.integer({ min: 1, max: 1_000_000 }),
      refill: fc.integer({ min: 1, max: DAY_MS }).chain((tokenMs) =>
        fc
          .integer({ min: 1, max: Math.min(1_000_000, Math.floor(DAY_MS / tokenMs)) })
          .map((refillTokens) => ({
            refillTokens,
            refillWindowMs: refillTokens * tokenMs,
          })),
      ),
    }),
    { minLength: 1, maxLength: 3, selector: ({ name }) => name },
  )
  .map((buckets) => buckets.map(({ name, burst, refill }) => ({ name, burst, ...refill })));

describe.each(testedStores)("on %s", (kind) => {
  let engine: Engine;
  let store: RateLimitStore;
  beforeAll(async () => {
    engine = await startEngine(kind);
    store = new RateLimitStore(engine.table("RateLimits"));
  });
  afterAll(() => engine.close());

  const itemOf = async (client: DynamoDBClient, key: string) =>
    (
      await client.send(
        new GetItemCommand({
          TableName: engine.tableName("RateLimits"),
          Key: { k: { S: key } },
          ConsistentRead: true,
        }),
      )
    ).Item;

  test("the conditional update decides as its model in memory, whatever is guessed of the state", async () => {
    const draw = randomOf(4);
    const model = new LimitTable();
    let now = NOW;
    for (const [key, buckets] of [
      ["exchange#a", two],
      ["ramp#a", one],
    ] as [string, readonly Bucket[]][]) {
      for (let attempt = 0; attempt < cases(50); attempt += 1) {
        now += Math.floor(draw() * draw() * 900);
        // Clocks that are far behind meet instants that they do not believe.
        if (draw() < 0.05) now -= 60_000;
        const busy = new Set(buckets.map(({ name }) => name).filter(() => draw() < 0.6));
        const charge: Charge = { now, cost: 1 + Math.floor(draw() * (buckets === two ? 30 : 1)), busy };
        expect(await store.charge(key, buckets, charge)).toEqual(await model.charge(key, buckets, charge));
      }
    }
    expect(model.items.size).toBe(2);
  });

  test("both sides of every edge of the condition", async () => {
    const [second] = two;
    const buckets = second === undefined ? [] : [second];
    const attempt = (key: string, now: number, cost: number, busy: readonly string[]) =>
      store.charge(key, buckets, { now, cost, busy: new Set(busy) });
    expect(await attempt("edge", NOW, 30, [])).toEqual({ charged: true, fullAgainAt: { second: NOW + 300 } });
    const stands = { charged: false, fullAgainAt: { second: NOW + 300 } };
    // Full again at NOW + 300: a millisecond before, it counts as busy, and then as full.
    expect(await attempt("edge", NOW + 299, 1, [])).toEqual(stands);
    expect(await attempt("edge", NOW + 300, 1, ["second"])).toEqual(stands);
    // Busy, it pays while the burst of 1,000 ms is not exceeded.
    expect(await attempt("edge", NOW - 401, 30, ["second"])).toEqual(stands);
    expect(await attempt("edge", NOW - 400, 30, ["second"])).toEqual({
      charged: true,
      fullAgainAt: { second: NOW + 600 },
    });
    expect(await attempt("edge", NOW + 600, 1, [])).toEqual({
      charged: true,
      fullAgainAt: { second: NOW + 610 },
    });
  });

  test("an instant counts until it lies further ahead than a capacity and five seconds, and is overwritten then", async () => {
    const buckets = two.filter(({ name }) => name === "second");
    const attempt = (now: number, busy: readonly string[]) =>
      store.charge("ahead", buckets, { now, cost: 1, busy: new Set(busy) });
    expect(await attempt(NOW, [])).toEqual({ charged: true, fullAgainAt: { second: NOW + 10 } });
    const stands = { charged: false, fullAgainAt: { second: NOW + 10 } };
    expect(await attempt(NOW - 5_990, [])).toEqual(stands);
    expect(await attempt(NOW - 5_990, ["second"])).toEqual(stands);
    expect(await attempt(NOW - 5_991, ["second"])).toEqual(stands);
    expect(await attempt(NOW - 5_991, [])).toEqual({ charged: true, fullAgainAt: { second: NOW - 5_981 } });
  });

  test("an item expires 400 days after its slowest bucket could be full, whichever form the charge had", async () => {
    for (const busy of [[], ["minute"], ["second", "minute"]]) {
      await store.charge("exchange#b", two, { now: NOW, cost: 1, busy: new Set(busy) });
    }
    const item = await itemOf(engine.client, "exchange#b");
    const days400S = 400 * 86_400;
    expect(item?.x?.N).toBe(String(NOW / 1_000 + 60 + days400S));
    await store.charge("exchange#b", two, { now: NOW + 1, cost: 1, busy: new Set(["second", "minute"]) });
    expect((await itemOf(engine.client, "exchange#b"))?.x?.N).toBe(String(NOW / 1_000 + 61 + days400S));
  });

  test("each credential's last use is the day of its last charge, to the millisecond, and no refusal is a use", async () => {
    const key = "exchange#used";
    const use = (now: number, credentials: readonly string[], busy: readonly string[] = []) =>
      store.charge(key, two, { now, cost: 30, busy: new Set(busy), credentials });
    const lastUses = async () => {
      const item = await itemOf(engine.client, key);
      return ["jws#a", "jws#b", "jws#c"].map((id) => lastUseIn(item, id));
    };
    const midnight = NOW - (NOW % DAY_MS);
    await use(midnight - 1, ["jws#a", "jws#b"]);
    expect(await lastUses()).toEqual([midnight - DAY_MS, midnight - DAY_MS, undefined]);
    await use(midnight, ["jws#b"], ["second", "minute"]);
    expect(await lastUses()).toEqual([midnight - DAY_MS, midnight, undefined]);
    expect((await use(midnight + 1, ["jws#c"])).charged).toBe(false);
    expect(await lastUses()).toEqual([midnight - DAY_MS, midnight, undefined]);
    await store.charge(key, two, { now: midnight + DAY_MS, cost: 1, busy: new Set() });
    expect(await lastUses()).toEqual([midnight - DAY_MS, midnight, undefined]);
  });

  test("whatever instances charge and whenever, last uses are those of the charges, and tokens are as without them", async () => {
    const ids = ["ramp-key#a", "ramp-key#b", "ramp-key#c"];
    const request = fc.record({
      instance: fc.nat(2),
      pauseMs: fc.oneof(fc.nat(2_000), fc.integer({ min: 0, max: 2 * DAY_MS })),
      cost: fc.integer({ min: 1, max: 30 }),
      credentials: fc.subarray(ids),
    });
    let owners = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 12 }), async (requests) => {
        owners += 1;
        const owner = `used-${owners}`;
        const clock = { now: NOW };
        const limits = [0, 1, 2].map(() => limitOn(undefined, clock, { store }));
        const plain = [new LimitTable()].flatMap((table) => [0, 1, 2].map(() => limitOn(table, clock)));
        const expected: Record<string, number> = {};
        for (const { instance, pauseMs, cost, credentials } of requests) {
          clock.now += pauseMs;
          const decision = await limits[instance]?.charge(owner, cost, credentials);
          expect(decision).toEqual(await plain[instance]?.charge(owner, cost));
          if (decision?.waitMs === 0)
            for (const id of credentials) expected[id] = clock.now - (clock.now % DAY_MS);
        }
        const item = await itemOf(engine.client, `exchange#${owner}`);
        expect(ids.map((id) => lastUseIn(item, id))).toEqual(ids.map((id) => expected[id]));
      }),
      { numRuns: cases(5) },
    );
  });

  test("forty credentials of an owner fit into the one unit that a charge costs", async () => {
    const credentials = Array.from({ length: 40 }, (_, at) => `ramp-key#${at}`);
    await store.charge("exchange#many", two, { now: NOW, cost: 1, busy: new Set(), credentials });
    const { ConsumedCapacity } = await engine.client.send(
      new UpdateItemCommand({
        TableName: engine.tableName("RateLimits"),
        Key: { k: { S: "exchange#many" } },
        UpdateExpression: "SET #x = #x",
        ExpressionAttributeNames: { "#x": "x" },
        ReturnConsumedCapacity: "TOTAL",
      }),
    );
    expect(ConsumedCapacity?.CapacityUnits).toBe(1);
  });

  test("an item that vanishes is a full bucket again, also to an instance that remembers it", async () => {
    const limit = limitOn(undefined, { now: NOW }, { store });
    for (let request = 0; request < 2; request += 1) await limit.charge("c", 30);
    await engine.client.send(
      new DeleteItemCommand({ TableName: engine.tableName("RateLimits"), Key: { k: { S: "exchange#c" } } }),
    );
    expect((await limit.charge("c", 30)).waitMs).toBe(0);
  });

  test("whatever the buckets, an item outlives their being full, so its end gives no token back", async () => {
    let owners = 0;
    const chargesOf = (buckets: readonly BucketSettings[]) =>
      fc.record({
        buckets: fc.constant(buckets),
        costs: fc.array(fc.integer({ min: 1, max: Math.min(...buckets.map(({ burst }) => burst)) }), {
          minLength: 1,
          maxLength: 4,
        }),
      });
    const holds = fc.asyncProperty(bucketSettings.chain(chargesOf), async ({ buckets, costs }) => {
      expect(bucketsSchema.safeParse(buckets).success).toBe(true);
      const clock = { now: NOW + 1 };
      const parts = { buckets, costMax: Math.max(...costs) };
      const kept = limitOn(new LimitTable(), clock, parts);
      const owner = `ttl-${owners++}`;
      for (const cost of costs) {
        const { waitMs } = await kept.charge(owner, cost);
        expect((await limitOn(undefined, clock, { ...parts, store }).charge(owner, cost)).waitMs).toBe(
          waitMs,
        );
        clock.now += Math.floor(waitMs / 2);
      }
      const { x, k: _, ...fullAgainAt } = (await itemOf(engine.client, `exchange#${owner}`)) ?? {};
      for (const { N } of Object.values(fullAgainAt))
        expect(Number(N)).toBeLessThanOrEqual(Number(x?.N) * 1_000);
      // The store may remove the item from this instant on; an item that stays then decides the same.
      clock.now = Number(x?.N) * 1_000;
      for (const cost of costs) {
        const forgetful = limitOn(undefined, clock, { ...parts, store });
        expect(await forgetful.charge(`${owner}-anew`, cost)).toEqual(await kept.charge(owner, cost));
      }
    });
    await fc.assert(holds, { numRuns: cases(12) });
  });
});
