import { existsSync, mkdirSync, writeFileSync } from "node:fs";
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

it("starting afresh where nothing was yet makes the directory", async () => {
  const dataDir = join(scratchDirectory(), "new");
  await emptyDataDirectory(dataDir);
  expect(existsSync(dataDir)).toBe(true);
});

it("a directory that is not ours is not touched, though it has one of our names", async () => {
  const dataDir = scratchDirectory();
  mkdirSync(join(dataDir, "dynamodb"));
  writeFileSync(join(dataDir, "dynamodb", "precious"), "");
  await expect(emptyDataDirectory(dataDir)).rejects.toThrow(
    /no data directory of countinghouse.*Nothing was removed/,
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
