import { describe, expect, it } from "vitest";
import { TimeToLive } from "../../../../local/store/time-to-live.ts";
import type { StoreInput } from "../../../../local/store/wire.ts";
import { plainShape, shapesOf } from "../../../support/store-handler.ts";

function layer() {
  const timeToLive = new TimeToLive(shapesOf(plainShape("t", "k")));
  const store = timeToLive.inFrontOf(async () => ({ status: 200, body: { passed: true } }));
  const set = async (AttributeName: unknown, Enabled: unknown, TableName = "t") =>
    (
      await store({
        operation: "UpdateTimeToLive",
        input: { TableName, TimeToLiveSpecification: { AttributeName, Enabled } },
      })
    ).body;
  const described = async (input: StoreInput = { TableName: "t" }) =>
    (await store({ operation: "DescribeTimeToLive", input })).body.TimeToLiveDescription;
  return { timeToLive, store, set, described };
}

describe("the expiry of a table's items", () => {
  it("is off at first, may be set once, and is described", async () => {
    const { timeToLive, set, described } = layer();
    expect(await described()).toEqual({ TimeToLiveStatus: "DISABLED" });
    expect(await set("x", true)).toEqual({ TimeToLiveSpecification: { AttributeName: "x", Enabled: true } });
    expect(await described()).toEqual({ TimeToLiveStatus: "ENABLED", AttributeName: "x" });
    expect(timeToLive.attributeOf("t")).toBe("x");
    expect((await set("x", true)).message).toBe("TimeToLive is already enabled");
    expect((await set("y", false)).message).toContain("current AttributeName is x");
    await set("x", false);
    expect((await set("x", false)).message).toBe("TimeToLive is already disabled");
    expect(timeToLive.attributeOf("t")).toBeUndefined();
  });

  it.each([
    [undefined, true],
    ["", true],
    ["x", undefined],
    ["x", "true"],
    [1, true],
  ])("is not set by an attribute %j and a switch %j", async (name, isEnabled) => {
    const { timeToLive, set } = layer();
    expect((await set(name, isEnabled)).message).toContain("Member must have attributeName and enabled");
    expect(timeToLive.attributeOf("t")).toBeUndefined();
  });

  it("ends with its table, and is refused for a missing table", async () => {
    const { timeToLive, store, set, described } = layer();
    await set("x", true);
    await store({ operation: "DeleteTable", input: { TableName: "t" } });
    expect(timeToLive.attributeOf("t")).toBeUndefined();
    expect((await set("x", true, "u")).message).toContain("Table: u not found");
    expect(await described({ TableName: "u" })).toBeUndefined();
  });

  it("does not affect any other request", async () => {
    expect(await layer().store({ operation: "GetItem", input: { TableName: "t" } })).toMatchObject({
      body: { passed: true },
    });
  });
});
