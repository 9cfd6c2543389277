import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { emptyDataDirectory, ForeignDirectory } from "../../../infra/local/data-directory.ts";
import { openStore } from "../../../infra/local/engine.ts";
import { temporaryDirectory } from "../../support/operator.ts";

const DRAFTS = ["demo.json.draft", "engine.json.draft", "issuer-key.json.draft"];
const FILES = ["demo.json", "engine.json", "issuer-key.json"];

async function dataDirectory(...files: readonly string[]) {
  const directory = await temporaryDirectory();
  await (await openStore(directory.path)).close();
  for (const file of files) await writeFile(join(directory.path, file), "{}");
  return directory;
}

describe("emptying a data directory", () => {
  test("removes all that countinghouse put there, and the drafts with secrets that a killed start left", async () => {
    await using directory = await dataDirectory(...FILES, ...DRAFTS);
    await emptyDataDirectory(directory.path);
    expect(await readdir(directory.path)).toEqual(["lock"]);
  });

  test("keeps what is not ours", async () => {
    await using directory = await dataDirectory("notes.txt", "demo.json.bak");
    await emptyDataDirectory(directory.path);
    expect((await readdir(directory.path)).sort()).toEqual(["demo.json.bak", "lock", "notes.txt"]);
  });

  test("removes nothing of a directory that is not ours, though a draft's name is in it", async () => {
    await using directory = await temporaryDirectory();
    await writeFile(join(directory.path, "demo.json.draft"), "mine");
    await expect(emptyDataDirectory(directory.path)).rejects.toThrow(ForeignDirectory);
    expect(await readdir(directory.path)).toEqual(["demo.json.draft"]);
  });
});
