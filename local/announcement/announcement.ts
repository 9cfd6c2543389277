import { type DemoFile, demoFilePath } from "../demo/demo-file.ts";
import { HANDED_OUT_MS } from "../identity/local-identity.ts";
import { commands, places } from "../installation.ts";
import type { Service } from "../local-service.ts";
import type { StartOptions } from "../options.ts";
import { describeBehaviour } from "../store/store-behaviour.ts";
import { shQuoted } from "../terminal/sh-quoted.ts";
import { dataOption, powershellQuoted, type ShellName } from "../terminal/shell.ts";

/** What an announcement tells of a service that answers. */
export type Announced = Pick<Service, "demo" | "queues" | "warnings">;

/** The options that an announcement repeats. */
export type AnnouncedOptions = Pick<
  StartOptions,
  "corsOrigins" | "dataDir" | "behaviour" | "hasPage" | "isTomorrow"
>;

const answersAt = (baseUrl: string): string => `countinghouse answers at ${baseUrl}`;
const referenceOf = (baseUrl: string): string =>
  `Reference: ${places.shownDocuments}/reference.md, and for programs ${baseUrl}/openapi.json`;
const lastLines = (warnings: readonly string[]): readonly string[] => [
  "",
  ...warnings.flatMap((warning) => [`Warning: ${warning}`, ""]),
  "Ctrl-C stops it.",
];

/** Where the page is that shows everything in a browser; nothing where it is left out. */
const pageLines = (hasPage: boolean): readonly string[] =>
  hasPage
    ? ["  (open it in a browser to try everything on a page; a deployment answers 404 at the bare address)"]
    : [];

/** Where records are taken in by messages; nothing where the template has no queue. */
const queueLines = (queues: Announced["queues"], data: string): readonly string[] =>
  queues === undefined
    ? []
    : [
        `Queue of records: ${queues.url}`,
        `  (SQS at ${queues.endpoint}; \`${commands.ops} send passes FILE${data}\` puts passes into it)`,
      ];

/** Names the origins whose browser programs may read answers, if there are any. */
const originLines = (corsOrigins: readonly string[]): readonly string[] =>
  corsOrigins.length > 0 ? [`Browser programs that may read answers: ${corsOrigins.join(", ")}`] : [];

/** Durability of the embedded engine. That of another engine is not known. */
const DURABILITY = "Every answered write survives a killed process, but a power cut may lose the last ones.";

/** The differences from AWS that matter to an integrator. */
const DIFFERENCES = [
  "The store is an emulator that is held to DynamoDB's rules. It has no backups, and it lags, throttles, expires items and loses answers only when options ask for it.",
  "Everything runs on one machine, without a custom domain, throttles (which AWS keeps as well as it can, not exactly) or an access log, and over plain HTTP except for clients with certificates.",
  "A path outside of the base path gets 404. A custom domain answers it with 403.",
  "Whether API Gateway renames WWW-Authenticate, as it does for REST APIs, is not known: clients should go by the status and `code`.",
  "Client certificates come from an authority made for this directory. Deployed, they come from the authorities in your truststore; none is checked for revocation, and functions see the client's own without its chain.",
  "A function has at most 4 environments. They are threads of one process, share its clock, and are never frozen. Their memory limit counts JavaScript's heap alone, and a load may compute for 10 seconds; Lambda counts all memory, and the 10 seconds of a load by the clock.",
  "A function is never throttled unless a fault asks for it. Deployed, it is when its own or the account's concurrency is used up: a 503 without Retry-After.",
  "Logs have the functions' lines alone. Lambda adds a start, an end and a report to each request.",
  "A strongly consistent read sees every write. Deployed, it sees those of its own region.",
  "A new version replaces the old one at once. Deployed, both serve for a while.",
  "Tokens come from an issuer made for this directory. Deployed, they come from your identity provider.",
  "Functions run on this machine's Node and processor, not on Lambda's arm64 build of Node 24.",
] as const;

/** How this machine differs from a deployment, as lines. */
const differenceLines = (engineEndpoint: string | undefined): readonly string[] => [
  `The template and bundles are those of a deployment. Differences from AWS (${places.shownDocuments}/fidelity.md lists them all):`,
  ...(engineEndpoint === undefined ? [DURABILITY, ...DIFFERENCES] : DIFFERENCES).map(
    (difference) => `  - ${difference}`,
  ),
  `How a deployment answers otherwise is shown by \`${commands.ops} compare\` (${places.shownDocuments}/compare.md).`,
];

/** A data directory, as `npm start -- --about` describes it. */
interface AboutParts {
  readonly dataDir: string;
  /** What the last start wrote; empty before the first one. */
  readonly demo: Partial<DemoFile>;
  readonly isRunning: boolean;
  readonly engineEndpoint: string | undefined;
}

/** The text of `npm start -- --about`: what runs on a data directory, where its files are, and how it differs from AWS. */
export function aboutText({ dataDir, demo, isRunning, engineEndpoint }: AboutParts): string {
  const { baseUrl, passes } = demo;
  const running =
    isRunning && baseUrl !== undefined
      ? [
          answersAt(baseUrl),
          referenceOf(baseUrl),
          ...(passes === undefined ? [] : [`Clients with certificates: ${passes.mtls.url}`]),
          `Credentials and ids for every case: ${demoFilePath(dataDir)}`,
          `Tokens and certificates last ${HANDED_OUT_MS / 86_400_000} days from the start; another start issues new ones.`,
        ]
      : [`No \`${commands.start}\` runs on ${dataDir} now.`];
  return [
    ...running,
    `Store: ${engineEndpoint ?? `${dataDir}/dynamodb`}`,
    "",
    ...differenceLines(engineEndpoint),
  ].join("\n");
}

interface Here {
  /** The shell of the terminal. */
  readonly shell: Exclude<ShellName, "cmd">;
  /** The data directory that `npm run ops` works on unless told another. */
  readonly defaultDataDir: string;
}

/**
 * The text that `npm start` prints once requests are answered: the address, and commands that show the rest. It has no
 * credential: the curl line reads the demo's file when it is run. What options asked for is repeated, and warnings come
 * last, where users notice them.
 */
export function announcement(
  { demo, queues, warnings }: Announced,
  { corsOrigins, dataDir, behaviour, hasPage, isTomorrow }: AnnouncedOptions,
  { shell, defaultDataDir }: Here,
): string {
  const [quoted, curl] = SHELLS[shell];
  const data = dataOption(dataDir, defaultDataDir, shell);
  const order = `${demo.baseUrl}/sell-orders/${encodeURIComponent(demo.ramp.orderId)}`;
  return [
    answersAt(demo.baseUrl),
    ...pageLines(hasPage),
    "",
    "In another terminal:",
    `  ${curl(demoFilePath(dataDir))} ${quoted(order)}`,
    "",
    `A curl line for each endpoint and credential: ${commands.ops} demo curl${data}`,
    `How this machine differs from AWS: ${commands.startWith} --about${data}`,
    referenceOf(demo.baseUrl),
    ...queueLines(queues, data),
    ...originLines(corsOrigins),
    ...describeBehaviour(behaviour),
    ...(isTomorrow === true ? [TOMORROW] : []),
    ...lastLines(warnings),
  ].join("\n");
}

const TOMORROW =
  "Tomorrow: each answer has one thing that the contracts allow to come, which its header X-Local-Tomorrow names.";

type Quoted = (text: string) => string;

/** For each shell: how it quotes a word, and the curl command that reads the partner's key from the demo's file. */
const SHELLS: Readonly<Record<Here["shell"], readonly [quoted: Quoted, curl: (file: string) => string]>> = {
  sh: [shQuoted, (file) => `curl -sS -H "X-API-KEY: $(node -p ${shQuoted(keyScript(file))})"`],
  powershell: [
    powershellQuoted,
    (file) =>
      `curl.exe -sS -H ('X-API-KEY: ' + (Get-Content -Raw -LiteralPath ${powershellQuoted(file)} | ConvertFrom-Json).ramp.apiKey)`,
  ],
};

const keyScript = (file: string): string => `require(${JSON.stringify(file)}).ramp.apiKey`;
