import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { contractBrand } from "../../../lib/brand.ts";
import { countsOf, failing } from "../../support/operator.ts";
import { emptyWorkplace, type Workplace, workplace } from "../../support/workplace.ts";
import { sellOrder, transaction, transactions } from "./records.ts";

const ORDER = sellOrder("01ARZ3NDEKTSV4RRFFQ69G5FAV", contractBrand.ownAccount);

/** Imports from standard input, as the words after `import` say. */
const from = (here: Pick<Workplace, "from">, input: string, line: string) =>
  here.from(input, "import", ...line.split(" "), "-");

describe("an owner that has no records yet", () => {
  test.each([
    ["transactions", "--business", transaction("tx-1")],
    ["sell-orders", "--partner", ORDER],
  ])("of %s is refused where nobody can be asked, and nothing is stored", async (kind, option, line) => {
    await using here = await workplace();
    const file = await here.write("records", `${line}\n`);
    const owner = option.slice(2);
    const refused = await here.run("import", kind, option, "harbor", file);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain(
      `The ${owner} "harbor" has no records yet: these would be its first. Nothing was stored. Check the name, or give --new.`,
    );
    expect((await from(here, line, `${kind} ${option} harbor`)).code).toBe(2);
    for (const [flag, outcome] of [
      ["--new", { written: 1 }],
      ["--yes", { unchanged: 1 }],
    ] as const) {
      const run = await here.run("import", kind, option, "harbor", file, flag);
      expect([run.code, countsOf(run)]).toMatchObject([0, outcome]);
    }
    const known = await here.run("import", kind, option, "harbor", file);
    expect([known.code, known.stderr]).toEqual([0, ""]);
    expect((await here.run("import", kind, option, "harbour", file)).code).toBe(2);
  });

  test("is not asked about for a file that holds nothing", async () => {
    await using here = await workplace();
    const file = await here.write("records", "\n\n");
    const run = await here.run("import", "transactions", "--business", "harbor", file);
    expect([run.code, countsOf(run)]).toMatchObject([0, { lines: 0 }]);
  });
});

describe("a dry run", () => {
  const versions = [
    transaction("tx-1", { state: "pending", completed_at: null }),
    transaction("tx-1", { updated_at: "2026-11-02T10:00:06Z", completed_at: "2026-11-02T10:00:06Z" }),
    transaction("tx-1", { state: "declined", updated_at: "2026-11-02T10:00:07Z", completed_at: null }),
    transaction("tx-1", { state: "pending", completed_at: null }),
    transaction("tx-2", { state: "invented" }),
  ];

  test("says of every line what an import would, unusual steps included, and stores nothing", async () => {
    await using here = await workplace();
    const file = await here.write("records", `${versions.join("\n")}\n`);
    const args = ["transactions", "--business", "acme", file];
    const dry = await here.run("import", ...args, "--dry-run");
    expect([dry.code, countsOf(dry)]).toMatchObject([1, { written: 3, unusual: 1, stale: 1, refused: 1 }]);
    expect(dry.stdout).toContain("This was a dry run: nothing was stored.");
    expect(dry.stderr).toContain("has no records yet");
    const again = await here.run("import", ...args, "--dry-run");
    expect(countsOf(again)).toEqual(countsOf(dry));
    const real = await here.run("import", ...args, "--new");
    expect([real.code, countsOf(real)]).toEqual([1, countsOf(dry)]);
    const after = await here.run("import", ...args, "--dry-run");
    expect(countsOf(after)).toMatchObject({ written: 0, unchanged: 1, stale: 3, refused: 1 });
  });

  test.each([
    ["sell-orders", ["--partner", "acme"], ORDER],
    ["transactions", ["--business", "acme"], transaction("tx-1")],
    ["passes", [], '{"partner_reference":"p-1","type":"loyalty_pass","version":1,"template_id":"t"}'],
    ["trades", ["--market", "BTC-USD"], '{"tdt":1690000000000,"p":"1","q":"2"}'],
  ])("of %s works before there is a store, and makes none", async (kind, owner, line) => {
    await using here = await emptyWorkplace();
    const file = await here.write("records", `${line}\n`);
    const run = await here.run("import", kind, ...owner, file, "--dry-run");
    expect([run.code, countsOf(run)]).toMatchObject([0, { written: 1 }]);
    expect(run.stderr).not.toContain("Made a new store");
    expect(existsSync(here.data)).toBe(false);
  });

  test("of trades says that their market would be listed, and lists none", async () => {
    await using here = await workplace();
    const trade = '{"tdt":1690000000000,"p":"1","q":"2"}';
    const trades = await from(here, trade, "trades --market BTC-USD --dry-run");
    expect(trades.stderr).toContain("BTC-USD would be listed, as Bitcoin in USD.");
    const listed = await here.run("markets", "list");
    expect(listed.stdout).toBe("No market is listed.\n");
  });
});

describe("members that the contract does not have", () => {
  test("are left out where that is asked for, counted and named, and refused elsewhere", async () => {
    await using here = await workplace();
    const line = transaction("tx-1", { risk: 1, legs: [] }).replace(
      '"legs":[]',
      '"legs":[{"leg_id":"l","amount":-12.30,"currency":"EUR","account_id":"a","note":"x"}]',
    );
    const refused = await from(here, line, "transactions --business acme --new");
    expect(refused.stderr).toContain("risk is not a member");
    const lines = `${line}\n${line.replace("tx-1", "tx-2")}`;
    const dropped = await from(here, lines, "transactions --business acme --new --drop-unknown");
    expect([dropped.code, countsOf(dropped)]).toMatchObject([0, { written: 2 }]);
    expect(dropped.stdout).toContain(
      "Members left out because the contract does not have them: 4 (legs.note 2, risk 2)",
    );
    const trade = '{"tdt":1690000000000,"p":"1","q":"2","fee":"0"}';
    const trades = await from(here, trade, "trades --market BTC-USD --drop-unknown");
    expect([trades.code, trades.stdout]).toEqual([
      0,
      expect.stringContaining("does not have them: 1 (fee 1)"),
    ]);
    const other = await from(here, "", "trades --market BTC-USD --drop-unknown --format kraken");
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("--format ndjson")]);
  });
});

describe("a file of another form", () => {
  test.each([
    ["records that are a JSON array", `[${transaction("tx-1")}]`, "transactions --business acme --new"],
    ["trades that are a JSON array", '[\n{"tdt":1}\n]', "trades --market BTC-USD"],
  ])("is said to be one, with 2, and nothing of it is stored: %s", async (_, text, args) => {
    await using here = await workplace();
    const run = await from(here, text, args);
    expect(run).toMatchObject(failing("`jq -c '.[]'`"));
  });

  test("is not read to its end, and is told from the one that was meant", async () => {
    await using here = await workplace();
    const rows = Array.from({ length: 5_000 }, (_, n) => `${1_690_000_000 + n},27000.1,0.5\n`);
    const run = await from(here, rows.join(""), "trades --market BTC-USD --format binance");
    expect([run.code, countsOf(run)]).toMatchObject([2, { refused: 1_000 }]);
    expect(run.stderr).toContain("looks like --format kraken");
    expect(run.stderr).toContain("the rest of the file was not read");
    const records = await from(here, transactions(1).repeat(3), "passes");
    expect([records.code, records.stderr]).toEqual([1, expect.stringContaining("`import transactions`")]);
  });
});

test("trades that lie before 2009 are stored, counted, and listed as remarks", async () => {
  await using here = await workplace();
  const file = await here.write(
    "records",
    '{"tdt":1583020803,"tid":"9","p":"8531.5","q":"1"}\n{"tdt":1583020803145,"p":"1","q":"1"}\n',
  );
  const run = await here.run("import", "trades", "--market", "BTC-USD", file);
  expect([run.code, countsOf(run)]).toMatchObject([0, { written: 2 }]);
  expect(run.stdout).toContain("Trades before 2009: 1. Are their times in seconds?");
  expect(JSON.parse(await readFile(`${file}.rejects.ndjson`, "utf8"))).toEqual({
    line: 1,
    kind: "remark",
    reason: "tdt or pdt lies before 2009: is it in seconds?",
  });
});
