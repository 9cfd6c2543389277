import { GetItemCommand, ListTablesCommand, PutItemCommand, QueryCommand } from "@aws-sdk/client-dynamodb";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLocalClient } from "../../../../local/store/engine.ts";
import { type MemoryStore, openMemoryStore } from "../../../../local/store/memory-store.ts";
import { createTables } from "../../../../local/store/tables.ts";

const DEFINITION = {
  name: "things",
  keySchema: [{ AttributeName: "id", KeyType: "HASH" as const }],
  attributes: [
    { AttributeName: "id", AttributeType: "S" as const },
    { AttributeName: "kind", AttributeType: "S" as const },
  ],
  indexes: [
    {
      IndexName: "by-kind",
      KeySchema: [{ AttributeName: "kind", KeyType: "HASH" as const }],
      Projection: { ProjectionType: "ALL" as const },
    },
  ],
};

const errors: unknown[] = [];
const open = (): Promise<MemoryStore> =>
  openMemoryStore({ clock: () => 0, report: (error) => errors.push(error) });
const put = ({ client }: Pick<MemoryStore, "client">, id: string, text = "first") =>
  client.send(
    new PutItemCommand({ TableName: "things", Item: { id: { S: id }, kind: { S: "k" }, text: { S: text } } }),
  );
const get = async ({ client }: Pick<MemoryStore, "client">, id: string): Promise<string | undefined> => {
  const command = new GetItemCommand({ TableName: "things", Key: { id: { S: id } } });
  return (await client.send(command)).Item?.text?.S;
};
const idsByIndex = async ({ client }: MemoryStore): Promise<readonly (string | undefined)[]> => {
  const command = new QueryCommand({
    TableName: "things",
    IndexName: "by-kind",
    KeyConditionExpression: "kind = :kind",
    ExpressionAttributeValues: { ":kind": { S: "k" } },
  });
  return ((await client.send(command)).Items ?? []).map(({ id }) => id?.S ?? "").toSorted();
};

/** The items of a store, as they are kept. */
const itemEntries = async ({ content }: MemoryStore): Promise<readonly string[]> =>
  (await content.read()).map(String).filter((entry) => entry.startsWith("item-"));

describe("a store in memory", () => {
  let store: MemoryStore;
  beforeEach(async () => {
    store = await open();
    await createTables(store.client, [DEFINITION]);
  });
  afterEach(async () => {
    await store.close();
    expect(errors.splice(0)).toEqual([]);
  });

  test("is another one for each opening", async () => {
    const other = await open();
    await put(store, "a");
    const { TableNames } = await other.client.send(new ListTablesCommand({}));
    expect(TableNames).toEqual([]);
    await other.close();
  });

  test("has all that it had when its content is put back, indexes too, and nothing else", async () => {
    await put(store, "a");
    await put(store, "b");
    const content = await store.content.read();
    await put(store, "a", "second");
    await put(store, "c");
    await store.content.replace(content);
    expect([await get(store, "a"), await get(store, "b"), await get(store, "c")]).toEqual([
      "first",
      "first",
      undefined,
    ]);
    expect(await idsByIndex(store)).toEqual(["a", "b"]);
  });

  test("gives its content to another store, and neither then sees what the other writes", async () => {
    await put(store, "a");
    const other = await open();
    await other.content.replace(await store.content.read());
    await put(other, "b");
    await put(store, "c");
    expect([await idsByIndex(store), await idsByIndex(other)]).toEqual([
      ["a", "c"],
      ["a", "b"],
    ]);
    await other.close();
  });

  test("has the same content when it is filled with items as when they are put, and refuses those that an index shows", async () => {
    const plain = {
      ...DEFINITION,
      name: "plain",
      attributes: DEFINITION.attributes.slice(0, 1),
      indexes: [],
    };
    const items = ["a", "b"].map((id) => ({ id: { S: id }, bytes: { B: "AP8=" } }));
    const other = await open();
    for (const { client } of [store, other]) await createTables(client, [plain]);
    for (const { id } of items) {
      const Item = { id, bytes: { B: Uint8Array.of(0, 255) } };
      await store.client.send(new PutItemCommand({ TableName: "plain", Item }));
    }
    await other.content.fill("plain", items);
    expect(await itemEntries(other)).toEqual(await itemEntries(store));
    expect((await itemEntries(other)).length).toBe(2);
    await expect(store.content.fill("things", items)).rejects.toThrow("things has indexes");
    await other.close();
  });

  test("refuses what the store of npm start refuses, by its client and over its port", async () => {
    const remote = createLocalClient(store);
    const wrong = new PutItemCommand({ TableName: "things", Item: { id: { N: "1" } } });
    for (const client of [store.client, remote]) {
      await expect(client.send(wrong)).rejects.toThrow("Type mismatch for key id expected: S actual: N");
      await put({ client }, "a");
      expect(await get({ client }, "a")).toBe("first");
    }
    const stranger = createLocalClient({ ...store, accessKeyId: "ASIAUNKNOWN" });
    await expect(get({ client: stranger }, "a")).rejects.toThrow("security token");
    remote.destroy();
    stranger.destroy();
  });
});
