import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { contractBrand } from "../../../lib/brand.ts";
import { SellOrderStore } from "../../../lib/sell-orders/sell-order-store.ts";
import { TransactionStore } from "../../../lib/transactions/transaction-store.ts";
import { openStore } from "../../../local/store/engine.ts";
import type { OperatorStore } from "../../../ops/store/operator-store.ts";
import { withStore } from "../../../ops/store/store.ts";
import { cases } from "../../support/cases.ts";
import { startDynamoProxy } from "../../support/dynamodb-proxy.ts";
import { startRawEngine } from "../../support/engine.ts";
import { heldStore } from "../../support/held-store.ts";
import { countsOf, runOperator, startOperator, temporaryDirectory } from "../../support/operator.ts";
import { sellOrder, transaction, transactions } from "./records.ts";

const BUSINESS = "business-1";
const CARD_NUMBER = "4111111111111111";

const transactionsOf = ({ table }: OperatorStore) => new TransactionStore(table("Transactions"));

/** A held store and a file with records, and the import of the one into the other. */
async function workplace(records: string | Buffer) {
  const { path, data, [Symbol.asyncDispose]: end } = await heldStore();
  return { ...(await filledPlace(path, data, records)), [Symbol.asyncDispose]: end };
}

/** The same with a data directory that the first command makes. */
async function emptyPlace(records: string | Buffer) {
  const { path, [Symbol.asyncDispose]: end } = await temporaryDirectory();
  return { ...(await filledPlace(path, join(path, "data"), records)), [Symbol.asyncDispose]: end };
}

async function filledPlace(directory: string, data: string, records: string | Buffer) {
  const file = join(directory, "records.ndjson");
  await writeFile(file, records);
  const args = ["import", "transactions", "--business", BUSINESS, file, "--new", "--data", data];
  return {
    directory,
    data,
    file,
    args,
    run: (...more: string[]) => runOperator([...args, ...more]),
    rejects: () => readFile(`${file}.rejects.ndjson`, "utf8").catch(() => undefined),
    read: (id: string) => withStore({ data }, (store) => transactionsOf(store).get(BUSINESS, id)),
  };
}

describe("importing transactions", () => {
  test("stores every record before the first start of the gateway, and again changes nothing", async () => {
    await using place = await emptyPlace(transactions(50));
    const first = await place.run();
    expect(first).toMatchObject({
      code: 0,
      stderr: `Made a new store in ${place.data}.\nThe business "business-1" has no records yet: these would be its first.\n`,
    });
    expect(countsOf(first)).toEqual({ written: 50, unchanged: 0, stale: 0, refused: 0, lines: 50 });
    const second = await place.run();
    expect(second).toMatchObject({ code: 0, stderr: "" });
    expect(countsOf(second)).toEqual({ written: 0, unchanged: 50, stale: 0, refused: 0, lines: 50 });
    expect(await place.read("tx-49")).toBe(transaction("tx-49"));
  });

  test("keeps the digits of every amount", async () => {
    const amounts = ["0.1", "12345678901234567.89", "-47.80"];
    const lines = amounts.map((amount, at) => transaction(`tx-${at}`).replace("-12.3", amount));
    await using place = await workplace(lines.join("\r\n"));
    expect((await place.run()).code).toBe(0);
    for (const [at, amount] of amounts.entries()) {
      expect(await place.read(`tx-${at}`)).toContain(`"amount":${amount},`);
    }
  });

  test("takes thousands of records of a gzip file from standard input in one run", async () => {
    const count = cases(2_000);
    await using place = await workplace("");
    const args = ["import", "transactions", "--business", BUSINESS, "-", "--new", "--data", place.data];
    const run = await runOperator(args, { input: gzipSync(transactions(count)) });
    expect(run.code).toBe(0);
    expect(countsOf(run)).toMatchObject({ written: count, lines: count });
  });

  test("leaves the newest of a record's lines, whatever was imported before", async () => {
    const pending = transaction("tx-1", {
      state: "pending",
      updated_at: "2026-11-02T10:00:01Z",
      completed_at: null,
    });
    await using place = await workplace(`${pending}\n${transaction("tx-1")}\n`);
    expect(countsOf(await place.run())).toMatchObject({ written: 2, stale: 0 });
    await writeFile(place.file, `${pending}\n`);
    const late = await place.run();
    expect(late.code).toBe(0);
    expect(countsOf(late)).toMatchObject({ written: 0, stale: 1 });
    expect(await place.read("tx-1")).toBe(transaction("tx-1"));
  });

  test("stores a correction of what was final, counts it as unusual, and lists its line and step", async () => {
    const declined = { state: "declined", completed_at: null, created_at: "2026-11-02T09:00:00Z" };
    const lines = [
      transaction("tx-1", { ...declined, updated_at: "2026-11-02T10:00:01Z" }),
      transaction("tx-2"),
      transaction("tx-1"),
    ];
    await using place = await workplace(lines.join("\n"));
    const run = await place.run();
    expect(run.code).toBe(0);
    expect(countsOf(run)).toMatchObject({ written: 3, unusual: 1, refused: 0, lines: 3 });
    expect(run.stderr).toContain(`Unusual lines, by number and step: ${place.file}.rejects.ndjson`);
    expect(JSON.parse((await place.rejects()) ?? "null")).toEqual({
      line: 3,
      kind: "unusual",
      reason:
        "state declined → completed; created_at 2026-11-02T09:00:00.000000Z → 2026-11-02T10:00:00.000000Z",
    });
    expect(await place.read("tx-1")).toBe(lines[2]);
    const again = await place.run();
    expect(countsOf(again)).toEqual({ written: 0, unchanged: 2, stale: 1, refused: 0, lines: 3 });
    expect(await place.rejects()).toBeUndefined();
  });

  test("refuses a version from the future, and takes a wrong newest one back by a correction, with a trace", async () => {
    const wrong = transaction("tx-1", { updated_at: "2026-11-20T00:00:00Z", reference: "wrong" });
    const right = transaction("tx-1");
    await using place = await workplace(
      [wrong, right, transaction("tx-2", { updated_at: "9999-12-31T23:59:59.999999Z" })].join("\n"),
    );
    const first = await place.run();
    expect(first.code).toBe(1);
    expect(countsOf(first)).toMatchObject({ written: 1, stale: 1, refused: 1 });
    expect(JSON.parse((await place.rejects()) ?? "null")).toMatchObject({
      line: 3,
      kind: "refused",
      reason: expect.stringMatching(/^updated_at is more than a day ahead of the importing clock/),
    });
    await writeFile(place.file, right);
    const second = await place.run("--correct", "--reason", "a wrong feed");
    expect(second.code).toBe(0);
    expect(countsOf(second)).toEqual({
      written: 0,
      corrected: 1,
      unchanged: 0,
      stale: 0,
      refused: 0,
      lines: 1,
    });
    expect(JSON.parse((await place.rejects()) ?? "null")).toEqual({
      line: 1,
      kind: "corrected",
      reason: "replaces the version of 2026-11-20T00:00:00.000000Z",
    });
    expect(await place.read("tx-1")).toBe(right);
    await writeFile(place.file, wrong);
    expect(countsOf(await place.run())).toMatchObject({ written: 0, stale: 1 });
    expect(await place.read("tx-1")).toBe(right);
  });

  test.each([
    [["--reason", "why"], "--reason goes with --correct only."],
    [["--correct", "--reason", " "], "Say why with --reason TEXT, one line of 1 to 200 characters."],
    [["--correct", "--reason", "a\u001b[2J"], "Say why with --reason TEXT, one line of 1 to 200 characters."],
  ])("with %j says what is wrong, with 2, and stores nothing", async (args, line) => {
    await using place = await workplace(transactions(1));
    expect(await place.run(...args)).toMatchObject({ code: 2, stdout: "", stderr: `${line}\n` });
  });

  test("uses the engine of a gateway that is running on the data directory", async () => {
    await using place = await emptyPlace(transactions(5));
    expect((await place.run()).code).toBe(0);
    const gateway = await openStore(place.data, { kind: "gateway" });
    try {
      expect(countsOf(await place.run())).toMatchObject({ unchanged: 5 });
    } finally {
      await gateway.close();
    }
  });

  test("by two processes at once ends as by one", async () => {
    await using place = await emptyPlace(transactions(300));
    const runs = await Promise.all([place.run(), startOperator(place.args).ended]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    const counts = runs.map(countsOf);
    expect(counts.map(({ lines }) => lines)).toEqual([300, 300]);
    expect(counts.reduce((sum, { written = 0 }) => sum + written, 0)).toBe(300);
  });
});

describe("importing sell orders", () => {
  test("stores them for their partner, with the digits of their amounts", async () => {
    await using place = await workplace("");
    const id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    const args = ["import", "sell-orders", "--partner", "acme", "-", "--new", "--data", place.data];
    const input = sellOrder(id, contractBrand.ownAccount);
    expect(countsOf(await runOperator(args, { input }))).toMatchObject({ written: 1 });
    const doc = await withStore({ data: place.data }, ({ table }) =>
      new SellOrderStore(table("SellOrders")).get("acme", id),
    );
    expect(doc).toContain('"amount":47.80,');
    expect(doc).toContain('"amount":0.123456789012345678,');
  });

  test("goes by the own-account word of the local gateway, as an option or in the environment", async () => {
    await using place = await workplace("");
    const args = [
      "import",
      "sell-orders",
      "--partner",
      "acme",
      "-",
      "--new",
      "--data",
      place.data,
      "--rejects",
    ];
    const rejects = join(place.directory, "rejects");
    const input = sellOrder("01ARZ3NDEKTSV4RRFFQ69G5FAV", "housebank");
    expect((await runOperator([...args, rejects], { input })).code).toBe(1);
    const env = { OWN_ACCOUNT_WORD: "housebank" };
    expect((await runOperator([...args, rejects], { input, env })).code).toBe(0);
    expect((await runOperator([...args, rejects, "--own-account", "housebank"], { input })).code).toBe(0);
  });
});

describe("refused lines", () => {
  const lines = [
    transaction("tx-1"),
    "",
    '{"id":',
    transaction("tx-2", { state: "invented" }),
    "x".repeat(100_000),
    transaction("tx-3"),
  ];

  test("are listed with number and reason for their owner only, and end the run with 1", async () => {
    await using place = await workplace(lines.join("\n"));
    const run = await place.run();
    expect(run.code).toBe(1);
    expect(countsOf(run)).toEqual({ written: 2, unchanged: 0, stale: 0, refused: 3, lines: 5 });
    expect(run.stderr).toContain(`${place.file}.rejects.ndjson`);
    const rejects =
      (await place.rejects())
        ?.trim()
        .split("\n")
        .map((line) => JSON.parse(line)) ?? [];
    rejects.sort((a, b) => a.line - b.line);
    const kind = "refused";
    expect(rejects).toEqual([
      { line: 3, kind, reason: expect.stringMatching(/./) },
      { line: 4, kind, reason: expect.stringContaining("state") },
      { line: 5, kind, reason: "the line is longer than 65536 bytes" },
    ]);
    expect((await stat(`${place.file}.rejects.ndjson`)).mode & 0o777).toBe(0o600);
  });

  test("leave no file behind once they are mended", async () => {
    await using place = await workplace(lines.join("\n"));
    await place.run();
    await writeFile(place.file, transaction("tx-1"));
    expect((await place.run()).code).toBe(0);
    expect(await place.rejects()).toBeUndefined();
  });

  test("never show a card number, in the rejects file or on the terminal", async () => {
    const card = { id: "card-1", card_number: CARD_NUMBER };
    const refusals = [
      transaction("tx-1", { card }),
      transaction("tx-2", { card: { id: "card-1", card_number: "4111 1111-1111 1111" } }),
      transaction("tx-3", { card }).slice(0, -1),
      transaction("tx-4", { card }).replace('"card"', '"card": 1, "card"'),
      transaction("tx-5", { [CARD_NUMBER]: true }),
      transaction("tx-6", { state: CARD_NUMBER }),
      transaction("tx-7").replace("-12.3", `${CARD_NUMBER}x`),
      `${CARD_NUMBER} is no JSON`,
      `"${CARD_NUMBER}`,
      JSON.stringify(CARD_NUMBER),
    ];
    await using place = await workplace(refusals.join("\n"));
    for (const debug of ["", "1"]) {
      const run = await runOperator(place.args, { env: { DEBUG: debug } });
      expect(countsOf(run)).toMatchObject({ written: 0, refused: refusals.length });
      const shown = `${run.stdout}${run.stderr}${await place.rejects()}`;
      expect(shown.replaceAll(/[\s-]/g, "")).not.toContain(CARD_NUMBER);
      expect(shown).not.toContain("11111111");
    }
  });

  test("go where --rejects says, but never over the imported file or a device", async () => {
    await using place = await workplace("no json");
    const elsewhere = join(place.directory, "elsewhere");
    expect((await place.run("--rejects", elsewhere)).code).toBe(1);
    expect(await readFile(elsewhere, "utf8")).toContain('"line":1');
    expect(await place.rejects()).toBeUndefined();
    expect(await place.run("--rejects", place.file)).toMatchObject({ code: 2 });
    expect(await place.run("--rejects", "/dev/null")).toMatchObject({ code: 2 });
    expect(await readFile(place.file, "utf8")).toBe("no json");
  });
});

describe("an import that is cut short", () => {
  const COUNT = 300;

  test("by Ctrl-C finishes what is under way, says how to go on, and is completed by the same command", async () => {
    await using place = await emptyPlace(transactions(COUNT));
    const engine = await startRawEngine("dynalite");
    // npm and the terminal both pass a Ctrl-C on, so it arrives twice.
    const interrupt = () => {
      running.child.kill("SIGINT");
      running.child.kill("SIGINT");
    };
    await using proxy = await startDynamoProxy(engine.endpoint, (nth) => {
      if (nth === 100) interrupt();
      return undefined;
    });
    const env = { DYNAMODB_ENDPOINT: proxy.endpoint };
    const running = startOperator(place.args, { env });
    const first = await running.ended;
    expect(first.code).toBe(130);
    expect(first.stderr).toMatch(
      /Stopping: finishing [1-9]\d* records, for half a minute at most; Ctrl-C again stops now\./,
    );
    expect(first.stderr).toContain("Run the same command again to continue");
    const { written = 0 } = countsOf(first);
    expect(written).toBeGreaterThanOrEqual(100);
    expect(written).toBeLessThan(COUNT);
    const second = await runOperator(place.args, { env });
    expect(second.code).toBe(0);
    expect(countsOf(second)).toEqual({
      written: COUNT - written,
      unchanged: written,
      stale: 0,
      refused: 0,
      lines: COUNT,
    });
    await engine.close();
  });

  // These two wait for the client to give up, and do so side by side.
  test.concurrent("by a write that is taken and never answered is not: it is sent again", async () => {
    await using place = await emptyPlace(transactions(60));
    const engine = await startRawEngine("dynalite");
    await using proxy = await startDynamoProxy(engine.endpoint, (nth) =>
      nth === 20 ? "silence" : undefined,
    );
    const run = await startOperator(place.args, { env: { DYNAMODB_ENDPOINT: proxy.endpoint } }).ended;
    expect(run).toMatchObject({ code: 0 });
    expect(countsOf(run)).toMatchObject({ written: 60, refused: 0, lines: 60 });
    await engine.close();
  });

  test.concurrent("by Ctrl-C while a write is not answered waits for its time, and is completed by the same command", async () => {
    await using place = await emptyPlace(transactions(60));
    const engine = await startRawEngine("dynalite");
    await using proxy = await startDynamoProxy(engine.endpoint, (nth) => {
      if (nth !== 20) return undefined;
      running.child.kill("SIGINT");
      return "silence";
    });
    const running = startOperator(place.args, { env: { DYNAMODB_ENDPOINT: proxy.endpoint } });
    const first = await running.ended;
    expect(first.code).toBe(130);
    expect(first.stderr).toContain("Run the same command again to continue");
    const second = await runOperator(place.args, { env: { DYNAMODB_ENDPOINT: engine.endpoint } });
    expect(second.code).toBe(0);
    expect((countsOf(first).written ?? 0) + (countsOf(second).written ?? 0)).toBe(60);
    await engine.close();
  });

  test("by kill -9 loses nothing, and is completed by the same command", async () => {
    await using place = await emptyPlace(transactions(COUNT));
    const engine = await startRawEngine("dynalite");
    await using proxy = await startDynamoProxy(engine.endpoint, (nth) => {
      if (nth === 100) running.child.kill("SIGKILL");
      return undefined;
    });
    const env = { DYNAMODB_ENDPOINT: proxy.endpoint };
    const running = startOperator(place.args, { env });
    expect((await running.ended).signal).toBe("SIGKILL");
    const second = await runOperator(place.args, { env });
    expect(second.code).toBe(0);
    const { written = 0, unchanged = 0 } = countsOf(second);
    expect(written + unchanged).toBe(COUNT);
    expect(unchanged).toBeGreaterThanOrEqual(100 - 32);
    await engine.close();
  });

  test("by a store that throttles for a while goes on by itself", async () => {
    await using place = await emptyPlace(transactions(40));
    const engine = await startRawEngine("dynalite");
    await using proxy = await startDynamoProxy(engine.endpoint, (nth) =>
      nth % 2 === 0 && nth < 60 ? "ThrottlingException" : undefined,
    );
    const run = await runOperator(place.args, { env: { DYNAMODB_ENDPOINT: proxy.endpoint } });
    expect(run.code).toBe(0);
    expect(countsOf(run)).toMatchObject({ written: 40, lines: 40 });
    await engine.close();
  });

  test("by a fault of the store counts what was written, says what is wrong, and ends with 2", async () => {
    await using place = await emptyPlace(transactions(COUNT));
    const engine = await startRawEngine("dynalite");
    let isBroken = true;
    // The first write is the audit's line.
    await using proxy = await startDynamoProxy(engine.endpoint, (nth) =>
      isBroken && nth > 101 ? "AccessDeniedException" : undefined,
    );
    const env = { DYNAMODB_ENDPOINT: proxy.endpoint };
    const first = await runOperator(place.args, { env });
    expect(first.code).toBe(2);
    const { written = 0, lines } = countsOf(first);
    // The journal's writes are among the hundred.
    expect(written).toBeGreaterThan(60);
    expect(written).toBe(lines);
    expect(first.stderr).toMatch(
      /^Made a new store in http.*\nThe business .*\nThe audit lacks this line: import transactions, transactions of business-1, failed\. .*\nThe store \(http.*\) does not let these AWS credentials do this\. [^\n]*\n$/,
    );
    isBroken = false;
    expect(countsOf(await runOperator(place.args, { env }))).toMatchObject({
      written: COUNT - written,
      unchanged: written,
    });
    await engine.close();
  });

  test("by a damaged file counts what was whole, and ends with 2", async () => {
    const packed = gzipSync(transactions(COUNT));
    await using place = await workplace(packed.subarray(0, packed.length - 100));
    const run = await place.run();
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(`Cannot read ${place.file}: its gzip data is cut off or damaged.`);
    expect(countsOf(run)).toMatchObject({ refused: 0 });
  });
});

describe("an import that cannot begin", () => {
  test.each([
    [
      "a file that is not there",
      ["--business", "b", "none.ndjson"],
      /^Cannot read none\.ndjson: there is no such file\.\n$/m,
    ],
    ["no owner", ["none.ndjson"], /--business <id>/],
    ["no file", ["--business", "b"], /missing required argument 'file'/],
    ["an unknown option", ["--business", "b", "-", "--bogus"], /unknown option '--bogus'/],
    ["a stage without a file", ["--business", "b", "-", "--stage", "nowhere"], /stages\/nowhere\.json/],
    ["a stage that is a path", ["--business", "b", "-", "--stage", "../x"], /is not the name of a stage/],
    ["an engine that is not a URL", ["--business", "b", "-", "--dynamodb-endpoint", "x"], /must be a URL/],
    [
      "an engine that is not there",
      ["--business", "b", "-", "--dynamodb-endpoint", "http://127.0.0.1:9"],
      /does not answer/,
    ],
  ])("for %s says so without a stack, with 2", async (_, args, line) => {
    await using place = await emptyPlace("");
    const run = await runOperator(["import", "transactions", ...args, "--data", place.data], {
      cwd: place.directory,
    });
    expect(run).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(line) });
    expect(run.stderr).not.toMatch(/^ +at /m);
  });

  test("for tables that a stage does not have says so, with 2", async () => {
    await using place = await emptyPlace(transactions(1));
    const engine = await startRawEngine("dynalite");
    const env = { AWS_ACCESS_KEY_ID: "x", AWS_SECRET_ACCESS_KEY: "x", AWS_REGION: "eu-west-1" };
    const args = ["import", "transactions", "--business", "b", place.file, "--stage", "example"];
    const run = await runOperator([...args, "--dynamodb-endpoint", engine.endpoint], { env });
    expect(run).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/has no such table\. .*deploy the stage/),
    });
    await engine.close();
  });
});
