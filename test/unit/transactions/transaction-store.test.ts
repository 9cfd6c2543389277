import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { TransactionStore } from "../../../lib/transactions/transaction-store.ts";
import { checkRules } from "../../../local/store/rules/check-rules.ts";
import type { StoreOperation } from "../../../local/store/wire.ts";
import { clientOver, storeAnswers, type WireRequest } from "../../support/faulty-store.ts";
import { stageShapes } from "../../support/table-shapes.ts";

/** A store of which every read costs the same and finds nothing, and which always has more to look at. */
function endlessStore(consumed: object) {
  const inputs: { readonly Limit?: number }[] = [];
  const send = async ({ input }: { input: { readonly Limit?: number } }) => {
    inputs.push(input);
    const created_key = { S: `${String(10 ** 17 - inputs.length)}#tx` };
    return { Items: [], LastEvaluatedKey: { created_key }, ...consumed };
  };
  return { store: new TransactionStore({ send } as unknown as DynamoDBClient, "table"), inputs };
}

describe("a search that finds nothing", () => {
  test.each([
    ["8 MB were read, by what the reads cost", { ConsumedCapacity: { CapacityUnits: 128 } }, 8],
    ["sixteen half megabytes were read", { ConsumedCapacity: { CapacityUnits: 64 } }, 16],
    ["8 MB could have been read, where the cost is not told", {}, 8],
  ])("ends when %s, and continues where it stopped", async (_when, consumed, queries) => {
    const { store, inputs } = endlessStore(consumed);
    const page = await store.page({ businessId: "b", states: ["failed"], count: 10 });
    expect(inputs).toHaveLength(queries);
    expect(page).toEqual({ docs: [], next: `${String(10 ** 17 - queries)}#tx` });
  });

  test("looks at twice as many records each time", async () => {
    const { store, inputs } = endlessStore({ ConsumedCapacity: { CapacityUnits: 300 } });
    await store.page({ businessId: "b", states: ["failed"], count: 10 });
    expect(inputs.map(({ Limit }) => Limit)).toEqual([64, 128, 256, 512]);
  });
});

test("a page without filters looks at one record more than it shows", async () => {
  const { store, inputs } = endlessStore({ ConsumedCapacity: { CapacityUnits: 10_000 } });
  await store.page({ businessId: "b", count: 10 });
  expect(inputs.map(({ Limit }) => Limit)).toEqual([11]);
});

describe("a read by an index is one that DynamoDB takes:", () => {
  const position = "001795554000000000#tx";
  const key = { business_id: { S: "b" }, id: { S: "tx" }, created_key: { S: position } };
  /** Holds one transaction, which every query finds, and keeps what it was asked. */
  const recording = () => {
    const asked: WireRequest[] = [];
    const client = clientOver((request) => {
      asked.push(request);
      if (request.operation === "GetItem")
        return storeAnswers.item({ doc: { S: "{}" }, request_key: { S: "b#r" } });
      const Items = [{ created_key: key.created_key, doc: { S: "{}" } }];
      return { status: 200, body: JSON.stringify({ Items, ConsumedCapacity: { CapacityUnits: 1 } }) };
    });
    return { store: new TransactionStore(client, "countinghouse-test-Transactions"), asked };
  };
  const everyFilter = { accounts: ["a"], types: ["fee"], states: ["failed"], position, count: 5 } as const;

  test.each([
    ["by-request", "a look-up by request id", (store: TransactionStore) => store.newestByRequestId("b", "r")],
    [
      "by-request",
      "a list by request id",
      (store: TransactionStore) => store.page({ businessId: "b", requestId: "r", ...everyFilter }),
    ],
    ["by-created", "a list", (store: TransactionStore) => store.page({ businessId: "b", ...everyFilter })],
  ])("%s, by %s", async (index, _what, read) => {
    const { store, asked } = recording();
    await read(store);
    const reads = asked.filter(({ input }) => input.IndexName !== undefined);
    expect(reads.map(({ input }) => input.IndexName)).toEqual([index]);
    for (const { operation, input } of asked) {
      const request = { operation: operation as StoreOperation, input };
      expect(checkRules({ ...request, tables: stageShapes("test") })).toBeUndefined();
    }
  });
});

describe("a look-up by request id, while its index is behind,", () => {
  const requestKeys: Record<string, string> = { lost: "b#another", theirs: "b#r" };
  const lookUp = (...ids: readonly string[]) => {
    const client = clientOver(({ operation, input }) => {
      if (operation === "GetItem") {
        const id = (input.Key as { id: { S: string } }).id.S;
        const request_key = requestKeys[id];
        return storeAnswers.item({
          doc: { S: id },
          ...(request_key !== undefined && { request_key: { S: request_key } }),
        });
      }
      const Items = ids.map((id) => ({ created_key: { S: `001795554000000000#${id}` } }));
      return { status: 200, body: JSON.stringify({ Items, ConsumedCapacity: { CapacityUnits: 1 } }) };
    });
    return new TransactionStore(client, "countinghouse-test-Transactions").newestByRequestId("b", "r");
  };

  test("passes over what has lost the request id since, or got another", async () => {
    expect(await lookUp("lost", "bare", "theirs")).toBe("theirs");
    expect(await lookUp("lost", "bare")).toBeUndefined();
  });

  test("finds none where the index names none", async () => expect(await lookUp()).toBeUndefined());
});

describe("what cannot have been stored is not asked for:", () => {
  const refusing = {
    send: () => {
      throw new Error("No call was expected.");
    },
  } as unknown as DynamoDBClient;
  const store = new TransactionStore(refusing, "table");
  const query = { businessId: "b", count: 1 };

  test.each(["", ".", "..", "%00", "a/b", "é", "a".repeat(129), "a".repeat(2049)])(
    "the id %j",
    async (id) => {
      expect(await store.get("b", id)).toBeUndefined();
      expect(await store.page({ ...query, accounts: [id] })).toEqual({ docs: [] });
    },
  );

  test.each(["", "a\n", "\0", "a".repeat(129), "😀".repeat(129), "a".repeat(2049), "\ud800"])(
    "the request id %j",
    async (requestId) => {
      expect(await store.newestByRequestId("b", requestId)).toBeUndefined();
      expect(await store.page({ ...query, requestId })).toEqual({ docs: [] });
    },
  );

  test.each(["", "b".repeat(2049)])("a business of %# characters", async (businessId) => {
    expect(await store.get(businessId, "tx")).toBeUndefined();
    expect(await store.page({ ...query, businessId })).toEqual({ docs: [] });
  });

  test.each([
    ["that ends as it begins", { fromMicros: "000000000000000002", toMicros: "000000000000000002" }],
    ["that ends before it begins", { fromMicros: "000000000000000002", toMicros: "000000000000000001" }],
    ["that a position lies before", { fromMicros: "000000000000000002", position: "000000000000000001#tx" }],
  ])("a window %s", async (_what, window) =>
    expect(await store.page({ ...query, ...window })).toEqual({ docs: [] }),
  );
});
