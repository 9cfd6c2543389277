import type { DemoFile } from "../demo/demo-file.ts";
import { demoFilePath } from "../demo/demo-file.ts";
import { commands, places } from "../installation.ts";

/** Durability of the embedded engine. That of another engine is not known. */
const DURABILITY = "Every answered write survives a killed process, but a power cut may lose the last ones.";

/** The differences from AWS that matter to an integrator. */
const DIFFERENCES = [
  "The store is an emulator that is held to DynamoDB's rules. It has no backups, and it lags, throttles, expires items and loses answers only when options ask for it.",
  "Everything runs on one machine, without a custom domain, throttles (which AWS keeps as well as it can, not exactly) or an access log, and over plain HTTP except for clients with certificates.",
  "A path outside of the base path gets 404. A custom domain answers it with 403.",
  "Whether API Gateway renames WWW-Authenticate, as it does for REST APIs, is not known: clients should go by the status and `code`.",
  "Client certificates come from an authority made for this directory. Deployed, they come from the authorities in your truststore; none is checked for revocation, and functions see the client's own without its chain.",
  "A function has at most 4 environments. They are threads of one process, share its clock, and are never frozen. Their memory limit counts JavaScript's heap alone, and their load takes as long as it takes; Lambda counts all memory and allows a load 10 seconds.",
  "A function is never throttled unless a fault asks for it. Deployed, it is when its own or the account's concurrency is used up: a 503 without Retry-After.",
  "Logs have the functions' lines alone. Lambda adds a start, an end and a report to each request.",
  "A strongly consistent read sees every write. Deployed, it sees those of its own region.",
  "A new version replaces the old one at once. Deployed, both serve for a while.",
  "Tokens come from an issuer made for this directory. Deployed, they come from your identity provider.",
  "Functions run on this machine's Node and processor, not on Lambda's arm64 build of Node 24.",
] as const;

/** How this machine differs from a deployment, as lines. */
export const differenceLines = (engineEndpoint: string | undefined): readonly string[] => [
  `The template and bundles are those of a deployment. Differences from AWS (${places.shownDocuments}/fidelity.md lists them all):`,
  ...(engineEndpoint === undefined ? [DURABILITY, ...DIFFERENCES] : DIFFERENCES).map(
    (difference) => `  - ${difference}`,
  ),
  `How a deployment answers otherwise is shown by \`${commands.ops} compare\` (${places.shownDocuments}/compare.md).`,
];

/** A data directory, as `npm start -- --about` describes it. */
export interface AboutParts {
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
          `countinghouse answers at ${baseUrl}`,
          `Reference: ${places.shownDocuments}/reference.md, and for programs ${baseUrl}/openapi.json`,
          ...(passes === undefined ? [] : [`Clients with certificates: ${passes.mtls.url}`]),
          `Credentials and ids for every case: ${demoFilePath(dataDir)}`,
        ]
      : [`No \`${commands.start}\` runs on ${dataDir} now.`];
  return [
    ...running,
    `Store: ${engineEndpoint ?? `${dataDir}/dynamodb`}`,
    "",
    ...differenceLines(engineEndpoint),
  ].join("\n");
}
