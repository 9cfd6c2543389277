import { expect, test } from "vitest";
import { RateLimitStore } from "../../../lib/rate-limit/rate-limit-store.ts";
import { bucketsOf } from "../../../lib/rate-limit/token-bucket.ts";
import { NOW } from "../../support/chain.ts";
import { clientOver, storeAnswers, type WireRequest } from "../../support/faulty-store.ts";

const buckets = bucketsOf([{ name: "second", burst: 10, refillTokens: 10, refillWindowMs: 1_000 }], 1);

test.each([
  ["the state that made it fail", { k: { S: "k" }, t_second: { N: String(NOW + 5) } }, NOW + 5],
  ["full buckets where there was no item", undefined, 0],
])("a charge whose condition fails costs one call and shows %s", async (_what, item, second) => {
  const asked: WireRequest[] = [];
  const client = clientOver((request) => {
    asked.push(request);
    return storeAnswers.conditionFailed(item);
  });
  const store = new RateLimitStore({ client, name: "RateLimits" });
  const charged = await store.charge("k", buckets, { now: NOW, cost: 1, busy: new Set() });
  expect(charged).toEqual({ charged: false, fullAgainAt: { second } });
  expect(asked.map(({ operation }) => operation)).toEqual(["UpdateItem"]);
});

test.each([
  ["an empty object", { status: 200, body: "{}" }],
  ["an empty body", { status: 200, body: "" }],
  ["no content", { status: 204, body: "" }],
])("an answer of %s does not prove a charge, and counts as a store that is down", async (_, wire) => {
  const store = new RateLimitStore({ client: clientOver(() => wire), name: "RateLimits" });
  const error = await store
    .charge("k", buckets, { now: NOW, cost: 1, busy: new Set() })
    .catch((caught: unknown) => caught);
  expect(store.failureOf(error)).toBe("down");
});
