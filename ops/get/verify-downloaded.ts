import type { Command } from "commander";
import * as z from "zod/mini";
import { systemClock } from "../../lib/clock.ts";
import { commands } from "../../local/installation.ts";
import { exitCodes } from "../../local/process/operator-error.ts";
import { stopOnInterrupt } from "../stop-on-interrupt.ts";
import { callersPath } from "../store/store-options.ts";
import { addJsonOption, printJson } from "../terminal/json-output.ts";
import { connect } from "./connection.ts";
import { addConnectionOptions, type ConnectionOptions, credentialsHelp } from "./connection-options.ts";
import { explained } from "./failures.ts";
import { type Findings, readManifest, verifyDownload } from "./verify-download.ts";

const HELP = `
Asks the question of a manifest again, and says whether the file beside the manifest and the records that the service has
now are those that the manifest tells of. Nothing is written. Trades may be published late or be withdrawn, and
transactions may change; then the service differs.
${credentialsHelp("COUNTINGHOUSE_EXCHANGE_API_KEY", "COUNTINGHOUSE_BUSINESS_TOKEN")}

Example:
  ${commands.ops} get verify half.parquet.manifest.json

Exit codes: 0 all is equal, 1 something differs, 2 it could not be compared, 130 stopped by Ctrl-C.`;

const shape = z.object({
  equal: z.boolean(),
  /** Null when the file is not beside its manifest. */
  file: z.nullable(z.array(z.string())),
  service: z.array(z.string()),
});

interface Options extends ConnectionOptions {
  readonly json?: true;
}

function report({ file, service }: Findings, { json }: Options): void {
  const equal = service.length === 0 && (file === undefined || file.length === 0);
  if (!equal) process.exitCode = exitCodes.someRefused;
  if (json === true) {
    printJson(shape, { equal, file: file ?? null, service });
    return;
  }
  if (file === undefined) console.log("The file is not beside its manifest: only the service is compared.");
  else tell("The file", file);
  tell("The service", service);
}

function tell(what: string, differences: readonly string[]): void {
  console.log(`${what} ${differences.length === 0 ? "has what the manifest says." : "differs:"}`);
  for (const difference of differences) console.log(`  ${difference}`);
}

async function verify(file: string, options: Options): Promise<void> {
  const path = callersPath(file);
  const manifest = await readManifest(path);
  const stop = new AbortController();
  const interrupt = stopOnInterrupt(stop, systemClock, () =>
    console.error("\nStopped: nothing is compared."),
  );
  try {
    const connection = await connect(manifest.asked.get === "trades" ? "exchange" : "business", options);
    report(await verifyDownload(path, manifest, connection, stop.signal), options);
  } catch (error) {
    if (!stop.signal.aborted) throw explained(error);
    process.exitCode = exitCodes.interrupted;
  } finally {
    interrupt.forget();
  }
}

/** `get verify`: compares a download with its manifest and with the service. */
export function verifyDownloaded(group: Command): void {
  const command = group
    .command("verify")
    .description("read a download again, and say what differs")
    .argument("<manifest>", "the manifest, FILE.manifest.json");
  addJsonOption(addConnectionOptions(command, "exchange", "business"), shape, {
    equal: false,
    file: [],
    service: ["records: 18210 in the manifest, 18209 now"],
  })
    .addHelpText("after", HELP)
    .action(verify);
}
