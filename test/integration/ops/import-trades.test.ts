import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { busyTrades } from "../../../bench/support/busy-trades.ts";
import { comparePlaces } from "../../../lib/trades/trade.ts";
import { countsOf, failing } from "../../support/operator.ts";
import { ndjsonOf, shownTrades } from "../../support/stored-trades.ts";
import { NOW, recordText } from "../../support/trades.ts";
import { workplace } from "../../support/workplace.ts";
import { zipOf } from "../../support/zip.ts";

const here = await workplace();
const { run, file } = here;
afterAll(() => here[Symbol.asyncDispose]());

const importTrades = (name: string, market: string, ...more: readonly string[]) =>
  run("import", "trades", name, "--market", market, ...more);

const shown = async (symbol: string) => (await shownTrades(here.data, symbol)).map(recordText);

const trades = busyTrades(6_000, 40, NOW);
const expected = trades.toSorted((a, b) => comparePlaces(b, a)).map(recordText);

test("files that overlap, repeat each other, and come packed or plain leave each trade once, to the letter", async () => {
  await here.write("first.gz", gzipSync(ndjsonOf(trades.slice(0, 3_500))));
  await here.write(
    "second.zip",
    zipOf("trades.ndjson", Buffer.from(ndjsonOf(trades.slice(2_501).toReversed()))),
  );
  const first = await importTrades("first.gz", "BTC-USD");
  expect([first.code, countsOf(first)]).toMatchObject([0, { written: 3_500, refused: 0 }]);
  const second = await importTrades("second.zip", "BTC-USD");
  const counts = countsOf(second);
  expect([second.code, counts]).toMatchObject([0, { lines: 3_499, refused: 0 }]);
  // The files share 999 trades. Those of the segments at the edges of a file are stored twice.
  expect(counts.unchanged).toBeGreaterThan(900);
  expect(counts.unchanged).toBeLessThanOrEqual(999);
  expect(await shown("BTC-USD")).toEqual(expected);
  const again = await importTrades("first.gz", "BTC-USD");
  expect(countsOf(again)).toMatchObject({ written: 0, unchanged: 3_500 });
  expect(again.stdout).not.toContain("import undo");
  expect(await shown("BTC-USD")).toEqual(expected);
});

test("a correction and a withdrawal are imported like anything else", async () => {
  const [wrong, busted] = [trades[100], trades[200]].filter((record) => record !== undefined);
  if (wrong === undefined || busted === undefined) throw new Error("There are not enough trades.");
  await here.write("wrong.ndjson", ndjsonOf([{ ...wrong, price: "1.00" }]));
  await here.write("busted.ndjson", ndjsonOf([busted]));
  await importTrades("wrong.ndjson", "BTC-USD", "--revision", "1");
  await importTrades("busted.ndjson", "BTC-USD", "--withdraw");
  const corrected = expected
    .filter((text) => text !== recordText(busted))
    .map((text) => (text === recordText(wrong) ? recordText({ ...wrong, price: "1.00" }) : text));
  expect(await shown("BTC-USD")).toEqual(corrected);
});

test("a refused line is told by number and reason, and the others are stored", async () => {
  await here.write("kraken.csv", "1795000000.5,122.0,0.1\n1795000001,1e-7,5\n1795000002,3,4\n");
  const run1 = await importTrades("kraken.csv", "ETH-EUR", "--format", "kraken");
  expect([run1.code, countsOf(run1)]).toMatchObject([1, { written: 2, refused: 1 }]);
  const rejects = await readFile(file("kraken.csv.rejects.ndjson"), "utf8");
  expect(JSON.parse(rejects)).toEqual({
    line: 2,
    kind: "refused",
    reason: "p must be written in plain digits, without an exponent",
  });
  expect((await run("markets", "list")).stdout).toMatch(/^ETH-EUR +Ethereum +EUR +\d{4}-\S+ +local:\S+$/m);
});

test("a market is listed with its first trade, and by nothing less", async () => {
  const isListed = async (symbol: string) => (await run("markets", "list")).stdout.includes(`${symbol} `);
  await here.write("bad.ndjson", '{"p":1}\n');
  await here.write("other.ndjson", `${JSON.stringify({ type: "match", product_id: "BTC-USD" })}\n`);
  await here.write("good.ndjson", `{"p":1}\n${ndjsonOf(trades.slice(0, 1))}`);
  await here.write("empty.ndjson", "");
  const into = (name: string, ...more: string[]) => importTrades(name, "LTC-USD", ...more);
  for (const [name, code, ...more] of [
    ["bad.ndjson", 1],
    ["empty.ndjson", 0],
    ["other.ndjson", 0, "--format", "coinbase"],
    ["none.ndjson", 2],
  ] as const) {
    const refused = await into(name, ...more);
    expect([name, refused.code]).toEqual([name, code]);
    expect(refused.stderr).not.toContain("is listed now");
    expect(await isListed("LTC-USD")).toBe(false);
  }
  for (const name of ["good.ndjson", "none.ndjson"]) {
    expect(await into(name, "--withdraw")).toMatchObject(
      failing(/^LTC-USD is not listed, so .* Check --market/),
    );
    expect(await isListed("LTC-USD")).toBe(false);
  }
  const first = await into("good.ndjson");
  expect(first.stderr).toContain("LTC-USD is listed now, as Litecoin in USD.");
  expect(await isListed("LTC-USD")).toBe(true);
  expect((await into("good.ndjson")).stderr).not.toContain("is listed now");
});

test("an import ends with the lines that undo it and read its trades, and without the last if none are there", async () => {
  await here.write("good.ndjson", ndjsonOf(trades.slice(0, 1)));
  const imported = async (...more: string[]) =>
    (await importTrades("good.ndjson", "DOGE-USD", ...more)).stdout;
  expect(await imported("--dry-run")).not.toContain("To read them");
  const at = new Date(trades[0]?.tradedAt ?? 0).toISOString();
  const reads = `To read them: npm run --silent ops -- get trades DOGE-USD --from ${at} --to ${at} --data "${here.data}"\n`;
  const first = await imported();
  expect(first).toMatch(/: `npm run ops -- import undo imp-\S+ --data "[^"]+"` takes this import back\.\n/);
  for (const said of [first, await imported()]) expect(said.endsWith(reads)).toBe(true);
  expect(await imported("--withdraw")).not.toContain("To read them");
});

test("no refusal repeats what it refused", async () => {
  const secret = "4111111111111111";
  const whole = { tdt: NOW, p: "1", q: "1", tid: 1, s: "buy" };
  const wrong = [`${secret}e7`, `-${secret}`, `${secret}x`, `0${secret}`, secret.repeat(3)];
  const lines = Object.keys(whole).flatMap((name) =>
    wrong.map((value) => JSON.stringify({ ...whole, [name]: value })),
  );
  await here.write("wrong.ndjson", lines.join("\n"));
  const csv = wrong.flatMap((value) => [
    `${value},1,1`,
    `1795000000,${value},1`,
    `1795000000,1,${value}`,
    value,
  ]);
  await here.write("wrong.csv", csv.join("\n"));
  for (const [name, format] of [
    ["wrong.ndjson", "ndjson"],
    ["wrong.ndjson", "coinbase"],
    ["wrong.csv", "kraken"],
    ["wrong.csv", "binance"],
  ] as const) {
    const args = ["--format", format, "--rejects", "wrong.rejects"];
    const { code, stdout, stderr } = await importTrades(name, "BTC-USD", ...args);
    const rejects = await readFile(file("wrong.rejects"), "utf8");
    expect(code).toBe(1);
    for (const line of rejects.trimEnd().split("\n"))
      expect(JSON.parse(line).reason).toMatch(/^(?:\w+|the \w+) (?:must|is required)/);
    expect(`${stdout}${stderr}${rejects}`).not.toContain("41111111");
  }
});

test("a wrong market, format or revision is refused before anything is opened", async () => {
  for (const [option, value] of [
    ["--market", "btcusd"],
    ["--format", "csv"],
    ["--revision", "-1"],
  ] as const) {
    const refused = await importTrades("-", "BTC-USD", option, value);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(option)]);
  }
});

test("trades that share instant and id, and withdrawals of what is not there, are told by their lines, with an end of 1", async () => {
  const line = (tid: string, q: string, s: string) =>
    JSON.stringify({ tdt: NOW - 5_000, tid, p: "48.06", q, s });
  const remarksOf = async (name: string) =>
    (await readFile(file(`${name}.rejects.ndjson`), "utf8"))
      .trim()
      .split("\n")
      .map((text): unknown => JSON.parse(text));
  const importOf = async (name: string, lines: readonly string[], ...more: readonly string[]) => {
    await here.write(name, lines.map((text) => `${text}\n`).join(""));
    return await importTrades(name, "BUST-USD", ...more);
  };
  const lines = [line("7700", "100", "buy"), line("7701", "1", "buy"), line("7700", "1", "sell")];
  const first = await importOf("double.ndjson", lines, "--json");
  expect([first.code, JSON.parse(first.stdout)]).toMatchObject([
    1,
    { counts: { written: 2, stale: 1, double: 1, missed: 0, refused: 0, lines: 3 } },
  ]);
  expect(await remarksOf("double.ndjson")).toEqual([
    { line: 1, kind: "remark", reason: expect.stringContaining("another trade, in line 3") },
  ]);
  const late = await importOf("late.ndjson", [line("7701", "3", "sell")]);
  expect([late.code, late.stdout]).toMatchObject([1, expect.stringMatching(/^double +1$/m)]);
  const busts = [line("7700", "1", "sell"), line("999999", "1", "sell")];
  const bust = await importOf("bust.ndjson", busts, "--withdraw", "--json");
  expect([bust.code, JSON.parse(bust.stdout)]).toMatchObject([1, { counts: { written: 2, missed: 1 } }]);
  expect(await remarksOf("bust.ndjson")).toEqual([
    { line: 2, kind: "remark", reason: expect.stringContaining("no trade has this tdt and tid") },
  ]);
  expect((await importOf("hit.ndjson", [line("7701", "1", "buy")], "--withdraw")).code).toBe(0);
});
