import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import {
  CreateTableCommand,
  type CreateTableInput,
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { ClassicLevel } from "classic-level";
import { afterAll, afterEach, beforeAll, describe, expect, it, test, vi } from "vitest";
import { openEmbeddedEngine, type StoreEngine } from "../../local/store/embedded-engine.ts";
import { LOCAL_REGION } from "../../local/store/local-account.ts";
import { asRequest, failRequestUnderWay } from "../../local/store/request-under-way.ts";
import type { StoreInput, StoreOperation } from "../../local/store/wire.ts";
import { scratchDirectory } from "../support/scratch.ts";

const TableName = "countinghouse-local-Test";
const definition = {
  TableName,
  KeySchema: [
    { AttributeName: "id", KeyType: "HASH" },
    { AttributeName: "at", KeyType: "RANGE" },
  ],
  AttributeDefinitions: ["id", "at", "place"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
  GlobalSecondaryIndexes: [
    {
      IndexName: "by-place",
      KeySchema: [{ AttributeName: "place", KeyType: "HASH" }],
      Projection: { ProjectionType: "ALL" },
    },
  ],
  BillingMode: "PAY_PER_REQUEST",
} as const;

describe("the embedded engine's iterators", () => {
  /** Every iterator that the engine has opened. */
  const opened: { next(): Promise<unknown> }[] = [];
  let engine: StoreEngine;
  const ask = async (operation: StoreOperation, input: StoreInput) => {
    const { status, body } = await engine.handle({ operation, input });
    expect({ status, body }).toMatchObject({ status: 200 });
    return body;
  };

  const described = async (): Promise<string> => JSON.stringify(await ask("DescribeTable", { TableName }));

  beforeAll(async () => {
    for (const method of ["keys", "values"] as const) {
      const open = ClassicLevel.prototype[method] as unknown as (range: object) => never;
      vi.spyOn(ClassicLevel.prototype, method).mockImplementation(function (this: never, range: object) {
        const iterator = open.call(this, range);
        opened.push(iterator);
        return iterator;
      } as never);
    }
    engine = openEmbeddedEngine(scratchDirectory());
    await ask("CreateTable", { ...definition });
    while (/"(?:CREATING|BACKFILLING)"|"Backfilling":true/.test(await described()));
    for (let at = 0; at < 30; at++)
      await ask("PutItem", {
        TableName,
        Item: { id: { S: "one" }, at: { S: String(at).padStart(3, "0") }, place: { S: "x" } },
      });
  });
  afterEach(() => opened.splice(0));
  afterAll(async () => {
    await engine.close();
    vi.restoreAllMocks();
  });

  /** How many iterators can still be read from. */
  const stillOpen = async (): Promise<number> => {
    const reads = await Promise.allSettled(opened.map(async (iterator) => iterator.next()));
    return reads.filter(({ status }) => status === "fulfilled").length;
  };
  const values = { ":id": { S: "one" } };
  const query = { TableName, KeyConditionExpression: "id = :id", ExpressionAttributeValues: values };

  it.each<[string, StoreOperation, StoreInput]>([
    ["queries to their end", "Query", query],
    ["queries that stop at a limit", "Query", { ...query, Limit: 3 }],
    ["queries that run backwards", "Query", { ...query, ScanIndexForward: false, Limit: 1 }],
    [
      "queries of an index",
      "Query",
      {
        TableName,
        IndexName: "by-place",
        KeyConditionExpression: "place = :x",
        ExpressionAttributeValues: { ":x": { S: "x" } },
        Limit: 2,
      },
    ],
    ["scans", "Scan", { TableName, Limit: 5 }],
    ["lists of tables", "ListTables", { Limit: 1 }],
  ])("are closed after 100 %s", async (_, operation, input) => {
    for (let asked = 0; asked < 100; asked++) await ask(operation, input);
    expect(opened.length).toBeGreaterThanOrEqual(100);
    expect(await stillOpen()).toBe(0);
  });
});

test("the engine leaves the input of a request as it is", async () => {
  const engine = openEmbeddedEngine();
  await engine.handle({ operation: "CreateTable", input: definition });
  const Item = { id: { S: "i", N: null }, at: { S: "a" }, list: { L: [{ S: "x", another: "" }] } };
  const input = { TableName, Item };
  const before = structuredClone(input);
  await engine.handle({ operation: "PutItem", input });
  expect(input).toEqual(before);
  await engine.close();
});

describe("an error that a request makes the engine throw", () => {
  let engine: ChildProcess;
  let client: DynamoDBClient;
  beforeAll(async () => {
    // No store in front: its rules would refuse the requests that make the engine throw.
    engine = spawn(process.execPath, ["test/support/bare-engine.ts"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(engine.stdout as Readable, "data")) as [Buffer];
    const endpoint = line.toString().trim();
    const credentials = { accessKeyId: "local", secretAccessKey: "local" };
    client = new DynamoDBClient({ endpoint, region: LOCAL_REGION, credentials, maxAttempts: 1 });
    await client.send(new CreateTableCommand(structuredClone(definition) as unknown as CreateTableInput));
    await put("one", "1");
  });
  afterAll(async () => {
    client.destroy();
    engine.kill("SIGKILL");
  });

  const put = (id: string, at: string) =>
    client.send(new PutItemCommand({ TableName, Item: { id: { S: id }, at: { S: at }, a: { S: "text" } } }));
  const key = { id: { S: "one" }, at: { S: "1" } };
  /** Comparisons with an attribute that the item lacks, which DynamoDB evaluates to false. */
  const comparisons = ["begins_with(x, y)", "a IN (x)", "a BETWEEN a AND x"];
  const internalError = { name: "InternalServerError", $metadata: { httpStatusCode: 500 } };

  const requests: readonly [string, (comparison: string) => Promise<unknown>][] = [
    [
      "a filter of a query",
      (FilterExpression) =>
        client.send(
          new QueryCommand({
            TableName,
            KeyConditionExpression: "id = :id",
            ExpressionAttributeValues: { ":id": { S: "one" } },
            FilterExpression,
          }),
        ),
    ],
    [
      "a filter of a scan",
      (FilterExpression) => client.send(new ScanCommand({ TableName, FilterExpression })),
    ],
    [
      "a condition of a put",
      (ConditionExpression) =>
        client.send(
          new PutItemCommand({ TableName, Item: { ...key, a: { S: "new" } }, ConditionExpression }),
        ),
    ],
    [
      "a condition of an update",
      (ConditionExpression) =>
        client.send(
          new UpdateItemCommand({
            TableName,
            Key: key,
            UpdateExpression: "SET a = :a",
            ExpressionAttributeValues: { ":a": { S: "new" } },
            ConditionExpression,
          }),
        ),
    ],
    [
      "a condition of a delete",
      (ConditionExpression) =>
        client.send(new DeleteItemCommand({ TableName, Key: key, ConditionExpression })),
    ],
  ];
  const throwing = requests.flatMap(([name, request]) =>
    comparisons.map((comparison) => [name, comparison, () => request(comparison)] as const),
  );

  it.each(throwing)("by %s (%s) is a 500, and the store goes on", async (_, __, request) => {
    await expect(request()).rejects.toMatchObject(internalError);
    const { Item } = await client.send(new GetItemCommand({ TableName, Key: key }));
    expect(Item).toMatchObject({ a: { S: "text" } });
  });

  it("leaves nothing locked: later writes of the same item succeed, and so do waiting ones", async () => {
    const writes = throwing.filter(([name]) => name.startsWith("a condition"));
    const outcomes = await Promise.allSettled(
      writes.flatMap(([, , write]) => [write(), put("one", "1"), write()]),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(
      writes.flatMap(() => ["rejected", "fulfilled", "rejected"]),
    );
    await put("one", "1");
  });

  it("fails only its own request, when many are under way", async () => {
    const outcomes = await Promise.allSettled(
      throwing.flatMap(([, , request], at) => [request(), put("two", String(at)), put("two", "same")]),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(
      throwing.flatMap(() => ["rejected", "fulfilled", "fulfilled"]),
    );
  });
});

test("an uncaught error fails the request in whose callback it was thrown, and outside a request none", async () => {
  expect(failRequestUnderWay(new Error("nobody's"))).toBe(false);
  const failing = asRequest(async () => {
    setImmediate(() => failRequestUnderWay(new Error("its own")));
    return new Promise(() => {});
  });
  await expect(failing).rejects.toThrow("its own");
});
