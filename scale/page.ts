import { PAGE_TRADES_MAX } from "../lib/trades/contract.ts";
import { PAGE_BYTES_MAX } from "../lib/transactions/page-builder.ts";
import { prices } from "../local/bill/prices.ts";
import { type Quota, quotas } from "./quotas.ts";
import type { CallWalls, Played } from "./report.ts";
import { dollars, firstWalls, short } from "./terminal.ts";

type Rows = readonly (readonly string[])[];

const tableOf = ([headings = [], ...rows]: Rows): string =>
  [headings, headings.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

/** Hours of a month as AWS computes its bills. */
const MONTH_HOURS = 730;

const wallTable = (calls: readonly CallWalls[]): string =>
  tableOf([
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

const arrow = (rates: readonly number[]): string => rates.map(short).join(" → ");

const playedTable = (played: readonly Played[]): string =>
  tableOf([
    ["scenario", "sent a second", "served a second", "refused in all", "cold starts"],
    ...played.map(({ name, offered, served, refused, coldStarts }) => {
      const refusals = Object.entries(refused).filter(([, count]) => count > 0);
      return [
        name,
        arrow(offered),
        arrow(served),
        refusals.map(([part, count]) => `${short(count)} by ${part}`).join(", ") || "none",
        short(coldStarts),
      ];
    }),
  ]);

const quotaTable = (): string =>
  tableOf([
    ["quota", "of what", "grows", "source"],
    ...Object.values(quotas).map(({ value, unit, grows, source }: Quota) => [
      value.toLocaleString("en-US"),
      unit,
      grows,
      `[${source.split("/").at(-1)}](${source})`,
    ]),
  ]);

const aboutList = (played: readonly Played[]): string =>
  [...new Set(played.map(({ name, about }) => `- *${name.split(",")[0]}*: ${about}`))].join("\n");

const ratesOf = (played: readonly Played[]): readonly string[] =>
  played.map(({ served }) => short(served.at(-1) ?? 0));

/** What the page is made from. */
export interface PageData {
  readonly calls: readonly CallWalls[];
  readonly played: readonly Played[];
  /** Write units of 1,000 trades. */
  readonly unitsPerThousand: number;
  /** Bytes of 1,000 trades as the text of an answer. */
  readonly bytesPerThousand: number;
}

const opening = (): string => `# Scaling

At which rate a deployment begins to refuse, which part of it refuses first, what an hour costs there, and what helps.
\`npm run simulate\` prints the same for other stages and accounts; \`npm run scaling\` writes this page and its charts.

The figures hold for a stage with default settings in an account with AWS's usual quotas. They follow from three things: quotas as AWS
documents them ([below](#quotas)), this project's measured units, bytes and CPU ([performance.md](performance.md)), and prices of ${prices.asOf}.
Nothing was measured on AWS.
`;

const wallSection = (calls: readonly CallWalls[]): string => `## Walls

![The first wall of each kind of call, for one owner, one market and all callers](images/walls.svg)

The first wall of an owner is always the owner's own limit, far below what the store gives to one key: no owner can wear out a part that
others share. All callers together first meet the throttle of their route, which follows from \`throttle.owners\`. Behind it are tables as
long as they are new, and the quotas of the account. \`npm run simulate -- --call NAME\` prints every wall of a call.

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

const loadSection = (played: readonly Played[]): string => `## Under load

Walls say what holds for good. How a deployment comes there is played, call by call and millisecond by millisecond, with arrivals at random:
the gateway's throttle, Lambda's environments with their cold starts and scaling rate, the owners' limits by the functions' own rules, and
tables whose partitions split as those of \`npm start -- --partition-limits\` do. Rates are those at the end of each quarter.

${aboutList(played)}

${playedTable(played)}

- Heat in one market's history is split within minutes. Heat in its newest trades cannot be split, because they move on.
- A sudden opening takes a new environment for each call until the first ones are warm, and Lambda gives a thousand at once: that is when
  calls are lost. More memory shortens that time. Provisioned concurrency removes it.
- New tables refuse for half an hour what is beyond their first units. DynamoDB often grows sooner, and does not promise it.
`;

function marketSection({ played, unitsPerThousand }: PageData): string {
  const market = played.filter(({ name }) => name.startsWith("one hot market"));
  const tradesWritten = (quotas.partitionWrites.value / unitsPerThousand) * 1_000;
  return `## A hot market

Readers of a market's newest trades all read the same few items of one partition, near the present with strong consistency and so at twice
the units. One market serves ${ratesOf(market)[0]} first pages of 1,000 trades a second. Its writers meet their wall far later: 1,000 trades take
${short(unitsPerThousand)} write units, so one partition takes ${short(tradesWritten)} trades a second.

![First pages of one market that are served, with 1, 2 and 4 mirrors](images/hot-market.svg)

With two mirrors it would serve ${ratesOf(market)[1]}, with four ${ratesOf(market)[2]}. [Decision 41](decisions/0041-memory-walls-and-mirrors.md) has
the design, which is not built. Until then, a program that polls for new trades should ask for 100 in place of 1,000, which takes a quarter of
the units. A refused read is a 503 with \`Retry-After\`, and the throttle events of \`Trades\` show that a market is hot.
`;
}

const sizes = ({ bytesPerThousand }: PageData): string => `## Sizes

Sizes are walls of a single answer. Each is kept by the code, whatever is stored.

${tableOf([
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

An account tells its own values, which \`npm run simulate -- --concurrency N --requests N\` computes with:

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
- A partition that refuses for two minutes splits where its traffic halves. AWS documents that it splits, and not when. In a deployment,
  \`ReadThrottleEvents\` of \`Trades\` end when it has.
- Unused units of the last five minutes (burst capacity) are not counted, because AWS does not promise them.
- Callers do not repeat what was refused, and environments are not closed meanwhile.
`;

/** The text of docs/scaling.md. */
export const scalingPage = (data: PageData): string =>
  [
    opening(),
    wallSection(data.calls),
    remedies(),
    loadSection(data.played),
    marketSection(data),
    sizes(data),
    quotaSection(),
    assumptions(),
  ].join("\n");
