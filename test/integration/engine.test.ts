import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  createLocalClient,
  hasStore,
  openStore,
  type StoreAddress,
  shareStore,
} from "../../local/store/engine.ts";
import type { TableDefinition } from "../../local/store/tables.ts";
import { createTables, dropTables } from "../../local/store/tables.ts";
import { startRawEngine } from "../support/engine.ts";
import { scratchDirectory } from "../support/scratch.ts";

const table: TableDefinition = {
  name: "countinghouse-local-Test",
  keySchema: [{ AttributeName: "id", KeyType: "HASH" }],
  attributes: [
    { AttributeName: "id", AttributeType: "S" },
    { AttributeName: "other", AttributeType: "S" },
  ],
  indexes: [
    {
      IndexName: "by-other",
      KeySchema: [{ AttributeName: "other", KeyType: "HASH" }],
      Projection: { ProjectionType: "ALL" },
    },
  ],
};

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function opened(...parameters: Parameters<typeof openStore>) {
  const store = await openStore(...parameters);
  open.push(() => store.close());
  return store;
}

/** Another process that has the store open. */
async function holder(
  dataDir: string,
  kind: "gateway" | "command",
): Promise<{ child: ChildProcess; address: StoreAddress }> {
  const child = spawn(process.execPath, ["test/support/hold-store.ts", dataDir, kind], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [chunk] = (await once(child.stdout, "data")) as [Buffer];
  return { child, address: JSON.parse(chunk.toString()) as StoreAddress };
}

async function put(store: StoreAddress, id: string): Promise<void> {
  const client = createLocalClient(store);
  await createTables(client, [table]);
  await client.send(new PutItemCommand({ TableName: table.name, Item: { id: { S: id } } }));
  client.destroy();
}

async function has(store: StoreAddress, id: string): Promise<boolean> {
  const client = createLocalClient(store);
  const { Item } = await client.send(new GetItemCommand({ TableName: table.name, Key: { id: { S: id } } }));
  client.destroy();
  return Item !== undefined;
}

it("written items are there after the store is closed and opened again", async () => {
  const dataDir = scratchDirectory();
  const first = await openStore(dataDir);
  await put(first, "kept");
  await first.close();
  expect(await has(await opened(dataDir), "kept")).toBe(true);
});

describe("a store that a gateway has open", () => {
  const dataDir = scratchDirectory();
  let child: ChildProcess;
  let address: StoreAddress;
  beforeAll(async () => {
    ({ child, address } = await holder(dataDir, "gateway"));
  });
  afterAll(() => child.kill("SIGKILL"));

  it("is refused to another process, and the error names the process and what to do", async () => {
    await expect(openStore(dataDir)).rejects.toThrow(
      `in use by process ${child.pid} (an \`npm start\`). Stop it, or name another`,
    );
  });

  it("is shared by a command, which leaves its engine running", async () => {
    const shared = await shareStore(dataDir, { report: () => expect.unreachable("it waited") });
    expect(shared).toMatchObject({ ...address, owned: false });
    await put(shared, "shared");
    await shared.close();
    expect(await has(shared, "shared")).toBe(true);
  });

  it("does not block the next one once the gateway was killed, and has what it reported written", async () => {
    await put(address, "reported written");
    child.kill("SIGKILL");
    await once(child, "exit");
    const store = await opened(dataDir);
    expect(store.owned).toBe(true);
    expect(await has(store, "reported written")).toBe(true);
  });
});

it("a command waits for another command and says so, then has the store to itself", async () => {
  const dataDir = scratchDirectory();
  const { child } = await holder(dataDir, "command");
  open.push(() => child.kill("SIGKILL"));
  const said: string[] = [];
  const waiting = shareStore(dataDir, {
    report: (line) => {
      said.push(line);
      child.stdin?.end();
    },
  });
  const store = await waiting;
  open.push(() => store.close());
  expect(store.owned).toBe(true);
  expect(said).toEqual([`Waiting for process ${child.pid} (a command) to leave ${dataDir} …`]);
});

it("the holder file is readable by its owner only, and is removed when the holder closes", async () => {
  const dataDir = scratchDirectory();
  const store = await openStore(dataDir, { kind: "command" });
  const file = join(dataDir, "engine.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    pid: process.pid,
    host: hostname(),
    kind: "command",
    endpoint: store.endpoint,
    accessKeyId: store.accessKeyId,
  });
  await store.close();
  expect(() => statSync(file)).toThrow("ENOENT");
});

it("another engine replaces the embedded one, and the directory is locked all the same", async () => {
  const dataDir = scratchDirectory();
  const other = await startRawEngine("dynalite");
  open.push(other.close);
  const store = await opened(dataDir, { endpoint: other.endpoint });
  await put(store, "there");
  expect(await hasStore(dataDir)).toBe(false);
  await expect(openStore(dataDir)).rejects.toThrow("in use");
});

it("the error for another engine that does not answer names it, and the directory is free again", async () => {
  const dataDir = scratchDirectory();
  await expect(openStore(dataDir, { endpoint: "http://127.0.0.1:9" })).rejects.toThrow(
    /^The DynamoDB at http:\/\/127\.0\.0\.1:9 does not answer \(.*ECONNREFUSED.*\)\. Check that it is running/,
  );
  await opened(dataDir);
});

it("a client that goes away in the middle of a request does not harm the engine", async () => {
  const store = await opened(scratchDirectory());
  const socket = connect(Number(new URL(store.endpoint).port), "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n");
  // The interim answer shows that the engine is reading when the client goes away.
  await once(socket, "data");
  socket.resetAndDestroy();
  await put(store, "still works");
});

it("a table is created once and kept, another shape is refused, and a dropped table is created again", async () => {
  const store = await opened(scratchDirectory());
  await put(store, "kept");
  const client = createLocalClient(store);
  open.push(() => client.destroy());
  await createTables(client, [table]);
  expect(await has(store, "kept")).toBe(true);
  const changed = { ...table, attributes: table.attributes.slice(0, 1), indexes: [] };
  await expect(createTables(client, [changed])).rejects.toThrow(
    /keys or indexes of the table countinghouse-local-Test differ.*--fresh/,
  );
  await dropTables(client, [changed]);
  await createTables(client, [changed]);
  expect(await has(store, "kept")).toBe(false);
});
