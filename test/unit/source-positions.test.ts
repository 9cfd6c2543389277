import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { originalFrames } from "../../lib/source-positions.ts";
import { scratchDirectory } from "../support/scratch.ts";

const SOURCE = `
const unused = 1;
export function fails(): never {
  throw new Error("a fault");
}
`;

test("a frame of a bundle names the line of its source, and any other frame stays as it is", async () => {
  const directory = scratchDirectory();
  const outfile = path.join(directory, "index.mjs");
  await build({
    stdin: { contents: SOURCE, sourcefile: "lib/fails.ts", loader: "ts" },
    outfile,
    minify: true,
    format: "esm",
    sourcemap: true,
    sourcesContent: false,
  });
  const column = (await readFile(outfile, "utf8")).indexOf("new Error") + 1;
  const url = pathToFileURL(outfile).href;
  const elsewhere = [
    "at process.processTicksAndRejections (node:internal/process/task_queues:104:5)",
    "at <anonymous>",
  ];
  const frames = [
    `at r (${url}:1:${column})`,
    `at ${url}:1:${column}`,
    `at async r (${outfile}:1:${column})`,
  ];
  const found = originalFrames([...frames, ...elsewhere]);
  expect(found.slice(0, 3)).toEqual([
    expect.stringMatching(/^at r \(.*lib\/fails\.ts:4:9\)$/),
    expect.stringMatching(/^at [^ (]*lib\/fails\.ts:4:9$/),
    expect.stringMatching(/^at async r \(.*lib\/fails\.ts:4:9\)$/),
  ]);
  expect(found.slice(3)).toEqual(elsewhere);
});

test("a map is read once, and no file for a place in Node.js itself", async () => {
  const directory = scratchDirectory();
  const outfile = path.join(directory, "index.mjs");
  await build({
    stdin: { contents: SOURCE, sourcefile: "lib/fails.ts", loader: "ts" },
    outfile,
    format: "esm",
    sourcemap: true,
  });
  const frames = ["(", "at ", "(node:", "(node:internal"].map((before) => {
    const after = before.startsWith("(") ? ")" : "";
    return `${after === "" ? "" : "at fails "}${before}${outfile}:4:9${after}`;
  });
  const found = originalFrames(frames);
  expect(found.map((frame) => frame.includes("lib/fails.ts"))).toEqual([true, true, false, false]);
  await rm(`${outfile}.map`);
  expect(originalFrames(frames)).toEqual(found);
});

test("a file without a map, and one whose map is damaged, leave a frame as it is", () => {
  const frames = ["at r (file:///nowhere/index.mjs:1:10)", `at r (${import.meta.filename}:1:10)`];
  expect(originalFrames(frames)).toEqual(frames);
});
