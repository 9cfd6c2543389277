import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { emptyDataDirectory, ForeignDirectory } from "../../../infra/local/data-directory.ts";
import { openStore } from "../../../infra/local/engine.ts";
import { inDataDirectory, makeDirectory } from "../../../infra/local/in-data-directory.ts";
import { StartError } from "../../../infra/local/start-error.ts";
import { temporaryDirectory } from "../../support/operator.ts";

const DRAFTS = ["demo.json.draft", "engine.json.draft", "issuer-key.json.draft"];
const FILES = ["demo.json", "engine.json", "issuer-key.json", "start.json"];

async function dataDirectory(...files: readonly string[]) {
  const directory = await temporaryDirectory();
  await (await openStore(directory.path)).close();
  for (const file of files) await writeFile(join(directory.path, file), "{}");
  return directory;
}

describe("what the system does not allow", () => {
  test.each(["EACCES", "EPERM", "EROFS", "ENOSPC", "ENOENT", "EEXIST", "ENOTDIR", "EMFILE"])(
    "for %s is one line that names the directory and says what to do",
    async (code) => {
      const fault = Object.assign(new Error(`${code}: in words`), { code });
      const error = await inDataDirectory("/data", () => Promise.reject(fault)).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(StartError);
      expect(error.message).toMatch(/^\/data cannot be the data directory: .+\. Name another with --data\.$/);
    },
  );
});

describe("making a directory", () => {
  test("makes those above it as well, for their owner only, and leaves one that is there as it is", async () => {
    await using directory = await temporaryDirectory();
    const path = join(directory.path, "a", "b", "c");
    await Promise.all([makeDirectory(path), makeDirectory(path)]);
    expect((await stat(join(directory.path, "a"))).mode & 0o777).toBe(0o700);
    await writeFile(join(path, "mine"), "");
    await makeDirectory(path);
    expect(await readdir(path)).toEqual(["mine"]);
  });

  test.each(["/proc/x", "/proc/x/y/z", "/dev/null/x"])("fails where none can be made: %s", async (path) => {
    await expect(makeDirectory(path)).rejects.toThrow(path.split("/x")[0]);
  });
});

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
