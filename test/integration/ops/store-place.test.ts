import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { contractBrand } from "../../../lib/brand.ts";
import { OperatorError } from "../../../local/process/operator-error.ts";
import { openStore } from "../../../local/store/engine.ts";
import { writeStartNote } from "../../../local/store/start-note.ts";
import { startRawEngine } from "../../support/engine.ts";
import { runOperator, words } from "../../support/operator.ts";
import { placeOfCalls, READERS, WRITERS } from "../../support/store-calls.ts";

let complaints: string[];
beforeEach(() => {
  complaints = [];
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation((line) => complaints.push(line));
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

describe("where there is no store", () => {
  test.each(READERS)("`%s` says so, and makes none", async (call) => {
    await using here = await placeOfCalls();
    for (const isThere of [false, true]) {
      if (isThere) await mkdir(here.data);
      const failure = await here.run(call).catch((error) => error);
      expect(failure).toBeInstanceOf(OperatorError);
      expect(failure.message).toContain(`There is no store in ${here.data}. Run \`npm start\` once`);
      expect(["dynamodb", "lock"].filter((name) => existsSync(join(here.data, name)))).toEqual([]);
    }
  });

  test.each(WRITERS)("`%s` makes one and says so", async (call) => {
    await using here = await placeOfCalls();
    await here.run(call);
    expect(complaints).toContain(`Made a new store in ${here.data}.`);
  });

  test("is said once: a store that is there is not made again", async () => {
    await using here = await placeOfCalls();
    for (const call of WRITERS.slice(0, 3)) await here.run(call);
    expect(complaints.filter((line) => line.startsWith("Made a new store"))).toHaveLength(1);
  });
});

describe("where the records are in another engine", () => {
  test.each([...READERS, ...WRITERS])("`%s` says which, and how to name it, and makes none", async (call) => {
    await using here = await placeOfCalls();
    await mkdir(here.data);
    await writeStartNote(here.data, { brand: contractBrand, engineEndpoint: "http://127.0.0.1:9" });
    const failure = await here.run(call).catch((error) => error);
    expect(failure).toBeInstanceOf(OperatorError);
    expect(failure.message).toMatch(
      /^The records of \S+ are in the DynamoDB at http:\/\/127\.0\.0\.1:9, .* Give --dynamodb-endpoint http:\/\/127\.0\.0\.1:9\b/,
    );
    expect(existsSync(join(here.data, "dynamodb"))).toBe(false);
  });

  test("a gateway that runs is asked for it, and an engine that is named is used, or refused beside such a gateway", async () => {
    await using here = await placeOfCalls();
    const list = (...more: string[]) => runOperator(["keys", "list", "--data", here.data, ...more]);
    const listed = { code: 0, stdout: expect.stringContaining("acme") };
    const { endpoint, close } = await startRawEngine("dynalite");
    try {
      await (await openStore(here.data, { endpoint })).close();
      await writeStartNote(here.data, { brand: contractBrand, engineEndpoint: endpoint });
      await runOperator(
        words`keys create ramp --partner acme --data ${here.data} --dynamodb-endpoint ${endpoint}`,
      );
      expect(await list("--dynamodb-endpoint", endpoint)).toMatchObject(listed);
      const gateway = await openStore(here.data, { endpoint });
      expect(await list()).toMatchObject(listed);
      const refused = { code: 2, stderr: expect.stringContaining("Leave out --dynamodb-endpoint") };
      expect(await list("--dynamodb-endpoint", "http://127.0.0.1:9")).toMatchObject(refused);
      await gateway.close();
    } finally {
      await close();
    }
  });
});
