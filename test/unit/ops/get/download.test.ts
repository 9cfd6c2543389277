import { appendFileSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { sentTrade, tradeDataset } from "../../../../ops/get/datasets.ts";
import { download } from "../../../../ops/get/download.ts";
import { type DownloadState, formats, pathsOf, type Question } from "../../../../ops/get/download-files.ts";
import { lineFormats } from "../../../../ops/get/line-formats.ts";
import type { Page, Reader } from "../../../../ops/get/readers.ts";
import { scratchDirectory } from "../../../support/scratch.ts";
import { servedTrade } from "../../../support/trades.ts";

const NOW = Date.parse("2026-11-28T12:00:00Z");
const question: Question = {
  get: "trades",
  symbol: "BTC-USD",
  from: new Date(NOW - 86_400_000).toISOString(),
  to: new Date(NOW).toISOString(),
};

/** A trade that was made so many milliseconds before NOW. */
const trade = (n: number) =>
  sentTrade({ ...servedTrade, tdt: NOW - n, pdt: NOW - n, p: `${n}.10`, tid: String(n).padStart(32, "0") });

const TRADES = [1, 2, 3, 4, 5, 6, 7].map(trade);
const PAGE_SIZE = 2;

const PAGES = 5;

/** Reads {@link TRADES}; the position is the count of trades that were read. */
const reader: Reader = {
  dataset: tradeDataset,
  calls: () => 1,
  read: async function* ({ position = 0, limit = TRADES.length, signal }) {
    for (let at = Number(position); ; at += PAGE_SIZE) {
      signal.throwIfAborted();
      const records = TRADES.slice(at, at + PAGE_SIZE).slice(0, limit - at);
      const costs = { pages: 1, tokens: 1, waitedMs: 0 };
      // The last page of a market is often empty.
      const isLast = at >= TRADES.length;
      const page: Page = { records, position: at + records.length, reachedMs: NOW - at, isLast, ...costs };
      yield page;
      if (isLast) return;
    }
  },
};

let directory: string;
let output: string;
beforeEach(() => {
  directory = scratchDirectory();
  output = join(directory, "trades");
});

const run = (changes: Partial<Parameters<typeof download>[0]> = {}) =>
  download({
    output,
    format: "ndjson",
    url: "https://api.example",
    given: "the same",
    question,
    readerOf: () => reader,
    signal: new AbortController().signal,
    clock: () => NOW,
    onState: () => {},
    ...changes,
  });

const left = (): readonly string[] =>
  [pathsOf(output).part, pathsOf(output).state, pathsOf(output).draft].filter(existsSync);

/** Throws where a process would have been killed: before it reads on after so many pages. */
const killedAfter = (pages: number) => {
  let seen = 0;
  return (state: DownloadState): void => {
    if (state.position !== undefined) seen += 1;
    if (seen === pages) throw new Error("killed");
  };
};

describe("a download", () => {
  test.each(formats)("has all records in their order, and a manifest: %s", async (format) => {
    const content = await run({ format });
    expect(content).toMatchObject({
      format,
      records: 7,
      first: { instant: "2026-11-28T11:59:59.999Z", id: TRADES[0]?.id },
      last: { instant: "2026-11-28T11:59:59.993Z", id: TRADES[6]?.id },
      bytes: readFileSync(output).length,
    });
    if (format !== "parquet") {
      const { head, body } = lineFormats[format];
      const lines = TRADES.map(({ line }) => body(tradeDataset, line));
      expect(readFileSync(output, "utf8")).toBe(head(tradeDataset) + lines.join(""));
    }
    const manifest = JSON.parse(readFileSync(pathsOf(output).manifest, "utf8"));
    expect(manifest).toMatchObject({ file: "trades", url: "https://api.example", asked: question, content });
    expect(left()).toEqual([]);
  });

  test.each([
    ["other options", { given: "another limit" }],
    ["another --format", { format: "csv" }],
    ["another service, https://api.example", { url: "https://other.example" }],
  ] as const)("does not go on with %s", async (what, changes) => {
    await expect(run({ onState: killedAfter(1) })).rejects.toThrow("killed");
    await expect(run(changes)).rejects.toThrow(`is of a download with ${what}. Begin anew with --fresh.`);
    await expect(run()).resolves.toMatchObject({ records: 7 });
  });

  test("does not go on from a state that is not its own", async () => {
    for (const text of ["", "{}", '{"state":2}']) {
      writeFileSync(pathsOf(output).state, text);
      await expect(run()).rejects.toThrow("is not a file that this command wrote. Begin anew with --fresh.");
    }
  });

  test("does not read on after a part that something else has changed", async () => {
    await expect(run({ onState: killedAfter(2) })).rejects.toThrow("killed");
    const { part } = pathsOf(output);
    const content = readFileSync(part, "utf8");
    rmSync(part);
    await expect(run()).rejects.toThrow("was changed or removed by something else");
    writeFileSync(part, content.replace("ETH", "ETX"));
    let states = 0;
    const onState = (): void => {
      states += 1;
    };
    await expect(run({ onState })).rejects.toThrow("was changed or removed by something else");
    expect(states).toBe(1);
  });

  test("tells of each day in UTC how many records it has, its first and its last, whatever zone their instants have", async () => {
    const instants = ["2026-11-28T01:00:00+02:00", "2026-11-27T23:59:59.999Z", "2026-11-26T23:00:00-02:00"];
    const records = instants.map((instant, at) => ({ ...trade(at), instant }));
    const read: Reader["read"] = async function* () {
      const page = { position: 3, reachedMs: NOW, isLast: true, pages: 1, tokens: 1, waitedMs: 0 };
      yield { records, ...page };
    };
    const { windows } = await run({ readerOf: () => ({ ...reader, read }) });
    const [first, , last] = records.map(({ instant, id }) => ({ instant, id }));
    expect(windows).toEqual({ "2026-11-27": { records: 3, first, last } });
  });

  test("asks the service for nothing once all was read", async () => {
    await expect(run({ onState: killedAfter(PAGES) })).rejects.toThrow("killed");
    const read = (): never => {
      throw new Error("no service");
    };
    await expect(run({ readerOf: () => ({ ...reader, read }) })).resolves.toMatchObject({ records: 7 });
  });

  test("does not become a file when something else wrote to its part", async () => {
    const onState = ({ isComplete }: DownloadState): void => {
      const { part } = pathsOf(output);
      if (isComplete) writeFileSync(part, readFileSync(part, "utf8").replace("ETH", "ETX"));
    };
    await expect(run({ onState })).rejects.toThrow("was changed or removed by something else");
    expect(existsSync(output)).toBe(false);
  });

  test("says why a file cannot be written, and what to do", async () => {
    const nowhere = join(directory, "no", "trades");
    await expect(run({ output: nowhere })).rejects.toThrow(
      `${nowhere} cannot be written: it is not there, or its directory`,
    );
  });

  test("is not touched by a second download, and is free again after the first, killed or not", async () => {
    const { lock } = pathsOf(output);
    let second: Promise<unknown> | undefined;
    const onState = (): void => {
      second ??= run({}).catch((error: unknown) => error);
    };
    await run({ onState });
    expect(await second).toMatchObject({ message: expect.stringContaining("Another command") });
    expect(left()).toEqual([]);
    for (const holder of ["", "0", `${2 ** 22 + 1}`]) {
      rmSync(output);
      writeFileSync(lock, holder);
      await run({});
      expect(left()).toEqual([]);
    }
  });
});

describe("a kill", () => {
  test.each(formats)("after any page loses nothing and repeats nothing: %s", async (format) => {
    await run({ format });
    const whole = readFileSync(output);
    for (let pages = 1; pages <= PAGES; pages += 1) {
      rmSync(output);
      await expect(run({ format, onState: killedAfter(pages) })).rejects.toThrow("killed");
      expect(existsSync(output)).toBe(false);
      // More was written than the state tells of.
      appendFileSync(pathsOf(output).part, "x".repeat(10_000));
      await run({ format });
      expect(readFileSync(output).equals(whole)).toBe(true);
      expect(left()).toEqual([]);
    }
  });

  test.each(formats)("at any step of the end is made good by the next run: %s", async (format) => {
    const { output: file, part, state, manifest } = pathsOf(output);
    await expect(run({ format, onState: killedAfter(PAGES) })).rejects.toThrow("killed");
    const saved = join(directory, "saved");
    for (const path of [part, state]) cpSync(path, join(saved, path));
    const restore = (path: string) => cpSync(join(saved, path), path);
    const content = await run({ format });
    const whole = readFileSync(file);
    const ends: readonly (() => void)[] = [
      // Before the manifest, and after it.
      () => [file, manifest].map((path) => rmSync(path)) && [part, state].map(restore),
      () => rmSync(file) ?? [part, state].map(restore),
      // After the part became the file, and after the part of a Parquet file was removed.
      () => restore(state),
      () => [part, state].map(restore),
    ];
    for (const end of ends) {
      end();
      expect(await run({ format })).toEqual(content);
      expect(readFileSync(file).equals(whole)).toBe(true);
      expect(left()).toEqual([]);
    }
  });

  test("at the end is not made good from another file", async () => {
    await expect(run({ onState: killedAfter(PAGES) })).rejects.toThrow("killed");
    rmSync(pathsOf(output).part);
    await expect(run()).rejects.toThrow("was removed, and");
    writeFileSync(output, "another file");
    await expect(run()).rejects.toThrow("was removed, and");
    expect(readFileSync(output, "utf8")).toBe("another file");
  });
});
