import { curlLines } from "./demo/curl-lines.ts";
import { demoFilePath } from "./demo/demo-file.ts";
import type { Service } from "./local-service.ts";
import type { StartOptions } from "./options.ts";
import { describeBehaviour } from "./store/store-behaviour.ts";

/** How long records last, where the embedded engine keeps them; of another one nothing is known. */
const DURABILITY =
  "What the store has answered survives a killed process, but a power cut may take its last writes.";

/** What an integrator must not conclude from a laptop about AWS. */
const DIFFERENCES = [
  "The store is an emulator that is held to DynamoDB's rules. It has no backups, and it lags, throttles, expires items and loses answers only when options ask for it.",
  "One machine; no custom domain, no stage throttle, no access log, and plain HTTP but for clients with certificates.",
  "Client certificates come from an authority made for this directory; deployed, from those in your truststore.",
  "A function has at most 4 environments. They are threads of one process, share its clock, and are never frozen.",
  "Tokens come from an issuer made for this directory; deployed, they come from your identity provider.",
  "Functions run on this machine's Node and processor, not on Lambda's arm64 build of Node 24.",
] as const;

/**
 * What is printed once requests are answered: a line to paste for each endpoint, and how far to trust the rest. Warnings
 * stand last, where they are read.
 */
export function announcement(
  { demo, holdsUntilMs, warnings }: Pick<Service, "demo" | "holdsUntilMs" | "warnings">,
  options: Pick<StartOptions, "corsOrigins" | "dataDir" | "engineEndpoint" | "behaviour">,
): string {
  const { corsOrigins, dataDir, engineEndpoint, behaviour } = options;
  const differences = engineEndpoint === undefined ? [DURABILITY, ...DIFFERENCES] : DIFFERENCES;
  const lines = curlLines(demo).map(
    ({ endpoint, credential, line }) =>
      `  # ${endpoint}${credential === undefined ? "" : `, by ${credential}`}\n  ${line}`,
  );
  return [
    `countinghouse answers at ${demo.baseUrl}`,
    "  (at its endpoints; the address alone is a 404, as on AWS)",
    `Clients with certificates: ${demo.passes.mtls.url}`,
    ...(corsOrigins.length > 0 ? [`Browser programs that may read answers: ${corsOrigins.join(", ")}`] : []),
    "",
    "Paste any of these:",
    ...lines,
    "",
    `Credentials and ids for every case: ${demoFilePath(dataDir)}`,
    `Tokens and certificates hold until ${minuteOf(holdsUntilMs)} at least; another start issues new ones.`,
    `Store: ${engineEndpoint ?? `${dataDir}/dynamodb`}`,
    ...describeBehaviour(behaviour).map((line) => `  - ${line}`),
    "",
    "The same template and bundles would be deployed. What differs from AWS (docs/fidelity.md has all of it):",
    ...differences.map((difference) => `  - ${difference}`),
    "",
    ...warnings.flatMap((warning) => [`Warning: ${warning}`, ""]),
    "Ctrl-C stops it.",
  ].join("\n");
}

/** An instant to the minute, as in `2026-12-28 07:30 UTC`. */
const minuteOf = (instantMs: number): string =>
  `${new Date(instantMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
