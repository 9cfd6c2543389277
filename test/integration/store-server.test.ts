import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text as readText } from "node:stream/consumers";
import { GetItemCommand, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, describe, expect, it } from "vitest";
import { createLocalClient, openStore } from "../../local/store/engine.ts";
import { createTables } from "../../local/store/tables.ts";
import { stageTables } from "../../ops/store/local-tables.ts";
import { scratchDirectory } from "../support/scratch.ts";

const store = await openStore(scratchDirectory());
await createTables(createLocalClient(store), stageTables());
afterAll(() => store.close());

/** Sends a plain HTTP request to the store, as any program of the machine can. */
async function ask(headers: Readonly<Record<string, string>> = {}, method = "POST", body = "{}") {
  const credential = `${store.accessKeyId}/20261128/eu-west-1/dynamodb/aws4_request`;
  const sent = request(store.endpoint, {
    method,
    headers: {
      authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=0`,
      "x-amz-target": "DynamoDB_20120810.ListTables",
      ...headers,
    },
  });
  sent.end(method === "POST" ? body : undefined);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { status: response.statusCode ?? 0, text: await readText(response), headers: response.headers };
}

describe("the store of a start", () => {
  it("answers the access key of this start", async () => {
    const { status, text } = await ask();
    expect([status, JSON.parse(text).TableNames]).toEqual([
      200,
      stageTables()
        .map(({ name }) => name)
        .sort(),
    ]);
  });

  it.each<[string, Record<string, string>]>([
    ["no key", { authorization: "" }],
    [
      "the key that every emulator takes",
      { authorization: "AWS4-HMAC-SHA256 Credential=local/1/r/dynamodb/aws4_request" },
    ],
    ["another form of the right key", { authorization: "Bearer KEY" }],
    ["a page's origin", { origin: "https://evil.example" }],
    ["a sandboxed page's origin", { origin: "null" }],
    ["an origin on this machine", { origin: "http://127.0.0.1:3000" }],
    ["a foreign name that points here", { host: "rebound.evil.example" }],
    ["a name that only begins like ours", { host: "localhost.evil.example:80" }],
    ["an address that is not ours", { host: "10.0.0.1" }],
  ])("refuses %s with 403, and nothing of a table", async (_, headers) => {
    const given = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace("KEY", store.accessKeyId)]),
    );
    const { status, text, headers: sent } = await ask(given);
    expect(status).toBe(403);
    expect(text).not.toContain("countinghouse-");
    expect(Object.keys(sent)).not.toContain("access-control-allow-origin");
  });

  it("allows no web page in its answer to a preflight request", async () => {
    const { status, headers } = await ask(
      { origin: "https://evil.example", "access-control-request-method": "POST" },
      "OPTIONS",
    );
    expect(status).toBe(403);
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it.each(["127.0.0.1:9", "localhost", "[::1]:8000"])("takes %s as a name of this machine", async (host) => {
    expect((await ask({ host })).status).toBe(200);
  });

  it("has another key at each start, and refuses the key of another start", async () => {
    const other = await openStore(scratchDirectory());
    expect(other.accessKeyId).not.toBe(store.accessKeyId);
    expect(other.accessKeyId).toMatch(/^ASIA[0-9A-F]{40}$/);
    const client = createLocalClient({ endpoint: store.endpoint, accessKeyId: other.accessKeyId });
    await expect(client.send(new ListTablesCommand({}))).rejects.toMatchObject({
      name: "UnrecognizedClientException",
      $metadata: { httpStatusCode: 403 },
    });
    await other.close();
  });

  it("lets an admitted caller do what its statements allow, and nothing else", async () => {
    const [table] = stageTables();
    const TableName = table?.name ?? "";
    const resource = `arn:aws:dynamodb:eu-west-1:000000000000:table/${TableName}`;
    const statements = [{ effect: "Allow", actions: ["dynamodb:GetItem"], resources: [resource] }] as const;
    await store.admit({ accessKeyId: "ASIAFUNCTION", arn: "arn:aws:sts::0:assumed-role/R/f", statements });
    const client = createLocalClient({ endpoint: store.endpoint, accessKeyId: "ASIAFUNCTION" });
    const Key = { business_id: { S: "b" }, id: { S: "t" } };
    expect((await client.send(new GetItemCommand({ TableName, Key }))).Item).toBeUndefined();
    await expect(client.send(new ListTablesCommand({}))).rejects.toThrow(
      "User: arn:aws:sts::0:assumed-role/R/f is not authorized to perform: dynamodb:ListTables",
    );
  });

  it.each<[string, Record<string, string>, string, number, string]>([
    [
      "another operation",
      { "x-amz-target": "DynamoDB_20120810.ExportTable" },
      "{}",
      400,
      "UnknownOperationException",
    ],
    [
      "another version",
      { "x-amz-target": "DynamoDB_20111205.ListTables" },
      "{}",
      400,
      "UnknownOperationException",
    ],
    ["a body that is not JSON", {}, "{", 400, "SerializationException"],
    ["a JSON list", {}, "[]", 400, "SerializationException"],
  ])("refuses %s by DynamoDB's name for it", async (_, headers, body, status, name) => {
    const refused = await ask(headers, "POST", body);
    expect([refused.status, refused.text]).toEqual([status, expect.stringContaining(`#${name}"`)]);
  });

  it("treats a null member as absent", async () => {
    const scan = JSON.stringify({
      TableName: "countinghouse-local-Passes",
      ExclusiveStartKey: null,
      IndexName: null,
    });
    const { status, text } = await ask({ "x-amz-target": "DynamoDB_20120810.Scan" }, "POST", scan);
    expect([status, JSON.parse(text).Count]).toEqual([200, 0]);
  });

  it("refuses an unknown caller before the body has arrived", async () => {
    const sent = request(store.endpoint, { method: "POST", headers: { "content-length": "1000000" } });
    sent.flushHeaders();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    expect(response.statusCode).toBe(403);
    sent.destroy();
  });

  it("refuses a request of more than 16 MB", async () => {
    const limit = 16 * 1024 * 1024;
    const padded = (size: number) => `{"Limit":1${" ".repeat(size - 11)}}`;
    expect((await ask({}, "POST", padded(limit))).status).toBe(200);
    expect((await ask({}, "POST", padded(limit + 1))).status).toBe(413);
  });
});
