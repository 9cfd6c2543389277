import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
import { describeHolder, type Holder, readHolder, tryLock } from "../../../../local/store/data-lock.ts";
import { openStore, shareStore } from "../../../../local/store/engine.ts";
import { temporaryDirectory } from "../../../support/operator.ts";

afterEach(() => vi.restoreAllMocks());

const holder: Holder = {
  pid: 4_711,
  kind: "gateway",
  host: hostname(),
  endpoint: "http://127.0.0.1:1",
  accessKeyId: "key",
};

/** Lets the system say that a process exists, or answer with an error code. */
const processIs = (code?: string) =>
  vi.spyOn(process, "kill").mockImplementation(() => {
    if (code !== undefined) throw Object.assign(new Error(`kill ${code}`), { code });
    return true;
  });

async function noted(text: string) {
  const directory = await temporaryDirectory();
  await writeFile(join(directory.path, "engine.json"), text);
  return directory;
}

describe("the holder of a data directory", () => {
  test.each([
    ["exists", undefined, holder],
    ["belongs to another user", "EPERM", holder],
    ["is gone", "ESRCH", undefined],
  ])("is the recorded one unless its process is gone: the process %s", async (_, code, expected) => {
    await using directory = await noted(JSON.stringify(holder));
    processIs(code);
    expect(await readHolder(directory.path)).toEqual(expected);
  });

  test("in a container, or on another machine, is not looked for among the processes of this machine", async () => {
    const other = { ...holder, host: "container-1" };
    await using directory = await noted(JSON.stringify(other));
    const kill = processIs("ESRCH");
    expect(await readHolder(directory.path)).toEqual(other);
    expect(kill).not.toHaveBeenCalled();
    expect(describeHolder(other)).toBe(
      "process 4711 on the machine or in the container container-1 (an `npm start`)",
    );
  });

  test("that an earlier version recorded, without a host, is one of this machine", async () => {
    const { host: _, ...earlier } = holder;
    await using directory = await noted(JSON.stringify(earlier));
    processIs();
    expect(await readHolder(directory.path)).toEqual(earlier);
    expect(describeHolder(earlier)).toBe("process 4711 (an `npm start`)");
  });

  test.each(["", "{", "null", "[]", '{"pid":"1"}'])("is unknown when its file contains %j", async (text) => {
    await using directory = await noted(text);
    expect(await readHolder(directory.path)).toBeUndefined();
  });
});

test("a process that tries again to take what it holds itself still holds it against others", async () => {
  await using directory = await temporaryDirectory();
  const release = await tryLock(directory.path);
  expect(await Promise.all([tryLock(directory.path), tryLock(directory.path)])).toEqual([
    undefined,
    undefined,
  ]);
  const lock = new URL("../../../../local/store/data-lock.ts", import.meta.url);
  const script = `const { tryLock } = await import("${lock.href}"); console.log(typeof (await tryLock(process.argv[1])));`;
  const other = async () =>
    (await promisify(execFile)(process.execPath, ["-e", script, directory.path])).stdout.trim();
  expect(await other()).toBe("undefined");
  await release?.();
  expect(await other()).toBe("function");
});

test("the store of a gateway elsewhere is not called at an address of this machine", async () => {
  await using directory = await temporaryDirectory();
  const store = await openStore(directory.path);
  await writeFile(join(directory.path, "engine.json"), JSON.stringify({ ...holder, host: "container-1" }));
  await expect(shareStore(directory.path, { report: () => {} })).rejects.toThrow(
    `${directory.path} is in use by process 4711 on the machine or in the container container-1 (an \`npm start\`). Stop it`,
  );
  await store.close();
});
