import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Command } from "commander";
import type { Entry } from "dynalite/db/index.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildProgram } from "../../../ops/program.ts";
import { auditOf } from "../../support/audit.ts";
import { type HeldStore, heldStore } from "../../support/held-store.ts";
import { startQueueEndpoint } from "../../support/local-queues.ts";
import { type LostOutput, lostOutputs, runOperator, startOperator } from "../../support/operator.ts";
import { idOf } from "../../support/trades.ts";
import { sellOrder, transaction } from "./records.ts";

/*
 * Every command is run with a standard output that fails. Its store, with something of everything in it, is as before for
 * each run. A command that needs a running service ends with 2, which must stay so.
 */

/** The commands that do something. One of them may have commands below it, as `demo fault` has `clear`. */
const actsOf = (command: Command): Command[] => [
  ...(command.commands.length === 0 || command.registeredArguments.length > 0 ? [command] : []),
  ...command.commands.flatMap(actsOf),
];
const pathOf = (command: Command): string =>
  command.parent === null ? "" : `${pathOf(command.parent)} ${command.name()}`.trim();

const NOBODY = "http://127.0.0.1:9";
const SEGMENT = `BTC-USD#649/${"0".repeat(56)}`;

/** The words after each command's name; $FILE, $KEY and the like are replaced. A new command needs a line here. */
const words: Readonly<Record<string, string>> = {
  "import transactions": "$transactions --business new --new",
  "import sell-orders": "$orders --partner new --new",
  "import passes": "$passes",
  "import trades": "$trades --market NEW-USD",
  "import list": "",
  "import undo": "$import --yes",
  "send transactions": "$transactions --business new --new $queues",
  "send sell-orders": "$orders --partner new --new $queues",
  "send passes": "$passes $queues",
  "send markets": "$markets $queues",
  "send trades": "$trades --market BTC-USD $queues",
  redrive: "--dry-run $queues",
  "rejected list": "",
  "rejected export": "$folder",
  "markets put": "PEPE-USD --asset-name Pepe",
  "markets list": "",
  "segments check": "BTC-USD",
  "segments take-out": `${SEGMENT} --yes`,
  "segments compact": "BTC-USD --dry-run",
  switch: "get-pass off --reason test",
  "subjects block": "acme",
  "subjects allow": "blocked",
  "subjects list": "",
  "keys create exchange": "--public-key $publicKey --owner acme",
  "keys create ramp": "--partner acme --json",
  "keys create passes": "--jwk $jwk",
  "keys list": "",
  "keys label": "$key label",
  "keys rotate": "$key --yes",
  "keys revoke": "$key --yes",
  doctor: "",
  status: "",
  "tenants list": "",
  schema: "trades",
  token: "--business acme",
  "passes publish": "$passes",
  "passes void": "stored --yes",
  "passes show": "stored",
  "erase business": "acme --yes",
  "erase partner": "acme --yes",
  "erase pass": "stored --yes",
  "audit list": "",
  "demo curl": "",
  "demo advance": "stored",
  "demo fault": "get-pass 503",
  "demo fault clear": "",
  "demo faults": "",
  "demo trades": "--for 1s",
  "demo reset": "--yes",
  "demo partner": "",
  "restore plan": "Passes --to 2026-11-29T00:00:00Z",
  "get trades": "BTC-USD --from 1d",
  "get transactions": "--from 1d",
  "get transaction": "tx-1",
  "get sell-order": "01ARZ3NDEKTSV4RRFFQ69G5FAX",
  "get pass": "stored",
  "get verify": "$manifest",
  "check-pass": `${NOBODY} --reference demo-1 --token-file $token`,
  "check-client": "--interface ramp -- true",
  compare: "--list",
  poll: `${NOBODY} --reference demo-1 --token-file $token --times 1`,
  sign: `GET ${NOBODY}/1.0/trades/all/BTC-USD --api-key key --private-key $privateKey`,
  "sign-pass": "/passes/demo-1 --jws-key $jwsKey",
  explain: "0b1e6a0a-5e0c-4d52-9d3e-0f6f3f9c2a11",
};

/** They go on until Ctrl-C. */
const ENDLESS = ["demo partner"];
/** They make a key that only standard output shows. */
const ISSUING = ["keys create exchange", "keys create ramp", "keys rotate"];

const acts = new Map(actsOf(await buildProgram()).map((command) => [pathOf(command), command]));

let store: HeldStore;
let queues: Awaited<ReturnType<typeof startQueueEndpoint>>;
let stored: readonly Entry[];
const given: Record<string, string> = {};

const run = (args: readonly string[], more: Parameters<typeof runOperator>[1] = {}) =>
  runOperator(args, { cwd: store.path, ...more });

beforeAll(async () => {
  store = await heldStore();
  queues = await startQueueEndpoint();
  const file = (name: string, content: string): void => {
    given[`$${name}`] = join(store.path, name);
    writeFileSync(join(store.path, name), content);
  };
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  file("transactions", `${transaction("tx-1")}\n{}\n`);
  file("orders", sellOrder("01ARZ3NDEKTSV4RRFFQ69G5FAX", "service"));
  file("passes", '{"partner_reference":"stored","type":"loyalty_pass","version":2}');
  file("trades", `${JSON.stringify({ tdt: 1_795_554_000_000, p: "1.5", q: "2", tid: idOf(9), s: "buy" })}\n`);
  file("markets", '{"symbol":"NEW-USD","asset_name":"New"}');
  file("publicKey", publicKey.export({ type: "spki", format: "pem" }).toString());
  file("privateKey", privateKey.export({ type: "pkcs8", format: "pem" }).toString());
  file("jwk", JSON.stringify({ ...publicKey.export({ format: "jwk" }), kid: "k" }));
  file("jwsKey", JSON.stringify({ ...privateKey.export({ format: "jwk" }), kid: "k" }));
  file("token", "token");
  file("manifest", "{}");
  given.$folder = join(store.path, "folder");
  given.$queues = `--sqs-endpoint ${queues.endpoint}`;
  const ops = (line: string) => run([...argsOf(line), "--data", store.data]);
  const key = await ops("keys create ramp --partner acme --json");
  given.$key = JSON.parse(key.stdout).id;
  const { stdout } = await ops("import transactions $transactions --business acme --new --json");
  given.$import = JSON.parse(stdout).importId;
  await ops("import sell-orders $orders --partner acme --new");
  await ops("import trades $trades --market BTC-USD");
  await ops("subjects block blocked");
  await ops("passes publish $passes");
  stored = await store.content.read();
});
afterAll(async () => {
  await queues[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

const argsOf = (line: string): readonly string[] =>
  line
    .split(" ")
    .flatMap((word) => (given[word] ?? word).split(" "))
    .filter((word) => word !== "");

/** Runs a command on the store as it was first, and tells how it ended and what it did. */
async function tried(path: string, lost?: LostOutput) {
  await store.content.replace(stored);
  rmSync(join(store.path, "folder"), { recursive: true, force: true });
  const isOnStore = acts.get(path)?.options.some(({ long }) => long === "--data");
  const before = process.listeners("SIGINT");
  const pressCtrlC = () => {
    for (const listener of process.listeners("SIGINT")) if (!before.includes(listener)) listener("SIGINT");
  };
  const { code, stderr, stdout } = await run(
    [...argsOf(`${path} ${words[path]}`), ...(isOnStore === true ? ["--data", store.data] : [])],
    { ...(lost !== undefined && { lost }), ...(ENDLESS.includes(path) && { onPrint: pressCtrlC }) },
  );
  const items = (await store.content.read()).length;
  const audit = (await auditOf(store.data)).map(({ command, target }) => `${command}: ${target}`);
  // Each new key has another id.
  const changes = audit.map((line) => line.replaceAll(/#[0-9a-f]{12}\b/g, ""));
  return { code, stderr, hasPrinted: stdout !== "", items, changes };
}

test("every command has its line", () => {
  expect(Object.keys(words).toSorted()).toEqual([...acts.keys()].toSorted());
});

describe.each(Object.keys(words))("%s", (path) => {
  test("ends and does its work as ever whatever becomes of standard output, or says that it has not", async () => {
    const well = await tried(path);
    expect(well.stderr).not.toMatch(/^\s+at |unexpected error/m);
    for (const lost of lostOutputs) {
      const run = await tried(path, lost);
      const isKeyLost = ISSUING.includes(path) && lost !== "closed after a line";
      const isFull = lost === "full" && well.hasPrinted;
      const code = isKeyLost || (isFull && well.code !== 130) ? 2 : well.code;
      expect([lost, run.code, run.stderr]).toEqual([lost, code, run.stderr]);
      expect(run.stderr.match(/Standard output .*ENOSPC/g) ?? []).toHaveLength(isFull ? 1 : 0);
      expect(run.stderr).not.toMatch(/^\s+at |unexpected error/m);
      if (isKeyLost)
        expect(run.changes).toEqual(expect.arrayContaining([expect.stringMatching(/^keys revoke: /)]));
      else expect([lost, run.items, run.changes]).toEqual([lost, well.items, well.changes]);
    }
  });
});

test("a poll without an end stops with 0 once its reader has left", async () => {
  const server = createServer((_, response) => {
    response.setHeader("etag", '"1"').end('{"partner_reference":"demo-1","type":"loyalty_pass","version":1}');
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const args = argsOf(`poll ${url} --reference demo-1 --token-file $token`);
  expect(await run(args, { lost: "closed" })).toMatchObject({ code: 0, stderr: "" });
  server.closeAllConnections();
  await once(server.close(), "close");
});

describe("a process", () => {
  test("whose reader has gone does its work and ends with its own exit code", async () => {
    const args = argsOf(`import transactions $transactions --business piped --new --data ${store.data}`);
    const { code } = await startOperator(args, { output: "a closed pipe", cwd: store.path }).ended;
    expect(code).toBe(1);
    expect((await auditOf(store.data)).at(-1)).toMatchObject({ target: "transactions of piped" });
  });

  test("behind whose output the disk is full says so in a line, and leaves no key that nobody has", async () => {
    const args = argsOf(`keys create ramp --partner full --data ${store.data}`);
    const { code, stderr } = await startOperator(args, { output: "a full disk" }).ended;
    expect(code).toBe(2);
    expect(stderr.trim().split("\n")).toEqual([
      expect.stringMatching(/^The new key could not be shown: .* is revoked\./),
      expect.stringContaining("ENOSPC"),
    ]);
  });
});
