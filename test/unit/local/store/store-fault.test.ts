import { describe, expect, it } from "vitest";
import { faultAnswer, type StoreFault } from "../../../../local/store/store-fault.ts";
import type { StoreRequest } from "../../../../local/store/wire.ts";

const NOW = 1_795_554_000_000;
const ask = (fault: StoreFault, request: StoreRequest) => faultAnswer(fault, request, () => NOW);
const get = (TableName: string): StoreRequest => ({ operation: "GetItem", input: { TableName } });

describe("a store that is unavailable to a caller", () => {
  it("answers DynamoDB's 500 for its tables, also in a batch, and nothing for others", () => {
    const fault: StoreFault = { kind: "unavailable", tables: ["orders"] };
    const batch: StoreRequest = {
      operation: "BatchGetItem",
      input: { RequestItems: { keys: {}, orders: {} } },
    };
    for (const request of [get("orders"), batch])
      expect(ask(fault, request)).toMatchObject({
        status: 500,
        body: { __type: expect.stringMatching(/#InternalServerError$/) },
      });
    expect(ask(fault, get("keys"))).toBeUndefined();
  });

  it("answers so for every table when none is named", () => {
    expect(ask({ kind: "unavailable" }, get("keys"))).toMatchObject({ status: 500 });
    expect(ask({ kind: "unavailable" }, { operation: "ListTables", input: {} })).toMatchObject({
      status: 500,
    });
  });
});

describe("a table whose tokens are gone", () => {
  const fault: StoreFault = {
    kind: "spent",
    table: "limits",
    aheadMs: { t_second: 1_000, t_minute: 60_000 },
  };
  const update = (TableName: string): StoreRequest => ({
    operation: "UpdateItem",
    input: { TableName, Key: { k: { S: "ramp#me" } } },
  });

  it("fails each condition with an item whose instants lie ahead of now", () => {
    expect(ask(fault, update("limits"))).toMatchObject({
      status: 400,
      body: {
        __type: expect.stringMatching(/#ConditionalCheckFailedException$/),
        Item: {
          k: { S: "ramp#me" },
          t_second: { N: String(NOW + 1_000) },
          t_minute: { N: String(NOW + 60_000) },
        },
      },
    });
  });

  it("leaves reads of the table and updates of others to the store", () => {
    expect(ask(fault, get("limits"))).toBeUndefined();
    expect(ask(fault, update("orders"))).toBeUndefined();
  });
});
