import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { copyFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { gzipSync } from "node:zlib";
import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { idOf } from "../../bench/support/busy-trades.ts";
import { type StartedService, startCommand } from "../../bench/support/start-command.ts";
import { ownMember } from "../../lib/own-member.ts";
import { definitionOf } from "../../ops/add-command.ts";
import { buildProgram } from "../../ops/program.ts";
import { sellOrder, transaction } from "../integration/ops/records.ts";
import { certificateAuthority } from "../support/certificates.ts";
import { filledDataDirectory } from "../support/filled-demo.ts";
import { runOperator, startOperator, temporaryDirectory } from "../support/operator.ts";
import { linesOf, operatorsPart, printedScripts } from "../support/printed-lines.ts";
import { shellWords } from "../support/shell-words.ts";
import { withStore } from "../support/with-store.ts";
import { zipOf } from "../support/zip.ts";

/*
 * Every line of an operator's command that README.md and the documents print is run here, against one local service, one
 * partner and the files that the lines name. What a reader has to replace is replaced: the stage by the local store, an
 * address by that of the service or the partner, an id by one that is there. A line that somebody adds to a document is
 * run too; it may end with 0, or with 1 where it found something.
 */

/** Lines that another test executes, by a part of theirs, and that test. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "npm ci && npm start": "test/end-to-end/readme.test.ts",
  // It runs this test among all others.
  "npm ci && npm test": "test/end-to-end/printed-commands.test.ts",
  "amounts/order.mjs": "test/end-to-end/amounts.test.ts",
  "> exact.json": "test/tools/generated-clients.tool.ts",
  ". docs/examples/answers.sh": "test/integration/sandbox-document.test.ts",
  "check-client --interface exchange": "test/end-to-end/checked-clients.test.ts",
  "check-client --tomorrow": "test/integration/ops/check-client.test.ts",
  "countinghouse --worlds": "test/end-to-end/package.test.ts",
  "npm start -- --tomorrow": "test/integration/start.test.ts",
  // They go on until Ctrl-C, or until the program that they tell of changes wants no more.
  " --follow": "test/integration/ops/get.test.ts",
  // It needs a stage that has alarms.
  "--mute 4h": "test/integration/ops/switch.test.ts",
  // It pauses for more than a minute, by the machine's clock.
  " compact BTC-USD": "test/integration/ops/compact-segments.test.ts",
};

/** Lines that end otherwise than with 0 or 1, and why. */
const OTHER_ENDS: Readonly<Record<string, { readonly code: number; readonly why: string }>> = {
  "demo reset": { code: 2, why: "It asks, and here is no terminal." },
};

/** Options that bring a command to its end sooner. */
const SOONER: Readonly<Record<string, readonly string[]>> = {
  "demo trades": ["--for", "1s"],
  compare: ["--rate", "50", "--only", "get-pass"],
};

/** Commands that go on until Ctrl-C. */
const ENDLESS = ["demo partner"];

interface Partner {
  readonly url: string;
  readonly files: { readonly token: string };
}

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let service: StartedService;
let partner: Partner;
let partnerRun: ReturnType<typeof startOperator>;
let replacements: ReadonlyMap<string, string>;

const inDirectory = (name: string) => join(directory.path, name);
const data = () => inDirectory("data");
const DAY_MS = 86_400_000;

beforeAll(async () => {
  directory = await temporaryDirectory();
  await rename(await filledDataDirectory(), data());
  service = await startCommand(["--port", "0", "--no-page", "--data", data()]);
  partnerRun = startOperator(["demo", "partner", "--json"]);
  const [said] = (await once(createInterface({ input: partnerRun.child.stdout }), "line")) as [string];
  partner = JSON.parse(said);
  await writeFiles();
  await runOperator(["passes", "publish", inDirectory("pass.json"), "--data", data()]);
  await newKey("passes", "--jwk", inDirectory("wallet-2026.jwk.json"));
  const { baseUrl } = JSON.parse(readFileSync(inDirectory("data/demo.json"), "utf8"));
  const answer = await fetch(`${baseUrl}/transaction/nobody`);
  replacements = new Map([
    ["http://127.0.0.1:3000", baseUrl],
    ["https://api.example.com", baseUrl],
    ["$URL", `${baseUrl}/1.0/trades/all/BTC-USD`],
    ["https://partner.example", partner.url],
    ["https://partner.example/api", partner.url],
    ["ATfSmjLgPHcESJw=", answer.headers.get("apigw-requestid") ?? ""],
    ["imp-20261129-k7f3", await newImport()],
    ["rejected-2026-11-28", inDirectory("rejected-2026-11-28")],
    ["receipt", inDirectory("receipt")],
    // Each day of the demo's busy market has twenty thousand trades to read.
    ["30d", "2d"],
    ["7d", "1d"],
    ["2026-10-01", "2026-10-30"],
  ]);
});
afterAll(async () => {
  partnerRun.child.kill("SIGINT");
  await Promise.all([partnerRun.ended, service.stop()]);
  await directory[Symbol.asyncDispose]();
});

/** The files that printed lines name. */
async function writeFiles(): Promise<void> {
  const authority = await certificateAuthority();
  const today = Math.floor(performance.timeOrigin);
  const { pem: certificate } = await authority.issue({
    dns: ["poller.wallet.example"],
    notBefore: today - DAY_MS,
    notAfter: today + DAY_MS,
  });
  const newPem = () =>
    generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }).toString();
  const jwk = (kid?: string) =>
    JSON.stringify({
      ...generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" }),
      ...(kid !== undefined && { kid }),
    });
  const files: Readonly<Record<string, string | Buffer>> = {
    "transactions.ndjson": transaction("tx-printed"),
    "undone.ndjson": transaction("tx-undone"),
    "orders.ndjson.gz": gzipSync(sellOrder("01ARZ3NDEKTSV4RRFFQ69G5FAX", "service")),
    "BTCUSDT-trades.zip": zipOf("t.csv", Buffer.from("1,60000.1,0.5,30000.05,1795553000000,True,True\n")),
    "busted.ndjson": JSON.stringify({ tdt: 1_795_554_000_000, p: "1.5", q: "2", tid: idOf(9), s: "buy" }),
    "pass.json": '{"partner_reference":"demo-1","type":"loyalty_pass","version":1}',
    "public.pem": newPem(),
    "new-public.pem": newPem(),
    "wallet-public.jwk.json": jwk(),
    "wallet-2026.jwk.json": jwk("wallet-2026"),
    "wallet-2027.jwk.json": jwk("wallet-2027"),
    "wallet.pem": certificate,
  };
  for (const [name, content] of Object.entries(files)) await writeFile(inDirectory(name), content);
  await copyFile(inDirectory("data/demo.json"), inDirectory("stage.json"));
  await copyFile(partner.files.token, inDirectory("token.txt"));
}

/** Issues a key, because a line may revoke or rotate the one that it names. @returns its id. */
async function newKey(...args: readonly string[]): Promise<string> {
  const { stdout } = await runOperator(["keys", "create", ...args, "--json", "--data", data()]);
  return JSON.parse(stdout).id;
}

/** Keys that are issued anew for each line that names them. */
const KEYS: Readonly<Record<string, () => Promise<string>>> = {
  "ramp-key#0a1b2c3d4e5f": () => newKey("ramp", "--partner", "printed"),
  "exchange-key#0a1b2c3d4e5f": () => newKey("exchange", "--public-key", inDirectory("public.pem")),
};

async function newImport(): Promise<string> {
  const args = ["import", "transactions", inDirectory("undone.ndjson"), "--business", "undone", "--new"];
  const { stdout } = await runOperator([...args, "--json", "--data", data()]);
  return JSON.parse(stdout).importId;
}

const SEGMENT = /^([A-Z]+-[A-Z]+#\d+)\/([0-9a-f]{56})$/;

/** Puts what no writer wrote where a segment would be. */
async function damage(place: RegExpExecArray): Promise<void> {
  const [, pk = "", sort = ""] = place;
  const Item = { pk: { S: pk }, sk: { B: Buffer.from(sort, "hex") }, d: { B: Buffer.from("?") } };
  await withStore({ data: data() }, async ({ table }) => {
    const { client, name } = table("Trades");
    await client.send(new PutItemCommand({ TableName: name, Item }));
  });
}

const FILE = /^[\w.-]+\.(?:csv|gz|json|ndjson|parquet|pem|txt|zip)$/;

async function arrangedWord(word: string): Promise<string> {
  const place = SEGMENT.exec(word);
  if (place !== null) await damage(place);
  const issue = ownMember(KEYS, word);
  if (issue !== undefined) return await issue();
  return replacements.get(word) ?? (FILE.test(word) ? inDirectory(word) : word);
}

/** The command that the first words of a line name. */
function commandIn(program: Command, words: readonly string[]): { command: Command; path: string } {
  let command = program;
  const path: string[] = [];
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) break;
    command = next;
    path.push(word);
  }
  return { command, path: path.join(" ") };
}

/** The words to run in place of a printed line's. */
async function arranged(words: readonly string[], { command, path }: ReturnType<typeof commandIn>) {
  const has = (option: string) => command.options.some(({ long }) => long === option);
  const stageAt = words.indexOf("--stage");
  const isOnStore = has("--data");
  const own = stageAt < 0 || !isOnStore ? words : words.toSpliced(stageAt, 2);
  const given = await Promise.all(own.map(arrangedWord));
  return [
    ...given.map((word, at) => (given[at - 1] === "--stage" ? "example" : word)),
    ...(isOnStore ? ["--data", data()] : []),
    ...(has("--keep-in") ? ["--keep-in", directory.path] : []),
    ...(has("--new") ? ["--new"] : []),
    ...(has("--yes") && !(words.join(" ") in OTHER_ENDS) ? ["--yes"] : []),
    ...(SOONER[path] ?? []),
  ];
}

/** Runs a command that goes on until Ctrl-C, and presses it once something was printed. */
async function runAndStop(args: readonly string[]) {
  const { child, ended } = startOperator(args);
  await once(child.stdout, "data");
  child.kill("SIGINT");
  return await ended;
}

const scripts = printedScripts();
const isElsewhere = (line: string) => Object.keys(ELSEWHERE).some((part) => line.includes(part));
const lines = [...new Set(scripts.flatMap(({ script }) => linesOf(script)))];
const operators = lines.filter((line) => operatorsPart(line) !== undefined && !isElsewhere(line));

describe("a printed command of an operator", async () => {
  const program = await buildProgram();

  /** One line for each command, as it changes something or only looks: what it prints follows from no other option. */
  const printing = [
    ...new Map(
      operators.map((line) => {
        const { path } = commandIn(program, shellWords(operatorsPart(line) as string));
        return [`${path} ${line.includes("--dry-run")}`, line];
      }),
    ).values(),
  ];

  test("is one of many", () => {
    expect(operators.length).toBeGreaterThan(35);
  });

  test.each(operators)("works as it is printed: %s", async (line) => {
    const words = shellWords(operatorsPart(line) as string);
    const named = commandIn(program, words);
    const args = await arranged(words, named);
    if (ENDLESS.includes(named.path)) {
      expect(await runAndStop(args)).toMatchObject({ code: 130 });
      return;
    }
    const { code, stderr } = await runOperator(args);
    const other = OTHER_ENDS[shellWords(operatorsPart(line) as string).join(" ")];
    expect(other === undefined ? [0, 1] : [other.code], stderr).toContain(code);
  });

  test.each(printing)("prints JSON alone, of its shape, for programs: %s", async (line) => {
    const words = shellWords(operatorsPart(line) as string);
    const named = commandIn(program, words);
    const output = definitionOf(named.command)?.json;
    if (typeof output !== "object" || ENDLESS.includes(named.path)) return;
    const args = (await arranged(words, named)).filter((word) => word !== "--json");
    const { code, stdout } = await runOperator([...args, "--json"]);
    const texts = stdout.split("\n").filter(Boolean);
    // What is not there has no JSON, and neither has a command that could not do its work.
    if (code === 0 && !output.lines) expect(texts).toHaveLength(1);
    const schema = z.toJSONSchema(output.shape, { unrepresentable: "any", io: "input" });
    const isOfShape = new Ajv2020({ strict: false }).compile(schema);
    for (const text of texts) expect(isOfShape(JSON.parse(text)), text).toBe(true);
  });
});

test("a line that ends otherwise is printed somewhere", () => {
  const printed = operators.map((line) => shellWords(operatorsPart(line) as string).join(" "));
  expect(Object.keys(OTHER_ENDS).filter((line) => !printed.includes(line))).toEqual([]);
});

/** Programs whose lines need an account of AWS or a deployment, a client of the reader's own, or the files of a release. */
const BEYOND = /^(?:aws|cdk|curl|compare|seq|head|timeout|tail)\b|\baws |npx cdk |\$URL|countinghouse-0/;

test("every other printed line is a shell's, and needs a deployment or is executed by another test", () => {
  for (const { document, script } of scripts)
    expect(
      () => execFileSync("bash", ["-n"], { input: script.replaceAll(/<[\w-]+>/g, "NAME"), stdio: "pipe" }),
      document,
    ).not.toThrow();
  const others = scripts
    .filter(({ script }) => !linesOf(script).every((line) => operatorsPart(line) !== undefined))
    .filter(({ script }) => !BEYOND.test(script) && !linesOf(script).some(isElsewhere));
  expect(others).toEqual([]);
});

test.each(Object.entries(ELSEWHERE))("%s is executed by the test that is named", (part, file) => {
  expect(readFileSync(file, "utf8").length).toBeGreaterThan(0);
  expect(lines.some((line) => line.includes(part))).toBe(true);
});
