import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { contractBrand } from "../../../lib/brand.ts";
import { SellOrderStore } from "../../../lib/sell-orders/sell-order-store.ts";
import { TransactionStore } from "../../../lib/transactions/transaction-store.ts";
import { openStore } from "../../../local/store/engine.ts";
import type { OperatorStore } from "../../../ops/store/operator-store.ts";
import { cases } from "../../support/cases.ts";
import { startDynamoProxy } from "../../support/dynamodb-proxy.ts";
import { startRawEngine } from "../../support/engine.ts";
import { countsOf, failing, runOperator } from "../../support/operator.ts";
import { withStore } from "../../support/with-store.ts";
import { emptyWorkplace, type Workplace, workplace } from "../../support/workplace.ts";
import { sellOrder, transaction, transactions } from "./records.ts";

const BUSINESS = "business-1";
const CARD_NUMBER = "4111111111111111";

const transactionsOf = ({ table }: OperatorStore) => new TransactionStore(table("Transactions"));

/** A place with a file of records, and the import of it. */
async function importPlace(records: string | Buffer, open: () => Promise<Workplace> = workplace) {
  const place = await open();
  const file = await place.write("records.ndjson", records);
  const words = ["import", "transactions", "--business", BUSINESS, file, "--new"];
  return {
    ...place,
    file,
    words,
    import: (...more: readonly string[]) => place.run(...words, ...more),
    importWith: (env: Readonly<Record<string, string>>) =>
      runOperator([...words, "--data", place.data], { env }),
    rejects: () => readFile(`${file}.rejects.ndjson`, "utf8").catch(() => undefined),
    read: (id: string) => withStore(place, (store) => transactionsOf(store).get(BUSINESS, id)),
  };
}

/** The same with a data directory that the first command makes. */
const emptyPlace = (records: string | Buffer) => importPlace(records, emptyWorkplace);

describe("importing transactions", () => {
  test("stores every record before the first start of the gateway, and again changes nothing", async () => {
    await using place = await emptyPlace(transactions(50));
    const first = await place.import();
    expect(first).toMatchObject({
      code: 0,
      stderr: `Made a new store in ${place.data}.\nThe business "business-1" has no records yet: these would be its first.\n`,
    });
    expect(countsOf(first)).toEqual({ written: 50, unchanged: 0, stale: 0, refused: 0, lines: 50 });
    const second = await place.import();
    expect(second).toMatchObject({ code: 0, stderr: "" });
    expect(countsOf(second)).toEqual({ written: 0, unchanged: 50, stale: 0, refused: 0, lines: 50 });
    expect(await place.read("tx-49")).toBe(transaction("tx-49"));
  });

  test("takes hundreds of records of a gzip file from standard input in one run", async () => {
    const count = cases(400);
    await using place = await importPlace("");
    const words = ["import", "transactions", "--business", BUSINESS, "-", "--new"];
    const run = await place.from(gzipSync(transactions(count)), ...words);
    expect(run.code).toBe(0);
    expect(countsOf(run)).toMatchObject({ written: count, lines: count });
  });

  test("stores a correction of what was final, counts it as unusual, and lists its line and step", async () => {
    const declined = { state: "declined", completed_at: null, created_at: "2026-11-02T09:00:00Z" };
    const lines = [
      transaction("tx-1", { ...declined, updated_at: "2026-11-02T10:00:01Z" }),
      transaction("tx-2"),
      transaction("tx-1"),
    ];
    await using place = await importPlace(lines.join("\n"));
    const run = await place.import();
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
    const again = await place.import();
    expect(countsOf(again)).toEqual({ written: 0, unchanged: 2, stale: 1, refused: 0, lines: 3 });
    expect(await place.rejects()).toBeUndefined();
  });

  test("refuses a version from the future, and takes a wrong newest one back by a correction, with a trace", async () => {
    const wrong = transaction("tx-1", { updated_at: "2026-11-20T00:00:00Z", reference: "wrong" });
    const right = transaction("tx-1");
    await using place = await importPlace(
      [wrong, right, transaction("tx-2", { updated_at: "9999-12-31T23:59:59.999999Z" })].join("\n"),
    );
    const first = await place.import();
    expect(first.code).toBe(1);
    expect(countsOf(first)).toMatchObject({ written: 1, stale: 1, refused: 1 });
    expect(JSON.parse((await place.rejects()) ?? "null")).toMatchObject({
      line: 3,
      kind: "refused",
      reason: expect.stringMatching(/^updated_at is more than a day ahead of the importing clock/),
    });
    await writeFile(place.file, right);
    const second = await place.import("--correct", "--reason", "a wrong feed");
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
    expect(countsOf(await place.import())).toMatchObject({ written: 0, stale: 1 });
    expect(await place.read("tx-1")).toBe(right);
  });

  test.each([
    [["--reason", "why"], "--reason goes with --correct only."],
    [["--correct", "--reason", " "], "Say why with --reason TEXT, one line of 1 to 200 characters."],
    [["--correct", "--reason", "a\u001b[2J"], "Say why with --reason TEXT, one line of 1 to 200 characters."],
  ])("with %j says what is wrong, with 2, and stores nothing", async (args, line) => {
    await using place = await importPlace(transactions(1));
    expect(await place.import(...args)).toMatchObject({ code: 2, stdout: "", stderr: `${line}\n` });
  });

  test("uses the engine of a gateway that is running on the data directory", async () => {
    await using place = await emptyPlace(transactions(5));
    expect((await place.import()).code).toBe(0);
    const gateway = await openStore(place.data, { kind: "gateway" });
    try {
      expect(countsOf(await place.import())).toMatchObject({ unchanged: 5 });
    } finally {
      await gateway.close();
    }
  });

  test("by two processes at once ends as by one", async () => {
    await using place = await emptyPlace(transactions(300));
    const runs = await Promise.all([place.import(), place.start(place.words).ended]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    const counts = runs.map(countsOf);
    expect(counts.map(({ lines }) => lines)).toEqual([300, 300]);
    expect(counts.reduce((sum, { written = 0 }) => sum + written, 0)).toBe(300);
  });
});

describe("importing sell orders", () => {
  const words = ["import", "sell-orders", "--partner", "acme", "-", "--new"];
  const id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

  test("stores them for their partner, with the digits of their amounts", async () => {
    await using place = await workplace();
    const run = await place.from(sellOrder(id, contractBrand.ownAccount), ...words);
    expect(countsOf(run)).toMatchObject({ written: 1 });
    const doc = await withStore(place, ({ table }) =>
      new SellOrderStore(table("SellOrders")).get("acme", id),
    );
    expect(doc).toContain('"amount":47.80,');
    expect(doc).toContain('"amount":0.123456789012345678,');
  });

  test("goes by the own-account word of the local gateway, as an option or in the environment", async () => {
    await using place = await workplace();
    const input = sellOrder(id, "housebank");
    expect((await place.from(input, ...words)).code).toBe(1);
    const env = { OWN_ACCOUNT_WORD: "housebank" };
    expect((await place.start(words, { input, env }).ended).code).toBe(0);
    expect((await place.from(input, ...words, "--own-account", "housebank")).code).toBe(0);
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
    await using place = await importPlace(lines.join("\n"));
    const run = await place.import();
    expect(run.code).toBe(1);
    expect(countsOf(run)).toEqual({ written: 2, unchanged: 0, stale: 0, refused: 3, lines: 5 });
    expect(run.stderr).toContain(`${place.file}.rejects.ndjson`);
    const rejects =
      (await place.rejects())
        ?.trim()
        .split("\n")
        .map((line): { readonly line: number } => JSON.parse(line)) ?? [];
    rejects.sort((a, b) => a.line - b.line);
    const kind = "refused";
    expect(rejects).toEqual([
      { line: 3, kind, reason: expect.stringMatching(/./) },
      { line: 4, kind, reason: expect.stringContaining("state") },
      { line: 5, kind, reason: "the line is longer than 65536 bytes" },
    ]);
    expect((await stat(`${place.file}.rejects.ndjson`)).mode & 0o777).toBe(0o600);
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
    await using place = await importPlace(refusals.join("\n"));
    for (const debug of ["", "1"]) {
      const run = await place.importWith({ DEBUG: debug });
      expect(countsOf(run)).toMatchObject({ written: 0, refused: refusals.length });
      const shown = `${run.stdout}${run.stderr}${await place.rejects()}`;
      expect(shown.replaceAll(/[\s-]/g, "")).not.toContain(CARD_NUMBER);
      expect(shown).not.toContain("11111111");
    }
  });

  test("go where --rejects says, but never over the imported file or a device", async () => {
    await using place = await importPlace("no json");
    const elsewhere = join(place.path, "elsewhere");
    expect((await place.import("--rejects", elsewhere)).code).toBe(1);
    expect(await readFile(elsewhere, "utf8")).toContain('"line":1');
    expect(await place.rejects()).toBeUndefined();
    expect(await place.import("--rejects", place.file)).toMatchObject({ code: 2 });
    expect(await place.import("--rejects", "/dev/null")).toMatchObject({ code: 2 });
    expect(await readFile(place.file, "utf8")).toBe("no json");
  });
});

describe("an import that is cut short", () => {
  const COUNT = 200;

  /** An empty place with so many records, whose engine is behind a proxy. */
  async function proxiedPlace(count: number, answer: Parameters<typeof startDynamoProxy>[1]) {
    const place = await emptyPlace(transactions(count));
    const engine = await startRawEngine("dynalite");
    const proxy = await startDynamoProxy(engine.endpoint, answer);
    return {
      ...place,
      env: { DYNAMODB_ENDPOINT: proxy.endpoint },
      /** The environment without the proxy. */
      straight: { DYNAMODB_ENDPOINT: engine.endpoint },
      [Symbol.asyncDispose]: async () => {
        await proxy[Symbol.asyncDispose]();
        await engine.close();
        await place[Symbol.asyncDispose]();
      },
    };
  }

  test("by Ctrl-C finishes what is under way, says how to go on, and is completed by the same command", async () => {
    // npm and the terminal both pass a Ctrl-C on, so it arrives twice.
    const interrupt = () => {
      running.child.kill("SIGINT");
      running.child.kill("SIGINT");
    };
    await using place = await proxiedPlace(COUNT, (nth) => {
      if (nth === 60) interrupt();
      return undefined;
    });
    const running = place.start(place.words, { env: place.env });
    const first = await running.ended;
    expect(first.code).toBe(130);
    expect(first.stderr).toMatch(
      /Stopping: finishing [1-9]\d* records, for half a minute at most; Ctrl-C again stops now\./,
    );
    expect(first.stderr).toContain("Run the same command again to continue");
    const { written = 0 } = countsOf(first);
    expect(written).toBeGreaterThanOrEqual(60);
    expect(written).toBeLessThan(COUNT);
    expect(await place.audit("import", { env: place.straight })).toMatchObject([
      { outcome: "stopped", counts: { written } },
      { outcome: "begun" },
    ]);
    const second = await place.importWith(place.env);
    expect(second.code).toBe(0);
    expect(countsOf(second)).toMatchObject({ written: COUNT - written, unchanged: written, lines: COUNT });
  });

  // These two wait for the client to give up, and do so side by side.
  test.concurrent("by a write that is taken and never answered is not: it is sent again", async () => {
    await using place = await proxiedPlace(60, (nth) => (nth === 20 ? "silence" : undefined));
    const run = await place.start(place.words, { env: place.env }).ended;
    expect(run).toMatchObject({ code: 0 });
    expect(countsOf(run)).toMatchObject({ written: 60, refused: 0, lines: 60 });
  });

  test.concurrent("by Ctrl-C while a write is not answered waits for its time, and is completed by the same command", async () => {
    await using place = await proxiedPlace(60, (nth) => {
      if (nth !== 20) return undefined;
      running.child.kill("SIGINT");
      return "silence";
    });
    const running = place.start(place.words, { env: place.env });
    const first = await running.ended;
    expect(first.code).toBe(130);
    expect(first.stderr).toContain("Run the same command again to continue");
    const second = await place.importWith(place.straight);
    expect(second.code).toBe(0);
    expect((countsOf(first).written ?? 0) + (countsOf(second).written ?? 0)).toBe(60);
  });

  test("by a fault of the store counts what was written, says what is wrong, and ends with 2", async () => {
    // The first write is the audit's line.
    await using place = await proxiedPlace(COUNT, (nth) => (nth > 61 ? "AccessDeniedException" : undefined));
    const first = await place.importWith(place.env);
    expect(first.code).toBe(2);
    const { written = 0, lines } = countsOf(first);
    // The journal's writes are among the sixty.
    expect(written).toBeGreaterThan(30);
    expect(written).toBe(lines);
    expect(first.stderr).toMatch(
      /^Made a new store in http.*\nThe business .*\n(?:.* per second\n)*The audit lacks this line: import transactions, transactions of business-1, failed\. .*\nThe store \(http.*\) does not let these AWS credentials do this\. [^\n]*\n$/,
    );
    expect(countsOf(await place.importWith(place.straight))).toMatchObject({
      written: COUNT - written,
      unchanged: written,
    });
  });

  test("by a damaged file counts what was whole, and ends with 2", async () => {
    const packed = gzipSync(transactions(COUNT));
    await using place = await importPlace(packed.subarray(0, packed.length - 100));
    const run = await place.import();
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
    const run = await place.run("import", "transactions", ...args);
    expect(run).toMatchObject(failing(line));
    expect(run.stderr).not.toMatch(/^ +at /m);
  });

  test("for tables that a stage does not have says so, with 2", async () => {
    await using place = await emptyPlace(transactions(1));
    const engine = await startRawEngine("dynalite");
    const env = { AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "x", AWS_REGION: "eu-west-1" };
    const args = ["import", "transactions", "--business", "b", place.file, "--stage", "example"];
    const run = await runOperator([...args, "--dynamodb-endpoint", engine.endpoint], { env });
    expect(run).toMatchObject(failing(/has no such table\. .*deploy the stage/));
    await engine.close();
  });
});
