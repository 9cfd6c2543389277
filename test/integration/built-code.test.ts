import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { builtCode, holdCode } from "../../local/code/built-code.ts";
import { HTTP_IMPORT } from "../support/build-bundle.ts";
import { projectRoot as ownRoot } from "../support/project.ts";
import { scratchDirectory } from "../support/scratch.ts";

const INSTALLATION = `
export const here: string = import.meta.dirname;
export const thread = new URL("./store/engine-worker.mjs", import.meta.url);`;

let projectRoot: string;
let cacheDirectory: string;
beforeEach(() => {
  projectRoot = scratchDirectory();
  cacheDirectory = join(projectRoot, "cache");
  write("local/run-start.ts", 'export * from "./installation.ts"; export { word } from "../lib/word.ts";');
  write("publish/worlds/run-worlds.ts", "export {};");
  write("local/installation.ts", INSTALLATION);
  write("local/store/engine-worker.ts", 'export { word } from "../../lib/word.ts";');
  write("local/runtime/execution-worker.ts", "export {};");
  write("local/demo/trades-worker.ts", "export {};");
  write("lib/word.ts", 'export const word: string = "first";');
});

function write(path: string, code: string): void {
  mkdirSync(join(projectRoot, path, ".."), { recursive: true });
  writeFileSync(join(projectRoot, path), code);
}

const build = (): Promise<string> => builtCode({ projectRoot, cacheDirectory, clock: systemClock });

const load = async (directory: string) => await import(pathToFileURL(join(directory, "run-start.mjs")).href);

describe("the built code of npm start", () => {
  test("is made once for each change of a source", async () => {
    const first = await build();
    expect(await build()).toBe(first);
    expect((await load(first)).word).toBe("first");
    write("lib/word.ts", 'export const word: string = "second";');
    const second = await build();
    expect(second).not.toBe(first);
    expect((await load(second)).word).toBe("second");
  });

  test("stays while it runs, however many are made of newer sources", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const buildOf = async (word: number): Promise<string> => {
      write("lib/word.ts", `export const word = ${word};`);
      return await build();
    };
    const [left, running] = [await buildOf(1), await buildOf(2)];
    holdCode(running, systemClock);
    await vi.advanceTimersByTimeAsync(2 * 3_600_000 + 300_000);
    for (const word of [3, 4, 5, 6]) await buildOf(word);
    const kept = readdirSync(cacheDirectory).map((name) => join(cacheDirectory, name));
    expect(kept).toContain(running);
    expect(kept).not.toContain(left);
  });

  test("knows where its project is, and where its threads are", async () => {
    const directory = await build();
    const { here, thread } = await load(directory);
    expect(here).toBe(join(projectRoot, "local"));
    expect(thread.href).toBe(pathToFileURL(join(directory, "store/engine-worker.mjs")).href);
  });

  test.each<readonly [string, (file: string) => void]>([
    ["is missing", (file) => rmSync(file)],
    ["ends early", (file) => truncateSync(file, 10)],
  ])("is made again when a file of it %s", async (_, damage) => {
    const directory = await build();
    damage(join(directory, "run-start.mjs"));
    expect(await build()).toBe(directory);
    expect((await load(directory)).word).toBe("first");
  });

  test("is the same for starts that build at the same time, and leaves no draft", async () => {
    const [one, other] = await Promise.all([build(), build()]);
    expect(one).toBe(other);
    expect(readdirSync(cacheDirectory)).toEqual([expect.not.stringContaining(".")]);
  });

  test("is not kept for a source that is wrong", async () => {
    write("lib/word.ts", "export const word = ;");
    await expect(build()).rejects.toThrow("word.ts");
    expect(readdirSync(cacheDirectory)).toEqual([]);
  });

  test("is not made where nothing can be written", async () => {
    const file = join(projectRoot, "file");
    writeFileSync(file, "");
    await expect(
      builtCode({ projectRoot, cacheDirectory: join(file, "cache"), clock: systemClock }),
    ).rejects.toThrow("ENOTDIR");
  });
});

test("no program or thread of npm start loads the HTTP that only a WebSocket needs", async () => {
  const code = await builtCode({
    projectRoot: ownRoot,
    cacheDirectory: join(ownRoot, "node_modules/.cache/countinghouse-built"),
    clock: systemClock,
  });
  const files = readdirSync(code, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".mjs"),
  );
  expect(files).toContain("run-start.mjs");
  expect(files.filter((name) => HTTP_IMPORT.test(readFileSync(join(code, name), "utf8")))).toEqual([]);
});
