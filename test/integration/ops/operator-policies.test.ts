import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DeleteItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { idOf } from "../../../bench/support/busy-trades.ts";
import { type OperatorJob, operatorJobs } from "../../../infra/operators.ts";
import { addOperatorsStack } from "../../../infra/stacks/add-stacks.ts";
import type { Stage } from "../../../infra/stage.ts";
import { contractBrand } from "../../../lib/brand.ts";
import { type TableName, tables } from "../../../lib/dynamo/tables.ts";
import { MARKET_LIST_ID } from "../../../lib/markets/market-store.ts";
import { ownMember } from "../../../lib/own-member.ts";
import { RateLimitStore } from "../../../lib/rate-limit/rate-limit-store.ts";
import { bucketsOf } from "../../../lib/rate-limit/token-bucket.ts";
import { packSegment } from "../../../lib/trades/pack-segment.ts";
import { cutSegments, type Segment } from "../../../lib/trades/segment.ts";
import { TradeRegister } from "../../../lib/trades/trade-register.ts";
import { CredentialRegister } from "../../../local/credentials/credential-register.ts";
import { OperatorError } from "../../../local/process/operator-error.ts";
import { authorize, type PolicyStatement } from "../../../local/store/identity.ts";
import { LOCAL_ACCOUNT, LOCAL_REGION } from "../../../local/store/local-account.ts";
import type { StoreRequest } from "../../../local/store/wire.ts";
import { buildProgram } from "../../../ops/program.ts";
import type { OperatorStore } from "../../../ops/store/operator-store.ts";
import { type Engine, startEngine } from "../../support/engine.ts";
import { importRecords, importTrades } from "../../support/journaled-import.ts";
import { exchangeBuckets } from "../../support/limits.ts";
import { temporaryDirectory } from "../../support/operator.ts";
import { recordWriters } from "../../support/record-writers.ts";
import { resourcesOf, synthesize, testStage } from "../../support/synthesize.ts";
import { NOW, trade } from "../../support/trades.ts";
import { sellOrder, transaction } from "./records.ts";

const stage: Stage = testStage({ account: LOCAL_ACCOUNT, region: LOCAL_REGION });
vi.mock("../../../ops/store/stage-file.ts", () => ({ readStageFile: () => stage }));

/** What the commands since asked the store for. */
const { asked } = vi.hoisted(() => ({ asked: [] as StoreRequest[] }));

vi.mock("../../../local/store/identity.ts", async (original) => {
  const real = await original<typeof import("../../../local/store/identity.ts")>();
  const authorize: typeof real.authorize = (identity, request) => {
    if (identity.accessKeyId.startsWith("operator")) asked.push(request);
    return real.authorize(identity, request);
  };
  return { ...real, authorize };
});

const sort = "000001a20f5bbc80e012c052c314048c7668e759d0519340b763b531";
const DAMAGED = { pk: { S: "XRP-USD#649" }, sk: { B: Buffer.from(sort, "hex") }, d: { B: Buffer.from("?") } };

const passOf = (reference: string, version: number): string =>
  JSON.stringify({ partner_reference: reference, type: "loyalty_pass", version });
const ulidOf = (nth: number): string => `01ARZ3NDEKTSV4RRFFQ69${String(nth).padStart(5, "0")}`;

/** The files that commands read, with records that are new in each run: an import writes no other. */
const filesOf = (run: number): Readonly<Record<string, string>> => ({
  "transactions.file": transaction(`tx-new-${run}`),
  "orders.file": sellOrder(ulidOf(run), "service"),
  "passes.file": passOf(`new-${run}`, 1),
  "pass.file": passOf("demo-1", 1),
  "trades.file": JSON.stringify({ tdt: NOW - run * 5_000, p: "1.5", q: "2", tid: idOf(9), s: "buy" }),
});

/** The commands of each job, on records of every kind. They are repeated, and find each time what they work on. */
const commandsOf: Readonly<Record<string, readonly string[]>> = {
  Keys: [
    "keys list",
    "keys create ramp --partner acme --label servers",
    "keys create ramp --partner acme --dry-run",
    "keys label certificate#0 servers",
    "keys label certificate#0 clients",
    "keys rotate ramp-key#0 --dry-run",
    "keys rotate ramp-key#0 --yes",
    "keys revoke jws#plain --dry-run",
    "keys revoke jws#plain --yes",
    "subjects block acme --reason x",
    "subjects list",
    "subjects allow acme",
  ],
  Imports: [
    "import transactions transactions.file --business newcomer --new",
    "import sell-orders orders.file --partner newcomer --new",
    "import transactions transactions.file --business newcomer --dry-run",
    "import sell-orders orders.file --partner newcomer --dry-run",
    "import passes passes.file",
    "import passes passes.file --dry-run",
    "import trades trades.file --market ETH-USD",
    "import trades trades.file --market ETH-USD --withdraw",
    "markets put BTC-USD --dry-run",
    "markets put BTC-USD",
    "passes publish pass.file",
    "passes publish pass.file --dry-run",
    "passes void corrected --dry-run",
    "passes void corrected --yes",
    `segments take-out XRP-USD#649/${sort} --keep-in . --yes`,
    "segments check ETH-USD",
  ],
  Undoing: [
    "import undo of-transactions --yes",
    "import undo of-orders --yes",
    "import undo of-passes --yes",
    "import undo of-trades --yes",
    "import undo of-left-trades --yes",
  ],
  Erasing: [
    "erase business tenant --yes",
    "erase partner tenant --yes",
    "erase pass tenant --yes",
    "erase pass tenant --dry-run",
  ],
  Switches: ["switch get-pass off --reason x", "switch get-pass", "switch get-pass on"],
  Incidents: ["switch status"],
  Reading: [
    "keys list",
    "subjects list",
    "markets list",
    "switch status",
    "passes show corrected",
    "segments check ETH-USD",
    "audit list",
    "import list",
    "tenants list",
    "status",
  ],
};

const store: OperatorStore = {
  table: (name) => engine.table(name),
  brand: contractBrand,
  name: "",
  close: async () => {},
};

/** Makes an import that may be taken back, by the word of a command: it adds a record, and replaces one if it can. */
async function importToUndo(word: string): Promise<string> {
  const owner = `undone-${admitted}`;
  const orders = [ulidOf(1), ulidOf(2)] as const;
  const later = "2026-11-02T10:00:06Z";
  const of = async (
    kind: "transactions" | "sell-orders" | "passes",
    first: string,
    texts: readonly string[],
  ) => {
    await importRecords(store, { kind, owner, texts: [first] });
    return (await importRecords(store, { kind, owner, texts })) ?? "";
  };
  const symbol = `LEFT${admitted}-USD`;
  const ofLeftTrades = async () => {
    const left = [trade(admitted, NOW - 10_000)];
    const id = await importTrades(store, symbol, [...left, trade(admitted + 1, NOW - 60_000)]);
    const segment = packSegment(symbol, cutSegments(left, 0)[0] as Segment);
    await new TradeRegister(engine.table("Trades")).put([segment]);
    return id;
  };
  const makers: Readonly<Record<string, () => Promise<string | undefined>>> = {
    "of-transactions": () =>
      of("transactions", transaction("tx-1"), [
        transaction("tx-1", { updated_at: later }),
        transaction("tx-2"),
      ]),
    "of-orders": () =>
      of("sell-orders", sellOrder(orders[0], "service"), [
        sellOrder(orders[0], "service").replace("10:00:05Z", "10:00:06Z"),
        sellOrder(orders[1], "service"),
      ]),
    "of-passes": () => of("passes", passOf(owner, 1), [passOf(owner, 2), passOf(`${owner}-too`, 1)]),
    "of-trades": () => importTrades(store, `NEW${admitted}-USD`, [trade(admitted, NOW)]),
    "of-left-trades": ofLeftTrades,
  };
  return (await ownMember(makers, word)?.()) ?? word;
}

/** A business, a partner and a pass that may be erased: something in every place. */
async function fillTenant(): Promise<void> {
  const owner = "tenant";
  await importRecords(store, { kind: "transactions", owner, texts: [transaction("tx-1")] });
  await importRecords(store, { kind: "sell-orders", owner, texts: [sellOrder(ulidOf(1), "service")] });
  await importRecords(store, {
    kind: "passes",
    owner,
    texts: [passOf(owner, 1), passOf(`tenant-${admitted}`, 1)],
  });
  await importRecords(store, {
    kind: "passes",
    owner,
    texts: [passOf(owner, 2), passOf("other", admitted)],
    isTogether: true,
  });
  const key = { kind: "ramp-key", owner, scopes: [], createdAt: NOW } as const;
  await new CredentialRegister(engine.table("Credentials")).add({ ...key, id: "ramp-key#tenant" });
  const charge = { now: NOW, cost: 1, busy: new Set<string>() };
  const limits = new RateLimitStore(engine.table("RateLimits"));
  await limits.charge(`business#${owner}`, bucketsOf(exchangeBuckets, 30), charge);
}

const { operators } = synthesize(stage, { add: addOperatorsStack });

interface TemplateStatement extends Readonly<Record<"Action" | "Resource", string | readonly string[]>> {
  readonly Effect: "Allow";
  readonly Condition?: {
    readonly "ForAllValues:StringLike"?: { readonly "dynamodb:LeadingKeys": string | string[] };
  };
}

/** The statements of the policy that the stack makes for a job. */
const statementsOf = (job: OperatorJob): PolicyStatement[] => {
  const policy = resourcesOf(operators, "AWS::IAM::ManagedPolicy").find(({ id }) => id.startsWith(job.name));
  const statements: readonly TemplateStatement[] = policy?.Properties.PolicyDocument.Statement;
  return statements.map(({ Effect, Action, Resource, Condition }) => {
    const keys = Condition?.["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"];
    return {
      effect: Effect,
      actions: [Action].flat(),
      resources: [Resource].flat(),
      ...(keys !== undefined && {
        leadingKeys: { attribute: tables.Settings.partition.name, patterns: [keys].flat() },
      }),
    };
  });
};

/** The job's statements without one of its grants. */
const without = (job: OperatorJob, table: TableName, action: string): PolicyStatement[] =>
  statementsOf(job).map((statement) =>
    statement.resources.some((arn) => arn.endsWith(`/${stage.tables[table]}`))
      ? { ...statement, actions: statement.actions.filter((one) => one !== `dynamodb:${action}`) }
      : statement,
  );

let engine: Engine;
let admitted = 0;

beforeAll(async () => {
  engine = await startEngine("dynalite");
  for (const name of Object.keys(recordWriters) as TableName[]) await recordWriters[name](engine.table(name));
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.stubEnv("AWS_REGION", LOCAL_REGION);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "not-a-secret");
});
afterAll(async () => {
  await engine.close();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** What the operator reads when somebody with these permissions runs a command in vain; undefined when it works. */
async function complaintOf(
  command: string,
  statements: readonly PolicyStatement[],
): Promise<string | undefined> {
  admitted += 1;
  const accessKeyId = `operator${admitted}`;
  engine.admit({ accessKeyId, arn: `arn:aws:iam::${LOCAL_ACCOUNT}:role/${accessKeyId}`, statements });
  vi.stubEnv("AWS_ACCESS_KEY_ID", accessKeyId);
  await engine.client.send(new PutItemCommand({ TableName: engine.tableName("Trades"), Item: DAMAGED }));
  // As in a stage that has no market yet: the first one makes the list.
  const list = { TableName: engine.tableName("Settings"), Key: { id: { S: MARKET_LIST_ID } } };
  await engine.client.send(new DeleteItemCommand(list));
  await using directory = await temporaryDirectory();
  const files = filesOf(admitted);
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory.path, name), text);
  if (command.startsWith("erase")) await fillTenant();
  const pathed = (word: string) => (word in files || word === "." ? join(directory.path, word) : word);
  const where = ["--stage", "test", "--dynamodb-endpoint", engine.endpoint];
  try {
    const words = await Promise.all(command.split(" ").map(pathed).map(importToUndo));
    const program = await buildProgram(words[0]);
    await program.parseAsync([...words, ...where], { from: "user" });
  } catch (error) {
    if (error instanceof OperatorError) return error.message;
    throw error;
  } finally {
    process.exitCode = undefined;
  }
  return undefined;
}

const DENIED = expect.stringContaining("does not let these AWS credentials do this");

describe.each(operatorJobs)("an operator with the policy for $name", (job) => {
  const requests: StoreRequest[] = [];

  test.each(commandsOf[job.name] ?? [])("may run `%s`", async (command) => {
    asked.length = 0;
    expect(await complaintOf(command, statementsOf(job))).toBeUndefined();
    requests.push(...asked);
  });

  // Who may read may look at every table, by other means than these commands too. Compaction writes in batches, and
  // pauses for a minute before it has made use of all that it may.
  const grants = Object.entries(job.name === "Reading" ? {} : job.tables)
    .flatMap(([table, actions]) => actions.map((action) => [action, table as TableName] as const))
    .filter(([action, table]) => action !== "BatchWriteItem" || table !== "Trades");

  test.each(grants)(
    "has no permission too many: not %s on %s, which some of these commands need",
    (action, table) => {
      const lesser = { accessKeyId: "", arn: "", statements: without(job, table, action) };
      expect(requests.some((request) => authorize(lesser, request) !== undefined)).toBe(true);
    },
  );
});

test.each([
  ["Keys", "switch get-pass off --reason x"],
  ["Keys", "passes show corrected"],
  ["Imports", "keys create ramp --partner acme"],
  ["Imports", "keys list"],
  ["Imports", "import undo of-transactions --yes"],
  ["Imports", "erase business tenant --yes"],
  ["Keys", "erase business tenant --yes"],
  ["Undoing", "erase business tenant --yes"],
  ["Switches", "keys list"],
  ["Switches", "subjects list"],
  ["Switches", "passes show corrected"],
  ["Incidents", "switch get-pass off --reason x"],
  ["Incidents", "passes show corrected"],
  ["Incidents", "keys list"],
  ["Reading", "keys create ramp --partner acme"],
  ["Reading", "switch get-pass on"],
  ["Reading", "passes void corrected --yes"],
])("an operator with the policy for %s may not run `%s`", async (name, command) => {
  const job = operatorJobs.find((one) => one.name === name);
  if (job === undefined) throw new Error(`There is no job ${name}.`);
  expect(await complaintOf(command, statementsOf(job))).toEqual(DENIED);
});

describe("the settings that an operator may write", () => {
  const keptSet = { id: { S: "key-set#https://identity.test/jwks.json" }, key_set: { S: "{}" } };
  const item = { switch: { id: { S: "switch#get-pass" } }, market: { id: { S: "market#BTC-USD" } } };

  test.each([
    ["Imports", "a market", item.market, true],
    ["Imports", "a switch", item.switch, false],
    ["Imports", "a kept key set", keptSet, false],
    ["Switches", "a switch", item.switch, true],
    ["Switches", "a market", item.market, false],
    ["Switches", "a kept key set", keptSet, false],
    ["Incidents", "a switch", item.switch, false],
    ["Incidents", "a kept key set", keptSet, false],
    ["Keys", "a kept key set", keptSet, false],
    ["Reading", "a kept key set", keptSet, false],
  ])("%s: %s", (name, _, Item, allowed) => {
    const job = operatorJobs.find((one) => one.name === name) as OperatorJob;
    const request = {
      operation: "PutItem",
      input: { TableName: "countinghouse-test-Settings", Item },
    } as const;
    const refusal = authorize({ accessKeyId: "", arn: "", statements: statementsOf(job) }, request);
    expect(refusal === undefined).toBe(allowed);
  });
});
