import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { TransactionListStore } from "../../../lib/transactions/transaction-list-store.ts";

/** A store in which every read costs the same and finds nothing, and which always has more to search. */
function endlessStore(consumed: object) {
  const inputs: { readonly Limit?: number }[] = [];
  const send = async ({ input }: { input: { readonly Limit?: number } }) => {
    inputs.push(input);
    const created_key = { S: `${String(10 ** 17 - inputs.length)}#tx` };
    return { Items: [], LastEvaluatedKey: { created_key }, ...consumed };
  };
  return {
    store: new TransactionListStore({ client: { send } as unknown as DynamoDBClient, name: "table" }),
    inputs,
  };
}

describe("a search that finds nothing", () => {
  test.each([
    ["8 MB were read, by what the reads cost", { ConsumedCapacity: { CapacityUnits: 128 } }, 8],
    ["sixteen half megabytes were read", { ConsumedCapacity: { CapacityUnits: 64 } }, 16],
    ["8 MB could have been read, when the cost is not reported", {}, 8],
  ])("ends when %s, and continues where it stopped", async (_when, consumed, queries) => {
    const { store, inputs } = endlessStore(consumed);
    const page = await store.page({ businessId: "b", states: ["failed"], count: 10 });
    expect(inputs).toHaveLength(queries);
    expect(page).toEqual({ docs: [], next: `${String(10 ** 17 - queries)}#tx` });
  });

  test("examines twice as many records each time", async () => {
    const { store, inputs } = endlessStore({ ConsumedCapacity: { CapacityUnits: 300 } });
    await store.page({ businessId: "b", states: ["failed"], count: 10 });
    expect(inputs.map(({ Limit }) => Limit)).toEqual([64, 128, 256, 512]);
  });
});

test("a page without filters reads one record more than it shows", async () => {
  const { store, inputs } = endlessStore({ ConsumedCapacity: { CapacityUnits: 10_000 } });
  await store.page({ businessId: "b", count: 10 });
  expect(inputs.map(({ Limit }) => Limit)).toEqual([11]);
});
