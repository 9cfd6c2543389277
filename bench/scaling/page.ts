import { readStage, stageFileOf } from "../../infra/stage.ts";
import { PAGE_TRADES_MAX } from "../../lib/trades/contract.ts";
import { PAGE_BYTES_MAX } from "../../lib/transactions/page-builder.ts";
import { prices } from "../../ops/prices.ts";
import { markdownTable } from "../print-figures.ts";
import { readResults } from "../results.ts";
import { type Quota, quotas, usualAccount } from "./quotas.ts";
import { type Scope, type Wall, wallsOf } from "./walls.ts";
import { figureOf, workloadsOf } from "./workloads.ts";

/** The walls of a kind of call, the lowest first. */
interface CallWalls {
  readonly call: string;
  readonly walls: readonly Wall[];
}

/** A rate as people read it: whole from a hundred on, with one digit beyond the point below, with two below ten. */
const short = (value: number): string =>
  value >= 100
    ? Math.round(value).toLocaleString("en-US")
    : value.toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 2 : 1 });

/** An amount of dollars: with cents below a hundred. */
const dollars = (amount: number): string => (amount < 100 ? amount.toFixed(2) : short(amount));

const SCOPES: readonly Scope[] = ["one owner", "one market", "all callers"];

/** The walls that are met first: the lowest of each scope, and the next one of all callers. */
const firstWalls = (walls: readonly Wall[]): readonly Wall[] =>
  SCOPES.flatMap((scope) =>
    walls.filter((wall) => wall.scope === scope).slice(0, scope === "all callers" ? 2 : 1),
  );

/** Hours of a month as AWS computes its bills. */
const MONTH_HOURS = 730;

const wallTable = (calls: readonly CallWalls[]): string =>
  markdownTable([
    ["call", "for", "wall", "calls a second", "$ an hour", "$ a month", "lifted by"],
    ...calls.flatMap(({ call, walls }) =>
      firstWalls(walls).map(({ scope, name, callsPerSecond, dollarsPerHour, lift }, at) => [
        at === 0 ? call : "",
        scope,
        name,
        short(callsPerSecond),
        dollars(dollarsPerHour),
        dollars(dollarsPerHour * MONTH_HOURS),
        lift,
      ]),
    ),
  ]);

const quotaTable = (): string =>
  markdownTable([
    ["quota", "of what", "grows", "source"],
    ...Object.values(quotas).map(({ value, unit, grows, source }: Quota) => [
      value.toLocaleString("en-US"),
      unit,
      grows,
      `[${source.split("/").at(-1)}](${source})`,
    ]),
  ]);

const opening = (): string => `# Scaling

At which rate a deployment begins to refuse, which part of it refuses first, what an hour costs there, and what helps.
\`npm run write -- scaling\` writes this page.

The figures hold for a stage with default settings in an account with AWS's usual quotas. They follow from three things: quotas as AWS
documents them ([below](#quotas)), this project's measured units, bytes and CPU ([performance.md](performance.md)), and prices of ${prices.asOf}.
Nothing was measured on AWS.
`;

const wallSection = (calls: readonly CallWalls[]): string => `## Walls

The first wall of an owner is always the owner's own limit, far below what the store gives to one key: no owner can wear out a part that
others share. All callers together first meet the throttle of their route, which follows from \`throttle.owners\`. Behind it are tables as
long as they are new, and the quotas of the account.

${wallTable(calls)}
`;

const remedies = (): string => `## What lifts a wall

- **An owner's limit and a route's throttle** are settings of the stage: \`rateLimits\`, \`throttle.owners\`, \`throttle.routes\`
  ([operations.md](operations.md)). A limit above ${short(quotas.partitionWrites.value)} requests a second is useless, because every request writes to the owner's one item.
- **A new table** has ${quotas.newTableWrites.value.toLocaleString("en-US")} write and ${quotas.newTableReads.value.toLocaleString("en-US")} read units a second, and twice its peak half an hour later. Before a launch, set a warm
  throughput once: \`aws dynamodb update-table --table-name NAME --warm-throughput ReadUnitsPerSecond=40000,WriteUnitsPerSecond=10000\`. Every
  request writes to \`RateLimits\`, so that table comes first.
- **Quotas of the account** are raised by a request in Service Quotas: requests of API Gateway, concurrent executions of Lambda, throughput
  of a table. Lambda also counts ${quotas.lambdaRequestsPerEnvironment.value} requests a second for each environment of the quota. Our calls take less than a tenth of a second, so
  that is the wall, not the environments: a new account with 10 environments serves 100 requests a second.
- **One market** is [below](#a-hot-market).
`;

const marketSection = (calls: readonly CallWalls[], unitsPerThousand: number): string => {
  const market = calls.flatMap(({ walls }) => walls).find(({ scope }) => scope === "one market");
  if (market === undefined) throw new Error("No call has a wall of one market.");
  const tradesWritten = (quotas.partitionWrites.value / unitsPerThousand) * 1_000;
  return `## A hot market

Readers of a market's newest trades all read the same few items of one partition, near the present with strong consistency and so at twice
the units. One market serves ${short(market.callsPerSecond)} first pages of 1,000 trades a second. Its writers meet their wall far later: 1,000 trades take
${short(unitsPerThousand)} write units, so one partition takes ${short(tradesWritten)} trades a second.

A program that polls for new trades should ask for 100 in place of 1,000, which takes a quarter of the units. A refused read is a 503 with
\`Retry-After\`, and the throttle events of \`Trades\` show that a market is hot. Heat in a market's older trades is spread, and DynamoDB
splits it; heat in the newest cannot be split, because they move on.
`;
};

const sizes = (bytesPerThousand: number): string => `## Sizes

Sizes are walls of a single answer. Each is kept by the code, whatever is stored.

${markdownTable([
  ["answer", "our bound", "the wall behind it"],
  [
    "a page of transactions",
    `${short(PAGE_BYTES_MAX / 1e6)} MB as Lambda counts them, then the page ends early`,
    `${short(quotas.lambdaPayload.value / 1024 ** 2)} MB of a function's answer; ${short(quotas.gatewayPayload.value / 1024 ** 2)} MB of the gateway's`,
  ],
  [
    "a page of trades",
    `${short(PAGE_TRADES_MAX)} trades, some ${short((bytesPerThousand * PAGE_TRADES_MAX) / 1e6)} KB before compression`,
    "the same",
  ],
  [
    "a query",
    "repeated until the page is full",
    `${short(quotas.queryBytes.value / 1024 ** 2)} MB that one query of DynamoDB reads`,
  ],
])}
`;

const quotaSection = (): string => `## Quotas

${quotaTable()}

An account tells its own values:

\`\`\`sh
aws lambda get-account-settings --query AccountLimit.ConcurrentExecutions
aws apigateway get-account --query throttleSettings
aws dynamodb describe-limits
aws dynamodb describe-table --table-name NAME --query Table.WarmThroughput
\`\`\`
`;

const assumptions = (): string => `## What is assumed

- An answer of the store takes 3 ms. Memory, and so CPU, is the stage's default. In a deployment, Lambda's own lines say in
  \`record.metrics.durationMs\` how long calls take.
- A call for trades asks for a window of one day of a market with 30 trades a second, and costs one token.
- Unused units of the last five minutes (burst capacity) are not counted, because AWS does not promise them.
`;

/** The text of docs/scaling.md. The same measurements give the same text. @throws {Error} when a measurement is missing. */
export async function scalingPage(): Promise<string> {
  const results = await readResults();
  const deployment = { stage: readStage(stageFileOf(undefined, "example")), account: usualAccount };
  const calls = (await workloadsOf(results)).map((workload) => ({
    call: workload.call,
    walls: wallsOf(workload, deployment),
  }));
  const unitsPerThousand = figureOf(results, "page", "write units for 1,000 trades").ours.median;
  // The peer of that measurement sends the same page plain.
  const bytesPerThousand = figureOf(results, "page", "bytes to the caller").peer.median;
  return [
    opening(),
    wallSection(calls),
    remedies(),
    marketSection(calls, unitsPerThousand),
    sizes(bytesPerThousand),
    quotaSection(),
    assumptions(),
  ].join("\n");
}
