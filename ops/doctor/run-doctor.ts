import { lookup } from "node:dns/promises";
import * as z from "zod/mini";
import { systemClock } from "../../lib/clock.ts";
import { commands } from "../../local/installation.ts";
import { exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import type { Tint } from "../../local/terminal/tint.ts";
import { defineCommand, type Shown } from "../command.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { readStageFile } from "../store/stage-file.ts";
import { listText } from "../terminal/write-table.ts";
import { parseSeconds } from "../wallet/wallet-options.ts";
import { type Finding, runChecks, stateOf, type Verdict, verdicts } from "./finding.ts";
import { placeChecks, storeChecks } from "./local/local-checks.ts";
import { type StageContext, stackReader } from "./stage/check-account.ts";
import { type OpenClaim, openClaims } from "./stage/open-claims.ts";
import { type CallerOptions, stageChecks } from "./stage/stage-checks.ts";

const TINTS: Readonly<Record<Verdict, Tint>> = {
  ok: "good",
  warn: "warn",
  fail: "bad",
  "not checked": "soft",
};

const EXIT_CODES = {
  well: exitCodes.done,
  attention: exitCodes.someRefused,
  unknown: exitCodes.failed,
} as const;

const addressesOf = async (name: string): Promise<readonly string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address);

async function examineStage(
  stageName: string,
  store: OperatorStore,
  caller: CallerOptions,
): Promise<readonly Finding[]> {
  const stage = readStageFile(stageName);
  const region = store.aws?.region;
  const context: StageContext = {
    stage,
    region,
    store,
    clock: systemClock,
    resolve: addressesOf,
    fetch,
    stack: stackReader({ stage, region }),
  };
  const permissions = `Attach ReadingPolicy of the stack countinghouse-${stage.name}-operators to your role.`;
  return await runChecks(stageChecks(context, caller), permissions);
}

/** Where no store can be opened, that is a finding too. */
async function examineLaptop(data: string, open: () => Promise<OperatorStore>): Promise<readonly Finding[]> {
  const place = await runChecks(placeChecks(data), "");
  try {
    return [...place, ...(await runChecks(storeChecks(await open(), data, systemClock), ""))];
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return [...place, { check: "store", verdict: "fail", text: "it cannot be opened", todo: error.message }];
  }
}

function textOf(findings: readonly Finding[], claims: readonly OpenClaim[]): readonly Shown[] {
  const rows = findings.map(({ check, verdict, text, todo }) => [
    { text: verdict, tint: TINTS[verdict] },
    check,
    todo === undefined ? text : `${text}. ${todo}`,
  ]);
  const open = claims.map(({ claim, how, page }) =>
    [`${claim}: ${how}`, ...(page === undefined ? [] : [page])].join(" "),
  );
  return [
    { rows },
    ...(open.length === 0 ? [] : ["\nWhat only a deployment can show, and how:", listText(open)]),
  ];
}

/** `doctor`: checks everything that serving needs, and says what to do. */
export const doctor = defineCommand({
  words: "doctor",
  summary: "check everything that serving needs, and say what to do",
  about: `Checks everything that is needed to serve requests, and says of each thing that is wrong what to do. It changes nothing.

On a laptop: the data directory, the disk, the engine, the tables, and of a running \`${commands.start}\` its port, its clock,
faults that are switched on, the page, and one signed request.
On a stage (--stage): the account, the clock against AWS's, stacks, tables (keys, indexes, time to live, point-in-time
recovery, deletion protection, tags), functions, the account's concurrency, queues, certificates, the truststore, who is
told of alarms, DNS, and the public addresses: one must refuse a request without credentials with our own answer, the one
for client certificates must let nobody in without. With a caller's credentials, one request goes through everything. Last
comes what only a deployment can show, with the command that shows it and the page on which AWS says it.

A check that a permission is missing for is "not checked"; the policy ReadingPolicy has them all.`,
  examples: [
    "ops doctor",
    "ops doctor --stage prod --api-key-file key.txt --private-key private.pem",
    `ops doctor --json | jq '.findings[] | select(.verdict != "ok")'`,
  ],
  exits: {
    0: "all is well",
    1: "something is to be done",
    2: "some checks could not be made, and nothing else is to be done",
  },
  on: "store",
  takes: {
    "--token-file <file>": "with --stage: a file with a business's access token, for one request",
    "--api-key-file <file>": "with --stage: a file with a trading client's API key, for one signed request",
    "--private-key <file>": "with --api-key-file: the client's Ed25519 private key, PEM",
    "--timeout <seconds>": { text: "how long that request may take", parse: parseSeconds, default: "30" },
  },
  json: {
    shape: z.object({
      state: z.enum(["well", "attention", "unknown"]),
      findings: z.array(
        z.object({
          check: z.string(),
          verdict: z.enum(verdicts),
          text: z.string(),
          todo: z.optional(z.string()),
        }),
      ),
      /** Of a stage: what is known only from AWS's documents, and the command that shows it. */
      onlyShownByDeployment: z.optional(
        z.array(z.object({ claim: z.string(), how: z.string(), page: z.optional(z.string()) })),
      ),
    }),
    example: {
      state: "attention",
      findings: [
        {
          check: "table Trades",
          verdict: "ok",
          text: "keys, point-in-time recovery, deletion protection, tags as they should be",
        },
        {
          check: "alarms",
          verdict: "warn",
          text: "team@example.com has not confirmed its subscription to `alarms.notify`, and is told nothing",
          todo: "Confirm it by the message that AWS sent there.",
        },
      ],
    },
  },
  async run({ stage, ...given }, { store }) {
    const findings =
      stage === undefined
        ? await examineLaptop(given.data, store)
        : await examineStage(stage, await store(), given);
    const claims = stage === undefined ? [] : openClaims(stage);
    const state = stateOf(findings);
    return {
      json: { state, findings, ...(stage !== undefined && { onlyShownByDeployment: claims }) },
      text: textOf(findings, claims),
      exitCode: EXIT_CODES[state],
    };
  },
});
