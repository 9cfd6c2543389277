import { once } from "node:events";
import { type Command, Option } from "commander";
import * as z from "zod/mini";
import { contractBrand } from "../../../lib/brand.ts";
import { systemClock } from "../../../lib/clock.ts";
import { commands } from "../../../local/installation.ts";
import { codeOf, exitCodes, OperatorError } from "../../../local/process/operator-error.ts";
import { temporaryDirectory } from "../../../local/process/temporary-directory.ts";
import { parsePort } from "../../arguments/parse-port.ts";
import { stopOnInterrupt } from "../../stop-on-interrupt.ts";
import { environmentBrand } from "../../store/store-options.ts";
import { addJsonOption, printJson } from "../../terminal/json-output.ts";
import { partnerFaults } from "./faults.ts";
import { type DemoPartner, startPartner } from "./partner.ts";

const HELP = `
Runs a partner's pass endpoint that keeps the contract, to see what check-pass
and poll show, and prints the check-pass line to paste into another terminal.
With --fault it breaks the contract in one way, so that you see what red looks
like. Each POST to /change changes the pass.

Faults:
${[...partnerFaults].map(([name, { effect }]) => `  ${name.padEnd(15)} ${effect}`).join("\n")}

Examples:
  ${commands.ops} demo partner
  ${commands.ops} demo partner --port 4020 --fault no-304

Exit codes: 0 never, 2 the port cannot be opened, 130 stopped by Ctrl-C.`;

const shape = z.object({
  url: z.string(),
  fault: z.nullable(z.string()),
  references: z.object({ current: z.string(), gone: z.string() }),
  files: z.object({ token: z.string(), weakToken: z.string(), jwsKey: z.string() }),
});

const example: z.input<typeof shape> = {
  url: "http://127.0.0.1:4020",
  fault: "no-304",
  references: { current: "demo-1", gone: "demo-2" },
  files: { token: "/tmp/…/token.txt", weakToken: "/tmp/…/weak-token.txt", jwsKey: "/tmp/…/key.json" },
};

interface Options {
  readonly json?: true;
  readonly port: number;
  readonly fault?: string;
}

async function run({ port, fault, json }: Options): Promise<void> {
  const stop = new AbortController();
  const interrupt = stopOnInterrupt(stop, systemClock, () => {});
  const brand = environmentBrand(contractBrand);
  const chosen = fault === undefined ? undefined : partnerFaults.get(fault);
  await using directory = await temporaryDirectory("demo-partner-");
  try {
    const options = { port, directory: directory.path, brand, clock: systemClock };
    const partner = await open({ ...options, ...(chosen !== undefined && { fault: chosen }) });
    if (json === true) printJson(shape, { ...partner, fault: fault ?? null });
    else console.log(announcement(partner, chosen?.effect));
    if (!stop.signal.aborted) await once(stop.signal, "abort");
    await partner.close();
    process.exitCode = exitCodes.interrupted;
  } finally {
    interrupt.forget();
  }
}

async function open(options: Parameters<typeof startPartner>[0]): Promise<DemoPartner> {
  try {
    return await startPartner(options);
  } catch (error) {
    throw new OperatorError(`Port ${options.port} cannot be opened (${codeOf(error)}).`, error);
  }
}

/** What runs, and the lines that check it. */
function announcement({ url, references, files }: DemoPartner, effect: string | undefined): string {
  const manner = effect === undefined ? "keeps the contract" : `has a fault: it ${effect}`;
  return [
    `The partner at ${url} ${manner}. Check it from another terminal:`,
    "",
    `  ${commands.ops} check-pass ${url} --reference ${references.current} --gone-reference ${references.gone} \\`,
    `    --token-file '${files.token}' --no-scope-token-file '${files.weakToken}' \\`,
    `    --jws-key '${files.jwsKey}' --changed-by 'curl -sS -X POST ${url}/change' --burst 400`,
    "",
    "Ctrl-C stops it, and removes its credentials.",
  ].join("\n");
}

/** `demo partner`: a partner's pass endpoint, right or with one fault. */
export function demoPartner(group: Command): void {
  const command = group
    .command("partner")
    .description("run a partner's pass endpoint, right or with a fault, to check it")
    .option("--port <number>", "the port to open; 0 for any free one", parsePort, 0)
    .addOption(new Option("--fault <name>", "what it does wrong").choices([...partnerFaults.keys()]));
  addJsonOption(command, shape, example).addHelpText("after", HELP).action(run);
}
