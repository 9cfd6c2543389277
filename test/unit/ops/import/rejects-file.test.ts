import { chmod, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RejectsFile } from "../../../../ops/import/rejects-file.ts";

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "rejects-file-"));
  path = join(directory, "rejects.ndjson");
});
afterEach(() => rm(directory, { recursive: true }));

const existing = () => stat(path).catch(() => undefined);

describe("the rejects file", () => {
  test("lists each line by number, kind and reason, for its owner only", async () => {
    const file = new RejectsFile(path, "records");
    await Promise.all([
      file.add(3, "refused", "state: must be given"),
      file.add(9, "remark", 'id: "x y" is no id'),
      file.add(11, "unusual", "declined → completed"),
    ]);
    await file.close();
    expect(await readFile(path, "utf8")).toBe(
      '{"line":3,"kind":"refused","reason":"state: must be given"}\n' +
        '{"line":9,"kind":"remark","reason":"id: \\"x y\\" is no id"}\n' +
        '{"line":11,"kind":"unusual","reason":"declined → completed"}\n',
    );
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test("replaces an earlier run's, whatever that one's mode", async () => {
    await writeFile(path, "old\n");
    await chmod(path, 0o666);
    const file = new RejectsFile(path, "records");
    await file.check();
    await file.add(1, "refused", "new");
    await file.close();
    expect(await readFile(path, "utf8")).toBe('{"line":1,"kind":"refused","reason":"new"}\n');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test("does not exist after a run that refused nothing, and neither does an earlier run's", async () => {
    await new RejectsFile(path, "records").close();
    expect(await existing()).toBeUndefined();
    await writeFile(path, "old\n");
    await new RejectsFile(path, "records").close();
    expect(await existing()).toBeUndefined();
  });

  test("of several sources outlives a run that listed nothing, and is replaced by one that listed something", async () => {
    await writeFile(path, "of another source\n");
    await new RejectsFile(path, "-").close();
    expect(await readFile(path, "utf8")).toBe("of another source\n");
    const file = new RejectsFile(path, "-");
    await file.add(1, "refused", "new");
    await file.close();
    expect(await readFile(path, "utf8")).toBe('{"line":1,"kind":"refused","reason":"new"}\n');
  });

  test.each(["/dev/null", tmpdir()])("is never %s: only a regular file is replaced", async (notAFile) => {
    await expect(new RejectsFile(notAFile, "records").check()).rejects.toThrow("is not a regular file");
  });

  test("is never written through a link", async () => {
    await writeFile(join(directory, "elsewhere"), "kept");
    await symlink(join(directory, "elsewhere"), path);
    await expect(new RejectsFile(path, "records").check()).rejects.toThrow("is not a regular file");
  });

  test("that cannot be written says so and names the option", async () => {
    const file = new RejectsFile(join(directory, "none", "rejects.ndjson"), "records");
    await expect(file.add(1, "refused", "why")).rejects.toThrow(
      /Cannot write the rejects file .*ENOENT.*--rejects PATH/,
    );
    await file.close();
  });
});
