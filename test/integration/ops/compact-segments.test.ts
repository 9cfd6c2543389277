import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { countsOf, runOperator, startOperator, temporaryDirectory } from "../../support/operator.ts";
import { busyTrades, NOW } from "../../support/trades.ts";

const SYMBOL = "BTC-USD";

/** A data directory with a market of so many trades, and the file that they were imported from. */
async function market(count: number) {
  const directory = await temporaryDirectory();
  const file = join(directory.path, "trades.ndjson");
  const lines = busyTrades(count, 30, NOW).map(({ tradedAt, price, quantity, id }) =>
    JSON.stringify({ tdt: tradedAt, p: price, q: quantity, tid: id }),
  );
  await writeFile(file, `${lines.join("\n")}\n`);
  const at = ["--data", join(directory.path, "data")];
  const options = { cwd: directory.path };
  const importing = ["import", "trades", file, "--market", SYMBOL, ...at];
  expect(await runOperator(importing, options)).toMatchObject({ code: 0 });
  return {
    withdraw: () => startOperator([...importing, "--withdraw"], options),
    compact: () => startOperator(["segments", "compact", SYMBOL, ...at], options),
    importAgain: () => runOperator(importing, options),
    [Symbol.asyncDispose]: directory[Symbol.asyncDispose],
  };
}

test("a withdrawal of few trades ends at once, and compacts nothing", async () => {
  await using few = await market(999);
  const { code, stderr } = await few.withdraw().ended;
  expect([code, stderr.includes("step 1 of 3")]).toEqual([0, false]);
});

test("a withdrawal of a thousand trades goes on to compact them; stopped by Ctrl-C, it says what goes on", async () => {
  await using many = await market(1_000);
  const withdrawal = many.withdraw();
  while (!withdrawal.child.stderr.readableEnded) {
    const [chunk] = (await once(withdrawal.child.stderr, "data")) as [Buffer];
    if (chunk.toString().includes("step 1 of 3")) break;
  }
  withdrawal.child.kill("SIGINT");
  const { code, stderr, stdout } = await withdrawal.ended;
  expect([code, stdout.includes("1,000")]).toEqual([130, true]);
  expect(stderr).toContain("Listings show what they did before; `segments compact BTC-USD` continues");
  const again = await many.importAgain();
  expect(countsOf(again)).toMatchObject({ written: 0, stale: 1_000 });
  expect(again.stdout).toContain("Trades left out because they are withdrawn: 1,000.");
});

test("where nothing is withdrawn, compacting a market is done at once", async () => {
  await using whole = await market(50);
  const { code, stdout } = await whole.compact().ended;
  expect([code, stdout]).toEqual([0, "BTC-USD: nothing to compact.\n"]);
});
