import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { openStore } from "../../../infra/local/engine.ts";
import { writeStartNote } from "../../../infra/local/start-note.ts";
import { contractBrand } from "../../../lib/brand.ts";
import { buildProgram } from "../../../ops/program.ts";
import { makeStore, runOperator, temporaryDirectory } from "../../support/operator.ts";

/** A call of every command that works on what is there already. */
const READERS: readonly (readonly string[])[] = [
  ["keys", "list"],
  ["keys", "revoke", "ramp-key#0a1b2c3d4e5f"],
  ["markets", "list"],
  ["switch"],
  ["switch", "status"],
  ["passes", "show", "demo-1"],
  ["passes", "void", "demo-1"],
  ["subjects", "allow", "acme"],
  ["sign", "GET", "http://h/x", "--explain", "-H", `X-Svc-API-Key: ${"k".repeat(64)}`],
  ["import", "trades", "-", "--market", "BTC-USD", "--withdraw"],
];

/** A call of every command that brings something, with its input. */
const WRITERS: readonly (readonly [args: readonly string[], input?: string])[] = [
  [["import", "transactions", "-", "--business", "acme"]],
  [["import", "sell-orders", "-", "--partner", "acme"]],
  [["import", "passes", "-"]],
  [["import", "trades", "-", "--market", "BTC-USD"]],
  [["markets", "put", "BTC-USD"]],
  [["switch", "get-pass", "off", "--reason", "x"]],
  [["subjects", "block", "acme"]],
  [["keys", "create", "ramp", "--partner", "acme"]],
  [["keys", "create", "exchange", "--public-key", "public.hex"]],
  [["keys", "create", "passes", "--jwk", "-"], '{"kty":"OKP","crv":"Ed25519","kid":"a","x":"<x>"}'],
  [["passes", "publish", "-"], '{"partner_reference":"demo-1","type":"loyalty_pass","version":1}'],
];

const PUBLIC_KEY = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8";

async function place() {
  const directory = await temporaryDirectory();
  const data = join(directory.path, "data");
  await writeFile(join(directory.path, "public.hex"), PUBLIC_KEY);
  const x = Buffer.from(PUBLIC_KEY, "hex").toString("base64url");
  return {
    data,
    run: (args: readonly string[], input = "") =>
      runOperator([...args, "--data", data], { input: input.replace("<x>", x), cwd: directory.path }),
    [Symbol.asyncDispose]: directory[Symbol.asyncDispose],
  };
}

test("every command that works on a store is one of these", () => {
  const leavesOf = (command: Command, path: readonly string[]): string[] =>
    command.commands.length === 0
      ? command.options.some(({ long }) => long === "--data")
        ? [path.join(" ")]
        : []
      : command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]));
  const called = [...READERS, ...WRITERS.map(([args]) => args)].map((args) => args.join(" "));
  for (const path of leavesOf(buildProgram(), []))
    expect([path, called.some((call) => `${call} `.startsWith(`${path} `))]).toEqual([path, true]);
});

describe("where there is no store", () => {
  test.each(READERS.map((args) => [args]))("%j says so, and makes none", async (args) => {
    await using here = await place();
    for (const isThere of [false, true]) {
      if (isThere) await mkdir(here.data);
      const { code, stdout, stderr } = await here.run(args);
      const lines = stderr
        .trimEnd()
        .split("\n")
        .filter((line) => !line.startsWith("Judged as if"));
      expect([code, stdout, lines]).toEqual([
        2,
        "",
        [expect.stringContaining(`There is no store in ${here.data}. Run \`npm start\` once`)],
      ]);
      expect(existsSync(join(here.data, "dynamodb"))).toBe(false);
    }
    expect(existsSync(join(here.data, "lock"))).toBe(false);
  });

  test.each(WRITERS)("%j makes one and says so, once", async (args, input) => {
    await using here = await place();
    const made = `Made a new store in ${here.data}.\n`;
    const first = await here.run(args, input);
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining(made) });
    expect((await here.run(args, input)).stderr).not.toContain("Made a new store");
  });
});

describe("where the records are in another engine", () => {
  test("every command says which, and how to name it, and touches nothing", async () => {
    await using here = await place();
    await mkdir(here.data);
    await writeStartNote(here.data, { brand: contractBrand, engineEndpoint: "http://127.0.0.1:9" });
    for (const args of [...READERS, ...WRITERS.map(([call]) => call)]) {
      const { code, stdout, stderr } = await here.run(args);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(
        /^The records of \S+ are in the DynamoDB at http:\/\/127\.0\.0\.1:9, .* Give --dynamodb-endpoint http:\/\/127\.0\.0\.1:9\b[^\n]*\n$/,
      );
      expect(existsSync(join(here.data, "dynamodb"))).toBe(false);
    }
  });

  test("a gateway that runs is asked for it, and one that is named is used", async () => {
    await using here = await place();
    await using elsewhere = await place();
    await makeStore(elsewhere.data);
    const engine = await openStore(elsewhere.data, { kind: "gateway" });
    try {
      const { endpoint } = engine;
      await mkdir(here.data);
      await writeStartNote(here.data, { brand: contractBrand, engineEndpoint: endpoint });
      const named = await here.run(["keys", "list", "--dynamodb-endpoint", endpoint]);
      expect(named).toMatchObject({ code: 0, stdout: "There are no keys.\n" });
      const gateway = await openStore(here.data, { kind: "gateway", endpoint });
      expect(await here.run(["keys", "list"])).toMatchObject({ code: 0, stdout: "There are no keys.\n" });
      await gateway.close();
    } finally {
      await engine.close();
    }
  });
});
