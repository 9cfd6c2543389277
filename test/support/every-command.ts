import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { idOf } from "../../bench/support/busy-trades.ts";
import type { TableName } from "../../lib/dynamo/tables.ts";
import { actsOf, definitionOf } from "../../ops/add-command.ts";
import { buildProgram } from "../../ops/program.ts";
import { sellOrder, transaction } from "../integration/ops/records.ts";
import { heldStore } from "./held-store.ts";
import { startQueueEndpoint } from "./local-queues.ts";
import { runOperator } from "./operator.ts";

/*
 * A line for each of the operator's commands, and a store with something of everything in it, for what holds of every
 * command. A command that needs a running service ends with 2 here.
 */

const NOBODY = "http://127.0.0.1:9";
const SEGMENT = `BTC-USD#649/${"0".repeat(56)}`;

/** The words after each command's name; $FILE, $KEY and the like are replaced. A new command needs a line here. */
export const words: Readonly<Record<string, string>> = {
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
  "passes publish": "$pass",
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
  "demo time": "+3d",
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
  sign: `GET ${NOBODY}/1.0/trades/all/BTC-USD --api-key key --private-key $privateKey`,
  "sign-pass": "/passes/demo-1 --jws-key $jwsKey",
  explain: "0b1e6a0a-5e0c-4d52-9d3e-0f6f3f9c2a11",
};

/** The words of a command. */
export const wordsOf = (command: Command): string => definitionOf(command)?.words ?? "";

/** Every command, by its words. */
export const acts = new Map(actsOf(await buildProgram()).map((command) => [wordsOf(command), command]));

/** A filled store, and what runs a line of a command on it. */
export async function everyCommand() {
  const store = await heldStore();
  const queues = await startQueueEndpoint();
  const given: Record<string, string> = {};
  const run = (args: readonly string[], more: Parameters<typeof runOperator>[1] = {}) =>
    runOperator(args, { cwd: store.path, ...more });
  const argsOf = (line: string): readonly string[] =>
    line
      .split(" ")
      .flatMap((word) => (given[word] ?? word).split(" "))
      .filter((word) => word !== "");
  const file = (name: string, content: string): void => {
    given[`$${name}`] = join(store.path, name);
    writeFileSync(join(store.path, name), content);
  };
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  file("transactions", `${transaction("tx-1")}\n{}\n`);
  file("orders", sellOrder("01ARZ3NDEKTSV4RRFFQ69G5FAX", "service"));
  file("passes", '{"partner_reference":"stored","type":"loyalty_pass","version":2}');
  file("pass", '{"partner_reference":"stored","type":"loyalty_pass","version":3}');
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
  const stored = await store.content.read();
  return {
    path: store.path,
    data: store.data,
    content: store.content,
    table: (name: TableName) => store.table(name),
    run,
    argsOf,
    /** The words of a command's line, with the data directory where it takes one. */
    lineOf: (path: string): readonly string[] => {
      const isOnStore = acts.get(path)?.options.some(({ long }) => long === "--data");
      return [...argsOf(`${path} ${words[path]}`), ...(isOnStore === true ? ["--data", store.data] : [])];
    },
    /** Makes the store again as it was first. */
    refill: () => store.content.replace(stored),
    [Symbol.asyncDispose]: async () => {
      await queues[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}
