import { chmod, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { StartError } from "../../../../local/start-error.ts";
import { emptyDataDirectory, mendModes } from "../../../../local/store/data-directory.ts";
import { dataNames, draftOf, ownNames, privateFileNames } from "../../../../local/store/data-files.ts";
import { openStore } from "../../../../local/store/engine.ts";
import { inDataDirectory, makeDirectory } from "../../../../local/store/in-data-directory.ts";
import { ForeignDirectory } from "../../../../local/store/own-directory.ts";
import { temporaryDirectory } from "../../../support/operator.ts";

async function dataDirectory(...files: readonly string[]) {
  const directory = await temporaryDirectory();
  await (await openStore(directory.path)).close();
  for (const file of files) await writeFile(join(directory.path, file), "{}");
  return directory;
}

describe("an error of the system", () => {
  test.each(["EACCES", "EPERM", "EROFS", "ENOSPC", "ENOENT", "EEXIST", "ENOTDIR", "EMFILE"])(
    "%s becomes one line that names the directory and says what to do",
    async (code) => {
      const fault = Object.assign(new Error(`${code}: in words`), { code });
      const error = await inDataDirectory("/data", () => Promise.reject(fault)).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(StartError);
      expect(error.message).toMatch(/^\/data cannot be the data directory: .+\. Name another with --data\.$/);
    },
  );
});

describe("creating a directory", () => {
  test("creates its missing parents as well, for their owner only, and leaves an existing one as it is", async () => {
    await using directory = await temporaryDirectory();
    const path = join(directory.path, "a", "b", "c");
    await Promise.all([makeDirectory(path), makeDirectory(path)]);
    expect((await stat(join(directory.path, "a"))).mode & 0o777).toBe(0o700);
    await writeFile(join(path, "mine"), "");
    await makeDirectory(path);
    expect(await readdir(path)).toEqual(["mine"]);
  });

  test.each(["/proc/x", "/proc/x/y/z", "/dev/null/x"])(
    "fails where none can be created: %s",
    async (path) => {
      await expect(makeDirectory(path)).rejects.toThrow(path.split("/x")[0]);
    },
  );
});

describe("emptying a data directory", () => {
  test("removes everything that countinghouse put there, and the drafts with secrets that a killed start left", async () => {
    await using directory = await dataDirectory(...privateFileNames, ...privateFileNames.map(draftOf));
    await mkdir(join(directory.path, dataNames.assembly));
    await emptyDataDirectory(directory.path);
    expect(await readdir(directory.path)).toEqual(["lock"]);
  });

  test("keeps files that are not ours", async () => {
    await using directory = await dataDirectory("notes.txt", "demo.json.bak");
    await emptyDataDirectory(directory.path);
    expect((await readdir(directory.path)).sort()).toEqual(["demo.json.bak", "lock", "notes.txt"]);
  });

  test.each(ownNames.filter((name) => name !== dataNames.lock && name !== dataNames.assembly))(
    "removes nothing from a directory that is not ours, even if it has %s",
    async (name) => {
      await using directory = await temporaryDirectory();
      await writeFile(join(directory.path, name), "mine");
      await expect(emptyDataDirectory(directory.path)).rejects.toThrow(ForeignDirectory);
      expect(await readdir(directory.path)).toEqual([name]);
    },
  );
});

test("access to every private file, and to no other, is restricted to its owner again", async () => {
  await using directory = await dataDirectory(...privateFileNames, "notes.txt");
  const modesOf = (names: readonly string[]) =>
    Promise.all(names.map(async (name) => (await stat(join(directory.path, name))).mode & 0o777));
  const all = [...privateFileNames, "notes.txt"];
  for (const name of all) await chmod(join(directory.path, name), 0o644);
  await mendModes(directory.path);
  expect(await modesOf(all)).toEqual([...privateFileNames.map(() => 0o600), 0o644]);
});
