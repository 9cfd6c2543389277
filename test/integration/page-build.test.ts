import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { buildKeptPage } from "../../local/page/page-build.ts";
import {
  openPageSource,
  type PageSource,
  type PageSourceOptions,
  type PageState,
} from "../../local/page/page-source.ts";
import { scratchDirectory } from "../support/scratch.ts";

const DAY_MS = 86_400_000;
const NOW = 1_795_554_000_000;

/** Writes a page whose document has the text of its source, and notes each run. */
const BUILDER = `
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
const [, , directory] = process.argv;
const source = readFileSync("page/src/source.txt", "utf8");
appendFileSync("runs.txt", "run\\n");
if (source === "wrong") { console.error("the source is wrong"); process.exit(1); }
if (source === "slow") await new Promise((resolve) => setTimeout(resolve, 600_000));
mkdirSync(directory + "/assets", { recursive: true });
writeFileSync(directory + "/assets/a.js", "");
writeFileSync(directory + "/index.html", source);
`;

let project: string;
let cache: string;
beforeEach(async () => {
  project = scratchDirectory();
  cache = join(project, "cache");
  await mkdir(join(project, "page/src"), { recursive: true });
  await writeFile(join(project, "page/build-page.ts"), BUILDER);
  await write("first");
});

const write = (source: string): Promise<void> => writeFile(join(project, "page/src/source.txt"), source);

const runs = async (): Promise<number> =>
  (await readFile(join(project, "runs.txt"), "utf8").catch(() => "")).split("\n").length - 1;

const build = (nowMs = NOW, signal = new AbortController().signal) =>
  buildKeptPage({
    projectRoot: project,
    cacheDirectory: cache,
    environment: {},
    clock: () => nowMs,
    building: () => {},
    signal,
  });

const documentOf = async (...given: Parameters<typeof build>): Promise<string> =>
  (await build(...given)).document;

describe("a page of a clone", () => {
  test("is built once for each change of its sources", async () => {
    expect([await documentOf(), await documentOf(), await runs()]).toEqual(["first", "first", 1]);
    await write("second");
    expect([await documentOf(), await runs()]).toEqual(["second", 2]);
    await write("first");
    expect([await documentOf(), await runs()]).toEqual(["first", 2]);
  });

  test("is not built again for what a build has left beside its sources", async () => {
    await build();
    await mkdir(join(project, "page/dist"));
    await writeFile(join(project, "page/dist/index.html"), "left");
    expect([await documentOf(), await runs()]).toEqual(["first", 1]);
  });

  test("that cannot be built says what the builder said, and leaves no draft", async () => {
    await write("wrong");
    await expect(build()).rejects.toThrow("The page could not be built:\nthe source is wrong");
    expect(await readdir(cache)).toEqual([]);
  });

  test("is not kept for ever: the three that were used last stay, and drafts of the last hour", async () => {
    for (const [at, source] of ["a", "b", "c", "d"].entries()) {
      await write(source);
      await build(NOW + at * DAY_MS);
    }
    const usedAt = NOW + 5 * DAY_MS;
    for (const [name, ageMs] of [
      ["0.old-draft", 3_600_001],
      ["0.new-draft", 3_599_999],
    ] as const) {
      await mkdir(join(cache, name));
      await utimes(join(cache, name), (usedAt - ageMs) / 1000, (usedAt - ageMs) / 1000);
    }
    await write("b");
    await build(usedAt);
    expect(await runs()).toBe(4);
    expect((await readdir(cache)).filter((name) => name.includes("."))).toEqual(["0.new-draft"]);
    expect((await readdir(cache)).filter((name) => !name.includes("."))).toHaveLength(3);
  });
});

describe("a source of the page", () => {
  /** A source, and what it has told. */
  function openSource(place: PageSourceOptions["place"] = { projectRoot: project }) {
    const told: string[] = [];
    const source = openPageSource(
      { place, environment: {}, clock: () => NOW },
      { building: () => told.push("building"), failed: (reason) => told.push(reason) },
    );
    return { source, told };
  }

  /** How far a source is once nothing is under way any more. */
  async function settled(source: PageSource): Promise<PageState> {
    let state = await source.state();
    for (; state.kind === "building"; state = await source.state()) await new Promise(setImmediate);
    return state;
  }

  test("builds nothing before somebody asks for the page, and then once", async () => {
    const { source, told } = openSource();
    await source.close();
    expect([await runs(), told]).toEqual([0, []]);
    const other = openSource();
    expect(await Promise.all([other.source.state(), other.source.state()])).toEqual([
      { kind: "building" },
      { kind: "building" },
    ]);
    expect((await settled(other.source)).kind).toBe("ready");
    expect([await runs(), other.told]).toEqual([1, ["building"]]);
    await other.source.close();
  });

  test("has a page that was kept at the first question", async () => {
    const { source } = openSource();
    await settled(source);
    const later = openSource();
    expect(await later.source.state()).toMatchObject({ kind: "ready", files: { document: "first" } });
    expect(later.told).toEqual([]);
  });

  test("ends a build under way when it is closed, and complains of nothing", async () => {
    await write("slow");
    const { source, told } = openSource();
    expect(await source.state()).toEqual({ kind: "building" });
    while ((await runs()) === 0) await new Promise(setImmediate);
    await source.close();
    expect(told).toEqual(["building"]);
    expect(await readdir(join(project, "node_modules/.cache/countinghouse-page"))).toEqual([]);
  });

  test("says once why there is no page", async () => {
    await write("wrong");
    const { source, told } = openSource();
    expect((await settled(source)).kind).toBe("failed");
    expect(told).toEqual(["building", "The page could not be built:\nthe source is wrong"]);
    await source.close();
  });

  test("takes the ready page of a package, without a build", async () => {
    const readyPage = join(project, "ready");
    await mkdir(readyPage);
    await writeFile(join(readyPage, "index.html"), "ready");
    const { source, told } = openSource({ readyPage });
    expect(await source.state()).toMatchObject({ kind: "ready", files: { document: "ready" } });
    expect([await runs(), told]).toEqual([0, []]);
    await source.close();
  });
});
