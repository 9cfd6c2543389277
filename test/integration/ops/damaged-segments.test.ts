import { randomBytes } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DamagedSegment, keyText } from "../../../lib/trades/read-segment.ts";
import { withdrawnPartitionOf } from "../../../lib/trades/segment-key.ts";
import type { StoredSegment } from "../../../lib/trades/trade-store.ts";
import { failing } from "../../support/operator.ts";
import { tradedPlace, withTrades } from "../../support/stored-trades.ts";
import { NOW, trade } from "../../support/trades.ts";

const SYMBOL = "BTC-USD";
/** Each in a segment of its own. */
const TRADES = [0, 1, 2].map((n) => trade(n, NOW - n * 60_000));

/** A data directory with a market of three segments, and what tests do with it. */
async function market() {
  const place = await tradedPlace(SYMBOL, TRADES);
  /** Puts what is made of the nth segment, from the oldest. @returns the first of it. */
  const put = (nth: number, make: (segment: StoredSegment) => readonly StoredSegment[]) =>
    withTrades(place.data, async (_, register) => {
      const segments = await Array.fromAsync(register.list(SYMBOL));
      const segment = segments.toSorted((a, b) => Buffer.compare(a.sort, b.sort))[nth];
      if (segment === undefined) throw new Error("There is no such segment.");
      const made = make(segment);
      await register.put(made);
      return made[0] ?? segment;
    });
  return {
    ...place,
    put,
    check: (market = SYMBOL) => place.run("segments", "check", market),
    takeOut: (key: Parameters<typeof keyText>[0] | string, ...args: readonly string[]) =>
      place.run("segments", "take-out", typeof key === "string" ? key : keyText(key), ...args),
    /** Overwrites a segment with what no writer wrote. */
    damage: (nth: number) => put(nth, (segment) => [{ ...segment, payload: randomBytes(16) }]),
    shown: async () => (await place.shown()).map(({ tradedAt }) => NOW - tradedAt),
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
  const sound = await place.put(0, () => []);
  const remove = (...[key, ...args]: Parameters<typeof place.takeOut>) =>
    place.takeOut(key, "--yes", ...args);
  expect(await remove(sound)).toMatchObject(failing("can be read, so it was not taken out"));
  expect(await remove(`${keyText(sound)}00`)).toMatchObject(failing("There is no segment"));
  expect(await remove("BTC-USD")).toMatchObject(failing("`segments check`"));
  const damaged = await place.damage(2);
  expect(await remove(damaged, "--keep-in", join(place.path, "none"))).toMatchObject(
    failing(/was not taken out.*ENOENT.*--keep-in/),
  );
  expect((await place.check()).code).toBe(1);
  expect(await place.check("ETH-USD")).toMatchObject(failing("No market ETH-USD is listed"));
});

test("taking a segment out asks first; a dry run says what it would do; the audit is told what was done", async () => {
  await using place = await market();
  const key = keyText(await place.damage(1));
  const takeOut = (...args: readonly string[]) => place.takeOut(key, ...args);
  expect(await takeOut()).toMatchObject(failing(/^Take the damaged segment .* out\? .*--yes/));
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
  const damaged = await place.put(0, (segment) => [
    { ...segment, partition: withdrawnPartitionOf(segment.partition), payload: randomBytes(16) },
  ]);
  expect(await place.importAll()).toMatchObject({
    ...failing(keyText(damaged)),
    stdout: expect.stringMatching(/written +0/),
  });
  expect((await place.check()).stdout).toContain(keyText(damaged));
  const removed = await place.takeOut(damaged, "--yes", "--keep-in", place.path);
  expect(removed.stdout).toContain("withdraw them again");
  expect(await place.importAll()).toMatchObject({ code: 0 });
  expect(await place.shown()).toEqual([0, 60_000, 120_000]);
});

test("what stands under a key without an instant keeps no market from being compacted", async () => {
  await using place = await market();
  await place.put(0, ({ partition, payload }) => [
    { partition, sort: Buffer.alloc(28, 0xff), payload },
    { partition: withdrawnPartitionOf(partition), sort: Buffer.alloc(3, 0xff), payload },
  ]);
  expect(await place.run("segments", "compact", SYMBOL)).toMatchObject({
    code: 0,
    stdout: "BTC-USD: nothing to compact.\n",
  });
  expect((await place.check()).stdout).toContain("5 segments, 2 of them damaged");
});
