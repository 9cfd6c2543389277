import { type Command, Option } from "commander";
import * as z from "zod/mini";
import { curlLines } from "../../local/demo/curl-lines.ts";
import { type DemoFile, readDemoFile } from "../../local/demo/demo-file.ts";
import { commands } from "../../local/installation.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { StartError } from "../../local/process/start-error.ts";
import { readHolder } from "../../local/store/data-lock.ts";
import { curlWriter, SHELLS, type ShellName } from "../../local/terminal/shell.ts";
import { callersShell } from "../store/store-options.ts";
import { addJsonOption, printJson } from "../terminal/json-output.ts";
import { addRunningOptions, type RunningOptions } from "./running-options.ts";

const HELP = `
Prints a curl line for each endpoint, and for each credential that the pass callback takes, with the demo's credentials of
the last \`${commands.start}\` in it. Each line works when it is pasted, from whatever directory. Lines for requests that are signed
make the signature when they are run.

Examples:
  ${commands.ops} demo curl
  ${commands.quietOps} demo curl --shell powershell

Exit codes: 0 printed, 2 \`${commands.start}\` has never run on the data directory.`;

const shape = z.array(
  z.object({ endpoint: z.string(), credential: z.optional(z.string()), line: z.string() }),
);

const example: z.input<typeof shape> = [
  {
    endpoint: "get-transaction",
    line: "curl -sS -H 'Authorization: Bearer …' http://127.0.0.1:3000/transaction/tx-0001",
  },
];

interface Options extends RunningOptions {
  readonly shell: ShellName;
  readonly json?: true;
}

async function printCurlLines({ data, shell, json }: Options): Promise<void> {
  const lines = curlLines(await readDemo(data), curlWriter(shell));
  if (json === true) printJson(shape, lines);
  else
    for (const { endpoint, credential, line } of lines)
      console.log(`# ${endpoint}${credential === undefined ? "" : `, by ${credential}`}\n${line}\n`);
  if ((await readHolder(data))?.kind !== "gateway")
    console.error(`No \`${commands.start}\` runs on ${data} now; the lines work once one does.`);
}

async function readDemo(data: string): Promise<DemoFile> {
  try {
    const demo = await readDemoFile(data);
    if (demo.exchange !== undefined && demo.passes !== undefined) return demo as DemoFile;
  } catch (error) {
    throw error instanceof StartError ? new OperatorError(error.message, error) : error;
  }
  throw new OperatorError(
    `${data} has no demo credentials. Run \`${commands.start}\` once, or name its directory with --data.`,
  );
}

/** `demo curl`: prints lines to paste. */
export function demoCurl(group: Command): void {
  const command = group
    .command("curl")
    .description("print a curl line for each endpoint and credential")
    .addOption(
      new Option("--shell <name>", "the shell to paste the lines into")
        .choices(SHELLS)
        .default(callersShell(), "that of this terminal"),
    );
  addJsonOption(addRunningOptions(command), shape, example).addHelpText("after", HELP).action(printCurlLines);
}
