import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { emptyDataDirectory } from "../../local/store/data-directory.ts";
import { openStore } from "../../local/store/engine.ts";
import { scratchDirectory } from "../support/scratch.ts";

async function usedDirectory(): Promise<string> {
  const dataDir = scratchDirectory();
  await (await openStore(dataDir)).close();
  writeFileSync(join(dataDir, "demo.json"), "{}");
  writeFileSync(join(dataDir, "issuer-key.json"), "{}");
  return dataDir;
}

it("starting afresh creates a missing directory", async () => {
  const dataDir = join(scratchDirectory(), "new");
  await emptyDataDirectory(dataDir);
  expect(existsSync(dataDir)).toBe(true);
});

it("a directory that is not ours is not touched, even if an entry has one of our names", async () => {
  const dataDir = scratchDirectory();
  mkdirSync(join(dataDir, "dynamodb"));
  writeFileSync(join(dataDir, "dynamodb", "precious"), "");
  await expect(emptyDataDirectory(dataDir)).rejects.toThrow(
    /is not a data directory of countinghouse.*Nothing was changed/,
  );
  expect(existsSync(join(dataDir, "dynamodb", "precious"))).toBe(true);
});

it("a directory that is in use is not touched", async () => {
  const dataDir = await usedDirectory();
  const store = await openStore(dataDir);
  await expect(emptyDataDirectory(dataDir)).rejects.toThrow(/in use/);
  await store.close();
  expect(existsSync(join(dataDir, "demo.json"))).toBe(true);
});

it.each(["dynamodb", "demo.json", "exchange-private.pem", "engine.json.draft"])(
  "a directory that is not ours is not opened either, even if it has %s",
  async (name) => {
    const dataDir = scratchDirectory();
    writeFileSync(join(dataDir, name), "mine");
    await expect(openStore(dataDir)).rejects.toThrow(/is not a data directory of countinghouse, but has/);
    expect(readdirSync(dataDir)).toEqual([name]);
    expect(readFileSync(join(dataDir, name), "utf8")).toBe("mine");
  },
);

it("a directory in which a start was killed before it set the mark is opened", async () => {
  const dataDir = scratchDirectory();
  mkdirSync(join(dataDir, "countinghouse-assembly"));
  writeFileSync(join(dataDir, "notes.txt"), "");
  await (await openStore(dataDir)).close();
});

it("an incomplete copy of a store is refused, and keeps its files", async () => {
  const dataDir = await usedDirectory();
  const files = join(dataDir, "dynamodb");
  rmSync(join(files, "CURRENT"));
  writeFileSync(join(files, "000009.ldb"), "precious");
  await expect(openStore(dataDir)).rejects.toThrow(/cannot be read \(its file CURRENT is missing\).*--fresh/);
  expect(readFileSync(join(files, "000009.ldb"), "utf8")).toBe("precious");
});
