import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { StartError } from "../../../../local/process/start-error.ts";
import { emptyDataDirectory, mendModes } from "../../../../local/store/data-directory.ts";
import { dataNames, draftOf, ownNames, privateFileNames } from "../../../../local/store/data-files.ts";
import { openStore } from "../../../../local/store/engine.ts";
import { inDataDirectory, makeDirectory } from "../../../../local/store/in-data-directory.ts";
import {
  ForeignDirectory,
  requireOwnEntries,
  UntrustedEntry,
} from "../../../../local/store/own-directory.ts";
import { readPrivateFile } from "../../../../local/store/private-file.ts";
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

describe("a data directory that another user may have prepared is refused:", () => {
  const OWN = 1_000;
  const DIRECTORY = 0o040_700;

  /** Looks at entries that all are this user's and nobody else's, but for these. */
  const seen =
    (others: Readonly<Record<string, { readonly uid?: number; readonly mode?: number }>>) =>
    async (path: string) => ({
      uid: OWN,
      mode: DIRECTORY,
      isSymbolicLink: () => false,
      ...others[path],
    });
  const judge = (...others: Parameters<typeof seen>) =>
    requireOwnEntries("/d", ownNames, { uid: OWN, look: seen(...others) });

  test.each(["/d", ...ownNames.map((name) => `/d/${name}`)])(
    "%s of somebody else, root too",
    async (path) => {
      await judge({});
      for (const uid of [0, 1_001])
        await expect(judge({ [path]: { uid } })).rejects.toThrow(
          `${path} belongs to user ${uid}, and this process to user 1000`,
        );
    },
  );

  test.each(["/d", ...privateFileNames.map((name) => `/d/${name}`)])(
    "%s that others may write",
    async (path) => {
      for (const mode of [0o755, 0o644]) await judge({ [path]: { mode } });
      for (const mode of [0o777, 0o720, 0o602, 0o1777])
        await expect(judge({ [path]: { mode } })).rejects.toThrow(`${path} can be written by other users`);
    },
  );

  test("what stands for it elsewhere is not used, and what is refused stays as it was", async () => {
    await using directory = await dataDirectory();
    await using elsewhere = await temporaryDirectory();
    const victim = join(elsewhere.path, "victim.txt");
    await writeFile(victim, "mine", { mode: 0o644 });
    await symlink(victim, join(directory.path, dataNames.demo));
    await expect(openStore(directory.path)).rejects.toThrow(/demo\.json is a link.*name another directory/);
    await expect(emptyDataDirectory(directory.path)).rejects.toThrow(UntrustedEntry);
    await expect(readPrivateFile(directory.path, dataNames.demo)).rejects.toThrow(UntrustedEntry);
    await mendModes(directory.path);
    expect([await readFile(victim, "utf8"), (await stat(victim)).mode & 0o777]).toEqual(["mine", 0o644]);
    expect((await readdir(directory.path)).sort()).toEqual(["demo.json", "dynamodb", "lock"]);
  });

  test("its own path may be a link", async () => {
    await using directory = await dataDirectory(dataNames.demo);
    await using elsewhere = await temporaryDirectory();
    const path = join(elsewhere.path, "link");
    await symlink(directory.path, path);
    await (await openStore(path)).close();
    expect(await readPrivateFile(path, dataNames.demo)).toBe("{}");
    await chmod(directory.path, 0o777);
    await expect(openStore(path)).rejects.toThrow("can be written by other users (mode 777)");
  });
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
