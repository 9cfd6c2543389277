import { once } from "node:events";
import { expect, test } from "vitest";
import { busyTrades } from "../../../bench/support/busy-trades.ts";
import { putTrades } from "../../../lib/trades/put-trades.ts";
import { compact, minuteOf } from "../../../ops/segments/compact.ts";
import { countsOf, failing, type startOperator } from "../../support/operator.ts";
import { tradedPlace, withTrades } from "../../support/stored-trades.ts";
import { NOW } from "../../support/trades.ts";

const SYMBOL = "BTC-USD";
const DAY_MS = 86_400_000;

/** A data directory with a market of so many trades, and the file that they were imported from. */
async function market(count: number) {
  const trades = busyTrades(count, 30, NOW);
  const place = await tradedPlace(SYMBOL, trades);
  return {
    ...place,
    trades,
    withdrawal: [...place.importing, "--withdraw"],
    /** Stores the market's trades again, as messages of a queue bring them that hold few each. */
    again: () =>
      withTrades(place.data, async (_, register) => {
        for (let at = 0; at < trades.length; at += 7)
          await putTrades(register, SYMBOL, trades.slice(at, at + 7));
      }),
  };
}

/** Waits until a command has said something on standard error. */
async function untilSaid({ child }: ReturnType<typeof startOperator>, text: string): Promise<void> {
  while (!child.stderr.readableEnded) {
    const [chunk] = (await once(child.stderr, "data")) as [Buffer];
    if (chunk.toString().includes(text)) return;
  }
}

test("a withdrawal of few trades ends at once, and compacts nothing", async () => {
  await using few = await market(999);
  const { code, stderr } = await few.run(...few.withdrawal);
  expect([code, stderr.includes("step 1 of 3")]).toEqual([0, false]);
});

test("a withdrawal of a thousand trades goes on to compact them; stopped by Ctrl-C, it says what goes on", async () => {
  await using many = await market(1_000);
  const withdrawal = many.start(many.withdrawal);
  await untilSaid(withdrawal, "step 1 of 3");
  withdrawal.child.kill("SIGINT");
  const { code, stderr, stdout } = await withdrawal.ended;
  expect([code, stdout.includes("1,000")]).toEqual([130, true]);
  expect(stderr).toContain("Listings show what they did before; `segments compact BTC-USD` continues");
  const again = await many.importAll();
  expect(countsOf(again)).toMatchObject({ written: 0, stale: 1_000 });
  expect(again.stdout).toContain("Trades left out because they are withdrawn: 1,000.");
});

test("where nothing costs more than it must, compacting a market is done at once", async () => {
  await using whole = await market(50);
  expect(await whole.run("segments", "compact", SYMBOL)).toMatchObject({
    code: 0,
    stdout: "BTC-USD: nothing to compact.\n",
  });
  const { stdout } = await whole.run("segments", "check", SYMBOL);
  expect(stdout).toMatch(
    /^1,000 trades take (\d\.\d) read units, and would take \1 after a compaction\.\nA compaction does not pay\.$/m,
  );
});

test("trades that were delivered again are found, and a dry run says what a compaction would do, and changes nothing", async () => {
  await using delivered = await market(300);
  await delivered.again();
  const found = await delivered.run("segments", "check", SYMBOL, "--json");
  expect([found.code, JSON.parse(found.stdout)]).toMatchObject([
    0,
    {
      market: SYMBOL,
      damaged: [],
      trades: 300,
      isWorthCompacting: true,
      worstDays: [{ day: "2026-11-24", isWorthCompacting: true }],
    },
  ]);
  const text = (await delivered.run("segments", "check", SYMBOL)).stdout;
  expect(text).toContain("`segments compact BTC-USD` pays.");
  expect(text).toMatch(/^2026-11-24 {2}300 /m);
  const dry = await delivered.run("segments", "compact", SYMBOL, "--dry-run", "--json");
  const planned = JSON.parse(dry.stdout) as Record<string, number>;
  expect(planned).toMatchObject({ market: SYMBOL, outcome: "planned", withdrawnTrades: 0, leftStretches: 0 });
  expect(planned.segmentsAfter).toBe(planned.stretches);
  expect(planned.segmentsBefore).toBeGreaterThan(3 * (planned.segmentsAfter ?? 0));
  expect((await delivered.run("segments", "check", SYMBOL, "--json")).stdout).toBe(found.stdout);
});

test("a compaction asks first, is told to the audit, and shows the same trades when it is stopped in its pause", async () => {
  await using delivered = await market(300);
  await delivered.again();
  const before = await delivered.shown();
  expect(await delivered.run("segments", "compact", SYMBOL)).toMatchObject(
    failing(/^Compact \d stretches of BTC-USD\? .*--yes/),
  );
  const compaction = delivered.start(["segments", "compact", SYMBOL, "--yes", "--json"]);
  await untilSaid(compaction, "Waiting 80 s");
  compaction.child.kill("SIGINT");
  const { code, stdout } = await compaction.ended;
  expect([code, JSON.parse(stdout)]).toMatchObject([130, { outcome: "stopped" }]);
  expect(await delivered.shown()).toEqual(before);
  const target = "segments of BTC-USD";
  expect(await delivered.audit("segments compact")).toEqual([
    { target, outcome: "stopped" },
    { target, outcome: "begun" },
  ]);
  const finished = await withTrades(delivered.data, (_, register) =>
    compact({
      store: register,
      symbol: SYMBOL,
      minutes: delivered.trades.map(({ tradedAt }) => minuteOf(tradedAt)),
      clock: () => NOW + DAY_MS,
      pause: async () => {},
      stop: new AbortController().signal,
      report: () => {},
    }),
  );
  expect(finished).toMatchObject({ tradeCount: 0, leftCount: 0 });
  expect(await delivered.shown()).toEqual(before);
  expect((await delivered.run("segments", "compact", SYMBOL)).stdout).toBe("BTC-USD: nothing to compact.\n");
});

test("--from and --to limit both commands to whole minutes of a market, and --to needs --from", async () => {
  await using delivered = await market(60);
  await delivered.again();
  const at = (ms: number) => new Date(ms).toISOString();
  const counted = async (...span: readonly string[]) =>
    JSON.parse((await delivered.run("segments", "check", SYMBOL, "--json", ...span)).stdout).trades;
  expect(await counted("--from", at(NOW - 10_000), "--to", at(NOW))).toBe(60);
  expect(await counted("--from", at(NOW + 60_000), "--to", at(NOW + 120_000))).toBe(0);
  expect(await delivered.run("segments", "check", SYMBOL, "--to", at(NOW))).toMatchObject({
    code: 2,
    stderr: "--to goes with --from.\n",
  });
  expect(
    await delivered.run("segments", "check", SYMBOL, "--from", at(NOW), "--to", at(NOW - 1)),
  ).toMatchObject({
    code: 2,
    stderr: "--from must not be later than --to.\n",
  });
});
