import { randomInt } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type QueueRole, queueName, queues as queueRoles } from "../../../infra/queues.ts";
import { sendMessage } from "../../../local/queue/queue-actions.ts";
import { filledDataDirectory } from "../../support/filled-demo.ts";
import { spawnGateway } from "../../support/gateway-process.ts";
import { queueOf, startQueueEndpoint } from "../../support/local-queues.ts";
import { emptyWorkplace, type Workplace, workplace } from "../../support/workplace.ts";
import { transaction } from "./records.ts";

/** A text that is nowhere else, and that compression cannot take apart: no part of it stands in it twice. */
function newMark(): string {
  const left = "abcdefghijklnopqrstuvwxyz0123456789".split("");
  return `m${Array.from({ length: 32 }, () => left.splice(randomInt(left.length), 1)).join("")}`;
}

const COUNT = 20;

/** Records whose ids, and texts, begin with a mark. */
const recordsOf = (mark: string, minute: number): string =>
  Array.from({ length: COUNT }, (_, at) =>
    transaction(`${mark}-${at}`, { reference: `${mark} text`, updated_at: `2026-11-02T10:0${minute}:00Z` }),
  ).join("\n");

/** The files of a directory, and below it, that contain a text. */
async function filesWith(text: string, directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(
    files.map(async (file) => ((await readFile(file)).includes(text) ? [file] : [])),
  );
  return found.flat();
}

/** Imports transactions of a business. */
async function importAs(place: Workplace, business: string, text: string) {
  const file = await place.write("records.ndjson", text);
  return await place.run("import", "transactions", file, "--business", business, "--new");
}

/** Sends to the queues of a service, and counts what is in them. */
function queueSender(endpoint: string) {
  const client = new SQSClient({
    endpoint,
    region: "eu-west-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  const urlOf = async (role: QueueRole): Promise<string | undefined> =>
    (await client.send(new GetQueueUrlCommand({ QueueName: queueName("local", role) }))).QueueUrl;
  return {
    send: async (role: QueueRole, message: object): Promise<void> => {
      const MessageBody = JSON.stringify(message);
      await client.send(new SendMessageCommand({ QueueUrl: await urlOf(role), MessageBody }));
    },
    count: async (role: QueueRole): Promise<number> => {
      const AttributeNames = [
        "ApproximateNumberOfMessages",
        "ApproximateNumberOfMessagesNotVisible",
      ] as const;
      const { Attributes = {} } = await client.send(
        new GetQueueAttributesCommand({ QueueUrl: await urlOf(role), AttributeNames: [...AttributeNames] }),
      );
      return AttributeNames.reduce((sum, name) => sum + Number(Attributes[name]), 0);
    },
    [Symbol.asyncDispose]: async () => client.destroy(),
  };
}

const idIn = ({ stdout }: { readonly stdout: string }): string => /imp-\d{8}-\w{4}/.exec(stdout)?.[0] ?? "";

test("no byte of an erased business is left in any file of the data directory, and every other record is", async () => {
  await using place = await emptyWorkplace();
  const [erased, kept] = [newMark(), newMark()];
  await importAs(place, "acme", recordsOf(erased, 1));
  await importAs(place, "acme-2", recordsOf(kept, 1));
  await importAs(place, "acme", recordsOf(erased, 2));
  expect(await filesWith(erased, place.data)).not.toEqual([]);
  const run = await place.run("erase", "business", "acme", "--yes", "--json", "--reason", "a test");
  expect(JSON.parse(run.stdout)).toMatchObject({
    outcome: "done",
    found: { records: COUNT, journals: expect.any(Number) },
    remaining: { records: 0, credentials: 0, limits: 0, journals: 0, messages: 0 },
  });
  expect(run.code).toBe(0);
  expect(await filesWith(kept, place.data)).not.toEqual([]);
  expect(await filesWith(erased, place.data)).toEqual([]);
  const audit = await place.run("audit", "list");
  expect(audit.stdout).toContain("business acme");
  const again = await importAs(place, "acme-2", recordsOf(kept, 1));
  expect(again.stdout).toMatch(new RegExp(`unchanged +${COUNT}`));
}, 120_000);

describe("beside a running service", () => {
  let place: Workplace;
  let gateway: ReturnType<typeof spawnGateway>;
  beforeAll(async () => {
    place = await emptyWorkplace(await filledDataDirectory());
    gateway = spawnGateway(place.data);
    await gateway.baseUrl;
  }, 300_000);
  afterAll(async () => {
    await gateway.kill();
    await place[Symbol.asyncDispose]();
  });

  test("no byte of a mistaken import is left after its undo, and the right file can come", async () => {
    const { run: ops } = place;
    const [right, wrong] = [newMark(), newMark()];
    const importIt = (text: string) => importAs(place, "acme", text);
    await importIt(recordsOf(right, 1));
    const mistaken = await importIt(
      `${recordsOf(wrong, 5)}\n${recordsOf(right, 5).replaceAll(" text", ` ${wrong}`)}`,
    );
    expect(await filesWith(wrong, place.data)).not.toEqual([]);
    const rehearsed = await ops("import", "undo", idIn(mistaken), "--dry-run");
    expect(rehearsed.stdout).toContain(
      `${COUNT} records would be removed, ${COUNT} would be restored, 0 left.`,
    );
    const undone = await ops("import", "undo", idIn(mistaken), "--yes");
    expect([undone.code, undone.stdout]).toEqual([
      0,
      `${COUNT} records removed, ${COUNT} restored, 0 left.\n`,
    ]);
    expect(await filesWith(wrong, place.data)).toEqual([]);
    const older = await importIt(recordsOf(right, 2));
    expect(older.stdout).toMatch(new RegExp(`written +${COUNT}`));
    const list = await ops("import", "list", "--json");
    expect(
      list.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).undoneAt !== null),
    ).toEqual([false, true, false]);
  });

  test("no byte of an erased tenant's messages is left in any file, nor after the service has ended", async () => {
    const { run: ops, data } = place;
    const [stored, rejected, dead] = [newMark(), newMark(), newMark()];
    const last = newMark();
    {
      const { queues } = JSON.parse(await readFile(join(data, "control.json"), "utf8"));
      await using sqs = queueSender(queues.endpoint);
      const record = (mark: string) => JSON.parse(transaction("tx-1", { reference: mark }));
      await sqs.send("records", {
        kind: "transaction",
        owner: "sender",
        records: [record(stored), { id: rejected }],
      });
      for (const mark of [dead, last])
        await sqs.send("dead", {
          kind: "transaction",
          owner: mark === last ? "last" : "sender",
          record: record(mark),
        });
      const isDealtWith = async () => (await sqs.count("rejected")) > 0 && (await sqs.count("records")) === 0;
      await vi.waitUntil(isDealtWith, { timeout: 60_000, interval: 20 });
      const run = await ops("erase", "business", "sender", "--yes", "--json");
      expect(JSON.parse(run.stdout)).toMatchObject({
        found: { records: 1, messages: 2 },
        remaining: { records: 0, messages: 0 },
      });
      for (const mark of [stored, rejected, dead]) expect(await filesWith(mark, data)).toEqual([]);
    }
    await gateway.kill();
    expect(await filesWith(last, data)).not.toEqual([]);
    const run = await ops("erase", "business", "last", "--yes", "--json");
    expect(JSON.parse(run.stdout)).toMatchObject({ found: { messages: 1 }, remaining: { messages: 0 } });
    expect(await filesWith(last, data)).toEqual([]);
  });
});

test("an erasure takes the tenant's messages out of every queue, and leaves all others as they were", async () => {
  await using place = await workplace();
  await using queues = await startQueueEndpoint();
  await importAs(place, "acme", recordsOf(newMark(), 1));
  const pass = (reference: string) => ({ partner_reference: reference, type: "loyalty_pass", version: 1 });
  const kept = [
    JSON.stringify({ kind: "transaction", owner: "acme-2", record: { id: "acme" } }),
    JSON.stringify({ kind: "sell_order", owner: "acme", record: {} }),
    JSON.stringify({ kind: "market", record: { symbol: "ACME-USD" } }),
    "no JSON, acme",
  ];
  const acme = [
    JSON.stringify({ kind: "transaction", owner: "acme", records: [{}, {}] }),
    JSON.stringify({ kind: "transaction", owner: "acme", record: {}, broken: true }),
  ];
  for (const role of queueRoles) for (const body of [...kept, ...acme]) queues.put(role, body);
  const at = ["--sqs-endpoint", queues.endpoint];
  const run = await place.run("erase", "business", "acme", "--yes", "--json", ...at);
  expect(JSON.parse(run.stdout)).toMatchObject({ found: { messages: 6 }, remaining: { messages: 0 } });
  for (const role of queueRoles) expect(queues.bodies(role).toSorted()).toEqual(kept.toSorted());
  const both = JSON.stringify({ kind: "pass", records: [pass("p-1"), pass("p-10")] });
  const records = queueOf(queues.queues, "records");
  sendMessage(records, { MessageBody: both, MessageGroupId: "pass" });
  await place.run("erase", "pass", "p-1", "--yes", ...at);
  const rest = JSON.stringify({ kind: "pass", records: [pass("p-10")] });
  expect(queues.bodies("records").toSorted()).toEqual([...kept, rest].toSorted());
  const put = records.inspectMessages().ready.find(({ body }) => body === rest);
  expect(put?.messageGroupId).toBe("pass");
}, 120_000);

test("an erasure that is stopped while it counts erases nothing, and gives back the messages that it has looked at", async () => {
  await using place = await workplace();
  await using queues = await startQueueEndpoint();
  await importAs(place, "acme", recordsOf(newMark(), 1));
  const bodies = Array.from({ length: 5_000 }, (_, at) => `message ${at}`);
  for (const body of bodies) queues.put("records", body);
  const words = ["erase", "business", "acme", "--yes", "--json", "--sqs-endpoint", queues.endpoint];
  const { child, ended } = place.start(words);
  const isLookedAt = () => queueOf(queues.queues, "records").inspectMessages().inflight.length > 0;
  await vi.waitUntil(isLookedAt, { timeout: 30_000, interval: 1 });
  child.kill("SIGINT");
  expect(await ended).toMatchObject({
    code: 130,
    stdout: "",
    stderr: "\nStopping …\nStopped. Nothing was erased.\n",
  });
  expect(queues.bodies("records")).toHaveLength(bodies.length);
  const run = await place.run("erase", "business", "acme", "--dry-run", "--json");
  expect(JSON.parse(run.stdout).found.records).toBe(COUNT);
}, 120_000);

test("an import whose business is erased while it runs ends with 2, says so, and names no undo", async () => {
  await using place = await workplace();
  const { child, ended } = place.start(
    ["import", "transactions", "-", "--business", "acme", "--new", "--json"],
    { input: `${recordsOf(newMark(), 1)}\n`, holdInput: true },
  );
  const isStored = async () => (await place.run("import", "list", "--json")).stdout !== "";
  await vi.waitUntil(isStored, { timeout: 30_000, interval: 1 });
  expect(await place.run("erase", "business", "acme", "--yes")).toMatchObject({ stderr: "" });
  child.stdin.end(recordsOf(newMark(), 2));
  const run = await ended;
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("was erased meanwhile") });
  expect(JSON.parse(run.stdout)).toMatchObject({ importId: null, outcome: "failed" });
}, 60_000);

test("an operator's block outlives the erasure, and stands among what stays", async () => {
  await using place = await workplace();
  await place.run("subjects", "block", "acme", "--reason", "token leaked");
  const run = await place.run("erase", "business", "acme", "--yes", "--json");
  expect(JSON.parse(run.stdout)).toMatchObject({
    found: { credentials: 0 },
    stays: expect.arrayContaining([expect.stringContaining("`subjects allow acme`")]),
  });
  const blocked = await place.run("subjects", "list", "--json");
  expect(JSON.parse(blocked.stdout)).toMatchObject([{ subject: "acme", reason: "token leaked" }]);
});

test("an erasure and an undo without a terminal need --yes, and a tenant or import that is not there changes nothing", async () => {
  await using place = await workplace();
  await importAs(place, "acme", recordsOf(newMark(), 1));
  expect(await place.run("erase", "business", "acme")).toMatchObject({ code: 2 });
  expect((await place.run("erase", "partner", "acme", "--dry-run")).stdout).toMatch(/records +0/);
  expect(await place.run("import", "undo", "imp-20261129-aaaa", "--yes")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("There is no import imp-20261129-aaaa"),
  });
}, 60_000);
