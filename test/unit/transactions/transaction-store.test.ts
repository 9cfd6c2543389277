import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { TransactionListStore } from "../../../lib/transactions/transaction-list-store.ts";
import { TransactionStore } from "../../../lib/transactions/transaction-store.ts";
import { checkRules } from "../../../local/store/rules/check-rules.ts";
import type { StoreOperation } from "../../../local/store/wire.ts";
import { clientOver, storeAnswers, type WireRequest } from "../../support/faulty-store.ts";
import { stageShapes } from "../../support/table-shapes.ts";

describe("DynamoDB accepts a read by an index:", () => {
  const position = "001795554000000000#tx";
  const key = { business_id: { S: "b" }, id: { S: "tx" }, created_key: { S: position } };
  interface Stores {
    readonly store: TransactionStore;
    readonly lists: TransactionListStore;
  }
  /** Holds one transaction, which every query finds, and keeps the requests. */
  const recording = () => {
    const asked: WireRequest[] = [];
    const client = clientOver((request) => {
      asked.push(request);
      if (request.operation === "GetItem")
        return storeAnswers.item({ doc: { S: "{}" }, request_key: { S: "b#r" } });
      const Items = [{ created_key: key.created_key, doc: { S: "{}" } }];
      return { status: 200, body: JSON.stringify({ Items, ConsumedCapacity: { CapacityUnits: 1 } }) };
    });
    const table = { client, name: "countinghouse-test-Transactions" };
    return { store: new TransactionStore(table), lists: new TransactionListStore(table), asked };
  };
  const everyFilter = { accounts: ["a"], types: ["fee"], states: ["failed"], position, count: 5 } as const;

  test.each([
    ["by-request", "a look-up by request id", ({ store }: Stores) => store.getNewestByRequestId("b", "r")],
    [
      "by-request",
      "a list by request id",
      ({ lists }: Stores) => lists.page({ businessId: "b", requestId: "r", ...everyFilter }),
    ],
    ["by-created", "a list", ({ lists }: Stores) => lists.page({ businessId: "b", ...everyFilter })],
  ])("%s, by %s", async (index, _what, read) => {
    const { asked, ...stores } = recording();
    await read(stores);
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
    return new TransactionStore({ client, name: "countinghouse-test-Transactions" }).getNewestByRequestId(
      "b",
      "r",
    );
  };

  test("passes over transactions that have lost the request id since, or got another", async () => {
    expect(await lookUp("lost", "bare", "theirs")).toBe("theirs");
    expect(await lookUp("lost", "bare")).toBeUndefined();
  });

  test("finds none when the index names none", async () => expect(await lookUp()).toBeUndefined());
});

describe("keys that cannot have been stored are not looked up:", () => {
  const refusing = {
    send: () => {
      throw new Error("No call was expected.");
    },
  } as unknown as DynamoDBClient;
  const store = new TransactionStore({ client: refusing, name: "table" });
  const lists = new TransactionListStore({ client: refusing, name: "table" });
  const query = { businessId: "b", count: 1 };

  test.each(["", ".", "..", "%00", "a/b", "é", "a".repeat(129), "a".repeat(2049)])(
    "the id %j",
    async (id) => {
      expect(await store.get("b", id)).toBeUndefined();
      expect(await lists.page({ ...query, accounts: [id] })).toEqual({ docs: [] });
    },
  );

  test.each(["", "a\n", "\0", "a".repeat(129), "😀".repeat(129), "a".repeat(2049), "\ud800"])(
    "the request id %j",
    async (requestId) => {
      expect(await store.getNewestByRequestId("b", requestId)).toBeUndefined();
      expect(await lists.page({ ...query, requestId })).toEqual({ docs: [] });
    },
  );

  test.each(["", "b".repeat(2049)])("a business of %# characters", async (businessId) => {
    expect(await store.get(businessId, "tx")).toBeUndefined();
    expect(await lists.page({ ...query, businessId })).toEqual({ docs: [] });
  });

  test.each([
    ["that ends as it begins", { fromMicros: "000000000000000002", toMicros: "000000000000000002" }],
    ["that ends before it begins", { fromMicros: "000000000000000002", toMicros: "000000000000000001" }],
    ["that a position lies before", { fromMicros: "000000000000000002", position: "000000000000000001#tx" }],
  ])("a window %s", async (_what, window) =>
    expect(await lists.page({ ...query, ...window })).toEqual({ docs: [] }),
  );
});
