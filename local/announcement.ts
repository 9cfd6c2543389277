import { curlLines } from "./demo/curl-lines.ts";
import { demoFilePath } from "./demo/demo-file.ts";
import type { Service } from "./local-service.ts";
import type { StartOptions } from "./options.ts";
import { describeBehaviour } from "./store/store-behaviour.ts";

/** Durability of the embedded engine. That of another engine is not known. */
const DURABILITY = "Every answered write survives a killed process, but a power cut may lose the last ones.";

/** The differences from AWS that matter to an integrator. */
const DIFFERENCES = [
  "The store is an emulator that is held to DynamoDB's rules. It has no backups, and it lags, throttles, expires items and loses answers only when options ask for it.",
  "Everything runs on one machine, without a custom domain, stage throttling or an access log, and over plain HTTP except for clients with certificates.",
  "Client certificates come from an authority made for this directory. Deployed, they come from the authorities in your truststore.",
  "A function has at most 4 environments. They are threads of one process, share its clock, and are never frozen.",
  "Tokens come from an issuer made for this directory. Deployed, they come from your identity provider.",
  "Functions run on this machine's Node and processor, not on Lambda's arm64 build of Node 24.",
] as const;

/**
 * The text that `npm start` prints once requests are answered: a `curl` line for each endpoint and credential, and the
 * differences from AWS. Warnings come last, where users notice them.
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
    "  (a browser shows there what is here; a deployment answers 404 at the bare address)",
    `Reference: docs/reference.md, and for programs ${demo.baseUrl}/openapi.json`,
    `Clients with certificates: ${demo.passes.mtls.url}`,
    ...(corsOrigins.length > 0 ? [`Browser programs that may read answers: ${corsOrigins.join(", ")}`] : []),
    "",
    "Paste any of these:",
    ...lines,
    "",
    `Credentials and ids for every case: ${demoFilePath(dataDir)}`,
    `Tokens and certificates are valid until ${minuteOf(holdsUntilMs)} at least; another start issues new ones.`,
    `Store: ${engineEndpoint ?? `${dataDir}/dynamodb`}`,
    ...describeBehaviour(behaviour).map((line) => `  - ${line}`),
    "",
    "The template and bundles are those of a deployment. Differences from AWS (docs/fidelity.md lists them all):",
    ...differences.map((difference) => `  - ${difference}`),
    "",
    ...warnings.flatMap((warning) => [`Warning: ${warning}`, ""]),
    "Ctrl-C stops it.",
  ].join("\n");
}

/** An instant to the minute, as in `2026-12-28 07:30 UTC`. */
const minuteOf = (instantMs: number): string =>
  `${new Date(instantMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
