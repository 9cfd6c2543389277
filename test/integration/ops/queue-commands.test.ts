import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readMessage } from "../../../lib/ingest/message.ts";
import { attributesOf, type RejectionReason } from "../../../lib/ingest/rejection.ts";
import { queueOf, startQueueEndpoint } from "../../support/local-queues.ts";
import { failing, words } from "../../support/operator.ts";
import { workplace } from "../../support/workplace.ts";
import { transaction, transactions } from "./records.ts";

/** A place with a listed market, and queues beside it. */
async function queuePlace() {
  const place = await workplace();
  const queues = await startQueueEndpoint();
  await place.run("markets", "put", "BTC-USD");
  const at = ["--sqs-endpoint", queues.endpoint];
  return {
    ...place,
    ...queues,
    at,
    run: (...words: readonly string[]) => place.run(...words, ...at),
    withoutQueues: place.run,
    [Symbol.asyncDispose]: async () => {
      await queues[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

const recordsOf = (bodies: readonly string[]) =>
  bodies.map((body) => {
    const read = readMessage(body);
    if (!read.ok) throw new Error(read.detail);
    return read.message;
  });

/** The records that were sent. */
const sentTo = (place: Awaited<ReturnType<typeof queuePlace>>) =>
  recordsOf(place.bodies("records")).flatMap(({ records }) => records);

describe("send", () => {
  test("puts every line of a file into messages of the contract, each record as it was spelt and in its order", async () => {
    await using place = await queuePlace();
    const text = transactions(250).replaceAll("-12.3", "-12.30000000000000000000");
    const file = await place.write("tx.ndjson", text);
    const run = await place.run("send", "transactions", "--business", "acme", "--new", "--json", file);
    expect(run.code).toBe(0);
    const report = { sent: 250, messages: 3, refused: 0, nextLine: null, rejects: null };
    expect(JSON.parse(run.stdout)).toMatchObject(report);
    const messages = recordsOf(place.bodies("records"));
    expect(messages.flatMap(({ records }) => records).join("\n")).toBe(text.trimEnd());
    for (const { kind, owner } of messages)
      expect({ kind, owner }).toEqual({ kind: "transaction", owner: "acme" });
    const target = "records of kind transaction of acme";
    expect(await place.audit("send transactions")).toEqual([
      { target, outcome: "done", counts: { sent: 250, refused: 0 } },
      { target, outcome: "begun" },
    ]);
  });

  test("refuses a line that breaks its contract, as import does, and sends the others", async () => {
    await using place = await queuePlace();
    const lines = [transaction("a"), transaction("b", { state: "odd" }), "{", transaction("c")];
    const file = await place.write("tx.ndjson", lines.join("\n"));
    const run = await place.run("send", "transactions", "--business", "acme", "--new", file);
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(
      /Line 2 was refused: state .*\nLine 3 was refused: .*\nRefused lines, .*rejects\.ndjson/,
    );
    expect(await readFile(`${file}.rejects.ndjson`, "utf8")).toMatch(/^\{"line":2,.*\n\{"line":3,.*\n$/);
    expect(sentTo(place)).toEqual([lines[0], lines[3]]);
  });

  test("with --dry-run checks the same, needs no queue, sends nothing and leaves no line in the audit", async () => {
    await using place = await queuePlace();
    const file = await place.write("tx.ndjson", `${transactions(3)}{\n`);
    const args = words`send transactions --business acme --dry-run --json ${file}`;
    const run = await place.withoutQueues(...args);
    expect(run.code).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({ sent: 3, messages: 1, refused: 1, dryRun: true });
    expect(place.bodies("records")).toEqual([]);
    expect(await place.audit("send")).toEqual([]);
  });

  test("asks about an owner without records, and without a terminal sends nothing", async () => {
    await using place = await queuePlace();
    const file = await place.write("tx.ndjson", transactions(1));
    const run = await place.run("send", "transactions", "--business", "harbor", file);
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('"harbor" has no records yet') });
    expect(place.bodies("records")).toEqual([]);
    expect(await place.audit("send")).toEqual([]);
  });

  test("goes on from a line: what was before it is read and not sent", async () => {
    await using place = await queuePlace();
    const file = await place.write("tx.ndjson", transactions(120));
    const args = words`send transactions --business acme --new --json --from-line 101 ${file}`;
    expect(JSON.parse((await place.run(...args)).stdout)).toMatchObject({ sent: 20, skipped: 100 });
    expect(sentTo(place)[0]).toBe(transaction("tx-100"));
  });

  test("stopped by Ctrl-C in the middle of its input, says from which line to go on, and what is before it was sent", async () => {
    await using place = await queuePlace();
    const args = ["send", "transactions", "--business", "acme", "--new", "--json", "-", ...place.at];
    const running = place.start(args, { input: transactions(1_150), holdInput: true });
    // A full call has arrived; the rest waits for more input.
    await expect.poll(() => place.bodies("records").length, { timeout: 30_000 }).toBe(10);
    running.child.kill("SIGINT");
    const { code, stdout, stderr } = await running.ended;
    expect(code).toBe(130);
    const { sent, nextLine } = JSON.parse(stdout) as { sent: number; nextLine: number };
    expect({ sent, nextLine }).toEqual({ sent: 1_000, nextLine: 1_001 });
    expect(stderr).toContain(`--from-line ${nextLine}`);
    expect(sentTo(place)).toHaveLength(sent);
  });

  test("sends trades of a foreign format as the contract's, each with its id, and refuses an unlisted market", async () => {
    await using place = await queuePlace();
    const file = await place.write("kraken.csv", "1700000000.1234,100.50,0.10\n1700000001.5,101,2\n");
    const run = await place.run("send", "trades", "--market", "BTC-USD", "--format", "kraken", file);
    expect(run).toMatchObject({ code: 0 });
    const [message] = recordsOf(place.bodies("records"));
    expect(message).toMatchObject({ kind: "trade", owner: "BTC-USD" });
    expect(message?.records.map((text) => JSON.parse(text))).toMatchObject([
      { tdt: 1_700_000_000_123, p: "100.50", q: "0.10", tid: expect.stringMatching(/^[0-9a-f]{32}$/) },
      { tdt: 1_700_000_001_500, p: "101", q: "2" },
    ]);
    const other = await place.run("send", "trades", "--market", "ETH-USD", "--format", "kraken", file);
    expect(other).toMatchObject(failing("markets put ETH-USD"));
  });

  test("sends markets and passes, which have no owner", async () => {
    await using place = await queuePlace();
    const file = await place.write("markets.ndjson", '{"symbol":"ETH-USD"}\n{"symbol":"no"}\n');
    expect(await place.run("send", "markets", file)).toMatchObject({ code: 1 });
    expect(place.bodies("records")).toEqual(['{"kind":"market","record":{"symbol":"ETH-USD"}}']);
  });

  test("says what to do where no queue is", async () => {
    await using place = await queuePlace();
    const file = await place.write("markets.ndjson", '{"symbol":"ETH-USD"}\n');
    const without = await place.withoutQueues("send", "markets", file);
    expect(without).toMatchObject(failing("--sqs-endpoint"));
    const gone = await place.withoutQueues("send", "markets", file, "--sqs-endpoint", "http://127.0.0.1:9");
    expect(gone).toMatchObject({ code: 2, stderr: expect.stringContaining("do not answer") });
  });
});

describe("redrive", () => {
  const dead = ['{"kind":"market","record":{"symbol":"A-B"}}', '{"kind":"market","record":{"symbol":"C-D"}}'];

  test("moves dead messages back with their attributes, and says how many", async () => {
    await using place = await queuePlace();
    for (const body of dead) place.put("dead", body, { from: "a feed" });
    const run = await place.run("redrive", "--yes", "--json");
    expect(run).toMatchObject({ code: 0 });
    expect(JSON.parse(run.stdout)).toEqual({ dead: 2, moved: 2, left: 0, dryRun: false });
    expect(place.bodies("records")).toEqual(dead);
    expect(queueOf(place.queues, "records").messages[0]?.messageAttributes).toEqual({
      from: { DataType: "String", StringValue: "a feed" },
    });
    expect(place.bodies("dead")).toEqual([]);
    expect(await place.audit("redrive")).toMatchObject([
      { outcome: "done", counts: { moved: 2, left: 0 } },
      { outcome: "begun" },
    ]);
  });

  test("leaves what the queue of records refuses where it is, visible, and says why", async () => {
    await using place = await queuePlace();
    const large = JSON.stringify("a".repeat(300_000));
    for (const body of [large, ...dead]) place.put("dead", body);
    const run = await place.run("redrive", "--yes");
    expect(run).toMatchObject({ code: 1, stdout: "2 messages moved back, 1 left.\n" });
    expect(run.stderr).toContain("262144");
    expect(place.bodies("records")).toEqual(dead);
    expect(place.bodies("dead")).toEqual([large]);
  });

  test("changes nothing with --dry-run, without a yes, and where nothing is dead", async () => {
    await using place = await queuePlace();
    expect(await place.run("redrive")).toMatchObject({ code: 0, stdout: "No message is dead.\n" });
    for (const body of dead) place.put("dead", body);
    expect(await place.run("redrive", "--dry-run")).toMatchObject({
      code: 0,
      stdout: "2 messages would be moved back.\n",
    });
    expect(await place.run("redrive")).toMatchObject(failing("--yes"));
    expect(place.bodies("dead")).toEqual(dead);
    expect(place.bodies("records")).toEqual([]);
    expect(await place.audit("redrive")).toEqual([]);
  });
});

describe("rejected", () => {
  const reject = (
    place: Awaited<ReturnType<typeof queuePlace>>,
    body: string,
    reason: RejectionReason,
    position = 1,
  ) =>
    place.put(
      "rejected",
      body,
      attributesOf({ body, reason, detail: "state is odd", position, messageId: "m-1" }, 0),
    );

  const records = [
    '{"kind":"transaction","owner":"acme","record":{"id":"1",\n "amount":1.00}}',
    '{"kind":"transaction","owner":"Acme/é","record":{"id":"2"}}',
    '{"kind":"trade","owner":"BTC-USD","revision":2,"record":{"tdt":1}}',
    '{"kind":"transaction","owner":"acme","record":{"id":"3"}}',
  ];

  async function filled() {
    const place = await queuePlace();
    for (const body of records) reject(place, body, "invalid_record");
    reject(place, "no JSON\nat all", "not_json", 0);
    return place;
  }

  test("list counts by reason, kind and owner, and every message can be received afterwards", async () => {
    await using place = await filled();
    const run = await place.run("rejected", "list", "--json");
    expect(run.code).toBe(0);
    const listed = JSON.parse(run.stdout) as { rejected: number; rows: readonly object[] };
    expect(listed.rejected).toBe(5);
    const row = { reason: "invalid_record", kind: "transactions", owner: "acme", count: 2 };
    expect(listed.rows).toContainEqual(row);
    expect(listed.rows).toContainEqual({ reason: "not_json", kind: null, owner: null, count: 1 });
    expect([...place.bodies("rejected")].sort()).toEqual([...records, "no JSON\nat all"].sort());
    expect((await place.run("rejected", "list")).stdout).toContain("the message is not one JSON object");
  });

  test("export writes a file for each kind and owner that send takes again, and why each line is there; only its owner can read them", async () => {
    await using place = await filled();
    const folder = join(place.path, "out");
    const run = await place.run("rejected", "export", folder, "--json");
    expect(run.code).toBe(0);
    const { files, ...report } = JSON.parse(run.stdout) as {
      files: readonly { file: string; owner: string; lines: number }[];
    };
    expect(report).toEqual({ folder, exported: 5, removed: 0, reasons: { invalid_record: 4, not_json: 1 } });
    expect(await readFile(join(folder, "transactions.acme.ndjson"), "utf8")).toBe(
      '{"id":"1",  "amount":1.00}\n{"id":"3"}\n'.replace("  ", " ").replace(', "', ',  "'),
    );
    expect(await readFile(join(folder, "trades.BTC-USD.revision-2.ndjson"), "utf8")).toBe('{"tdt":1}\n');
    expect(await readFile(join(folder, "messages.ndjson"), "utf8")).toBe(
      `${JSON.stringify("no JSON\nat all")}\n`,
    );
    const odd = files.find(({ owner }) => owner === "Acme/é");
    expect(odd?.file).toMatch(/^transactions\.acme-+[0-9a-f]{12}\.ndjson$/);
    const reasons = (await readFile(join(folder, "reasons.ndjson"), "utf8")).trimEnd().split("\n");
    expect(reasons.map((line) => JSON.parse(line))).toContainEqual({
      file: "transactions.acme.ndjson",
      line: 2,
      kind: "transactions",
      owner: "acme",
      reason: "invalid_record",
      detail: "state is odd",
      position: 1,
      messageId: "m-1",
      rejectedAt: "1970-01-01T00:00:00.000Z",
    });
    for (const name of await readdir(folder))
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(place.bodies("rejected")).toHaveLength(5);
    expect(await place.audit("rejected")).toEqual([]);
  });

  test("export --remove takes them out of the queue, and has its lines in the audit", async () => {
    await using place = await filled();
    const run = await place.run("rejected", "export", join(place.path, "out"), "--remove", "--json");
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ exported: 5, removed: 5 });
    expect(queueOf(place.queues, "rejected").inspectMessages()).toMatchObject({ ready: [], inflight: [] });
    expect(await place.audit("rejected export")).toMatchObject([
      { outcome: "done", counts: { exported: 5, removed: 5 } },
      { outcome: "begun" },
    ]);
  });

  test("a folder that has something in it is left alone, and no message is removed", async () => {
    await using place = await filled();
    const folder = join(place.path, "out");
    await mkdir(folder);
    await writeFile(join(folder, "mine"), "");
    const run = await place.run("rejected", "export", folder, "--remove");
    expect(run).toMatchObject(failing("is not empty"));
    expect(place.bodies("rejected")).toHaveLength(5);
  });

  test("an export that cannot write keeps in the queue what is not on the disk", async () => {
    await using place = await filled();
    const file = await place.write("file", "");
    const run = await place.run("rejected", "export", join(file, "out"), "--remove");
    expect(run).toMatchObject(failing("Cannot write into"));
    expect(place.bodies("rejected")).toHaveLength(5);
  });
});
