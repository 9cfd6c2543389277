import { curlLines } from "../demo/curl-lines.ts";
import { demoFilePath } from "../demo/demo-file.ts";
import { commands, places } from "../installation.ts";
import type { Service } from "../local-service.ts";
import type { StartOptions } from "../options.ts";
import { describeBehaviour } from "../store/store-behaviour.ts";
import { curlWriter, type ShellName } from "../terminal/shell.ts";
import { differenceLines } from "./about.ts";

/** What an announcement tells of a service that answers. */
export type Announced = Pick<Service, "demo" | "holdsUntilMs" | "queues" | "warnings">;

/** The options that an announcement repeats. */
export type AnnouncedOptions = Pick<
  StartOptions,
  "corsOrigins" | "dataDir" | "engineEndpoint" | "behaviour" | "hasPage"
>;

/**
 * The text that `npm start` prints for a log once requests are answered: a `curl` line for each endpoint and
 * credential, and the differences from AWS. Warnings come last, where users notice them.
 */
export function announcement(
  { demo, holdsUntilMs, queues, warnings }: Announced,
  { corsOrigins, dataDir, engineEndpoint, behaviour, hasPage }: AnnouncedOptions,
  shell: ShellName,
): string {
  const lines = curlLines(demo, curlWriter(shell)).map(
    ({ endpoint, credential, line }) =>
      `  # ${endpoint}${credential === undefined ? "" : `, by ${credential}`}\n  ${line}`,
  );
  return [
    `countinghouse answers at ${demo.baseUrl}`,
    ...pageLines(hasPage),
    `Reference: ${places.shownDocuments}/reference.md, and for programs ${demo.baseUrl}/openapi.json`,
    `Clients with certificates: ${demo.passes.mtls.url}`,
    ...queueLines(queues),
    ...originLines(corsOrigins),
    "",
    "Paste any of these:",
    ...lines,
    "",
    `Credentials and ids for every case: ${demoFilePath(dataDir)}`,
    `Tokens and certificates are valid until ${minuteOf(holdsUntilMs)} at least; another start issues new ones.`,
    `Store: ${engineEndpoint ?? `${dataDir}/dynamodb`}`,
    ...describeBehaviour(behaviour).map((line) => `  - ${line}`),
    "",
    ...differenceLines(engineEndpoint),
    "",
    ...warnings.flatMap((warning) => [`Warning: ${warning}`, ""]),
    "Ctrl-C stops it.",
  ].join("\n");
}

/** Where the page is that shows everything in a browser; nothing where it is left out. */
export const pageLines = (hasPage: boolean): readonly string[] =>
  hasPage
    ? ["  (open it in a browser to try everything on a page; a deployment answers 404 at the bare address)"]
    : [];

/** Where records are taken in by messages; nothing where the template has no queue. */
export const queueLines = (queues: Announced["queues"]): readonly string[] =>
  queues === undefined
    ? []
    : [
        `Queue of records: ${queues.url}`,
        `  (SQS at ${queues.endpoint}; \`${commands.ops} send\` puts files into it)`,
      ];

/** Names the origins whose browser programs may read answers, if there are any. */
export const originLines = (corsOrigins: readonly string[]): readonly string[] =>
  corsOrigins.length > 0 ? [`Browser programs that may read answers: ${corsOrigins.join(", ")}`] : [];

/** An instant to the minute, as in `2026-12-28 07:30 UTC`. */
const minuteOf = (instantMs: number): string =>
  `${new Date(instantMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
