import { curlLines } from "./demo/curl-lines.ts";
import { type DemoFile, demoFilePath } from "./demo/demo-file.ts";
import type { StartOptions } from "./options.ts";

/** What an integrator must not conclude from a laptop about AWS. */
const DIFFERENCES = [
  "The store is an emulator: no throttling, no item expiry, no backups, and indexes that never lag.",
  "What the store has answered survives a killed process, but a power cut may take its last writes.",
  "One machine; no custom domain, no stage throttle, no access log, and plain HTTP but for clients with certificates.",
  "Client certificates come from an authority made for this directory; deployed, from those in your truststore.",
  "A function has at most 4 environments. They are threads of one process, share its clock, and are never frozen.",
  "Permissions are not enforced: a function could touch any local table. The infrastructure tests check the grants.",
  "Tokens come from an issuer made for this directory; deployed, they come from your identity provider.",
  "Functions run on this machine's Node and processor, not on Lambda's arm64 build of Node 24.",
] as const;

/** What is printed once requests are answered: a line to paste for each endpoint, and how far to trust the rest. */
export function announcement(demo: DemoFile, { dataDir, engineEndpoint }: StartOptions): string {
  const lines = curlLines(demo).map(
    ({ endpoint, credential, line }) =>
      `  # ${endpoint}${credential === undefined ? "" : `, by ${credential}`}\n  ${line}`,
  );
  return [
    `countinghouse answers at ${demo.baseUrl}`,
    `Clients with certificates: ${demo.passes.mtls.url}`,
    "",
    "Paste any of these:",
    ...lines,
    "",
    `Credentials and ids for every case: ${demoFilePath(dataDir)}`,
    `Store: ${engineEndpoint ?? `${dataDir}/dynamodb`}`,
    "",
    "The same template and bundles would be deployed. What differs from AWS:",
    ...DIFFERENCES.map((difference) => `  - ${difference}`),
    "",
    "Ctrl-C stops it.",
  ].join("\n");
}
