import { randomBytes } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DamagedSegment, keyText } from "../../../lib/trades/read-segment.ts";
import { withdrawnPartitionOf } from "../../../lib/trades/segment-key.ts";
import type { StoredSegment } from "../../../lib/trades/trade-store.ts";
import { withTrades } from "../../support/stored-trades.ts";
import { listAll, NOW, trade } from "../../support/trades.ts";
import { workplace } from "../../support/workplace.ts";

const SYMBOL = "BTC-USD";
/** Each in a segment of its own. */
const TRADES = [0, 1, 2].map((n) => trade(n, NOW - n * 60_000));

/** A data directory with a market of three segments, and what tests do with it. */
async function market() {
  const place = await workplace();
  const { data } = place;
  const lines = TRADES.map(({ tradedAt, price, quantity, id }) =>
    JSON.stringify({ tdt: tradedAt, p: price, q: quantity, tid: id }),
  );
  const file = await place.write("trades.ndjson", `${lines.join("\n")}\n`);
  const importAll = () => place.run("import", "trades", file, "--market", SYMBOL);
  expect(await importAll()).toMatchObject({ code: 0 });
  return {
    ...place,
    importAll,
    check: (market = SYMBOL) => place.run("segments", "check", market),
    takeOut: (key: Parameters<typeof keyText>[0] | string, ...args: readonly string[]) =>
      place.run("segments", "take-out", typeof key === "string" ? key : keyText(key), ...args),
    /** Overwrites the nth segment, from the oldest, with what no writer wrote. */
    damage: (nth: number): Promise<StoredSegment> =>
      withTrades(data, async (_, register) => {
        const segments = (await Array.fromAsync(register.list(SYMBOL))).sort((a, b) =>
          Buffer.compare(a.sort, b.sort),
        );
        const segment = segments[nth];
        if (segment === undefined) throw new Error("There is no such segment.");
        const damaged = { ...segment, payload: randomBytes(16) };
        await register.put([damaged]);
        return damaged;
      }),
    shown: (): Promise<number[]> =>
      withTrades(data, async (store) => {
        const window = { startMs: NOW - 86_400_000, endMs: NOW };
        const pages = await listAll(store, { symbol: SYMBOL, window, limit: 10, now: NOW });
        return pages.flat().map(({ tradedAt }) => NOW - tradedAt);
      }),
  };
}

test("a damaged segment is found, taken out into a file, and imported again", async () => {
  await using place = await market();
  expect(await place.check()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("BTC-USD: 3 segments, 0 of them damaged.\n"),
  });
  const damaged = await place.damage(1);
  await expect(place.shown()).rejects.toThrow(DamagedSegment);

  const found = await place.check();
  expect(found.code).toBe(1);
  expect(found.stdout).toContain("3 segments, 1 of them damaged");
  expect(found.stdout).toContain(`${keyText(damaged)}  ${new Date(NOW - 60_000).toISOString()}`);

  const removed = await place.takeOut(damaged, "--yes", "--keep-in", place.path);
  expect(removed).toMatchObject({ code: 0, stdout: expect.stringContaining("Import the market's trades") });
  const [kept] = (await readdir(place.path)).filter((name) => name.startsWith("damaged-"));
  const path = join(place.path, kept ?? "");
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual({
    partition: damaged.partition,
    sort: damaged.sort.toString("hex"),
    payload: damaged.payload.toString("base64"),
  });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await place.shown()).toEqual([0, 120_000]);
  expect(await place.check()).toMatchObject({ code: 0 });

  await place.importAll();
  expect(await place.shown()).toEqual([0, 60_000, 120_000]);
});

test("what can be read, is not there, or cannot be kept stays as it is", async () => {
  await using place = await market();
  const [sound] = await withTrades(place.data, (_, register) => Array.fromAsync(register.list(SYMBOL)));
  if (sound === undefined) throw new Error("The market is empty.");
  const remove = (...[key, ...args]: Parameters<typeof place.takeOut>) =>
    place.takeOut(key, "--yes", ...args);
  expect(await remove(sound)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("can be read, so it was not taken out"),
  });
  expect(await remove(`${keyText(sound)}00`)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("There is no segment"),
  });
  expect(await remove("BTC-USD")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("`segments check`"),
  });
  const damaged = await place.damage(2);
  expect(await remove(damaged, "--keep-in", join(place.path, "none"))).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/was not taken out.*ENOENT.*--keep-in/),
  });
  expect((await place.check()).code).toBe(1);
  expect(await place.check("ETH-USD")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("No market ETH-USD is listed"),
  });
});

test("taking a segment out asks first; a dry run says what it would do; the audit is told what was done", async () => {
  await using place = await market();
  const key = keyText(await place.damage(1));
  const takeOut = (...args: readonly string[]) => place.takeOut(key, ...args);
  expect(await takeOut()).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Take the damaged segment .* out\? .*--yes/),
  });
  const between = {
    held: "trades",
    from: new Date(NOW - 60_000).toISOString(),
    to: new Date(NOW - 60_000).toISOString(),
  };
  const dry = await takeOut("--dry-run", "--json");
  expect([dry.code, JSON.parse(dry.stdout)]).toEqual([0, { segment: key, outcome: "planned", ...between }]);
  expect((await place.check()).code).toBe(1);
  const done = await takeOut("--yes", "--json", "--keep-in", place.path);
  const keptIn = expect.stringContaining(place.path);
  expect([done.code, JSON.parse(done.stdout)]).toEqual([
    0,
    { segment: key, keptIn, outcome: "takenOut", ...between },
  ]);
  expect(await place.audit("segments take-out")).toEqual([{ target: `segment ${key}`, outcome: "done" }]);
});

test("a segment that was written anew after it was looked at is not taken out", async () => {
  await using place = await market();
  const damaged = await place.damage(0);
  await withTrades(place.data, async (_, register) => {
    expect(await register.remove({ ...damaged, payload: Buffer.from("other") })).toBe(false);
    expect(await register.remove(damaged)).toBe(true);
    expect(await register.remove(damaged)).toBe(false);
  });
});

test("a damaged withdrawal that stands apart ends an import that it may say something of, and can be taken out", async () => {
  await using place = await market();
  const damaged = await withTrades(place.data, async (_, register) => {
    const [segment] = await Array.fromAsync(register.list(SYMBOL));
    if (segment === undefined) throw new Error("The market is empty.");
    const apart = {
      ...segment,
      partition: withdrawnPartitionOf(segment.partition),
      payload: randomBytes(16),
    };
    await register.put([apart]);
    return apart;
  });
  expect(await place.importAll()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(keyText(damaged)),
  });
  expect((await place.check()).stdout).toContain(keyText(damaged));
  const removed = await place.takeOut(damaged, "--yes", "--keep-in", place.path);
  expect(removed.stdout).toContain("withdraw them again");
  expect(await place.importAll()).toMatchObject({ code: 0 });
  expect(await place.shown()).toEqual([0, 60_000, 120_000]);
});

test("what stands under a key without an instant keeps no market from being compacted", async () => {
  await using place = await market();
  await withTrades(place.data, async (_, register) => {
    const [segment] = await Array.fromAsync(register.list(SYMBOL));
    if (segment === undefined) throw new Error("The market is empty.");
    const { partition, payload } = segment;
    await register.put([
      { partition, sort: Buffer.alloc(28, 0xff), payload },
      { partition: withdrawnPartitionOf(partition), sort: Buffer.alloc(3, 0xff), payload },
    ]);
  });
  expect(await place.run("segments", "compact", SYMBOL)).toMatchObject({
    code: 0,
    stdout: "BTC-USD: nothing to compact.\n",
  });
  expect((await place.check()).stdout).toContain("5 segments, 2 of them damaged");
});
