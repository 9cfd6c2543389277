import { once } from "node:events";
import * as z from "zod/mini";
import { contractBrand } from "../../../lib/brand.ts";
import { systemClock } from "../../../lib/clock.ts";
import { commands } from "../../../local/installation.ts";
import { temporaryDirectory } from "../../../local/process/temporary-directory.ts";
import { parsePort, portFault } from "../../arguments/parse-port.ts";
import { defineCommand } from "../../command.ts";
import { environmentBrand } from "../../store/store-options.ts";
import { partnerFaults } from "./faults.ts";
import { type DemoPartner, startPartner } from "./partner.ts";

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
export const demoPartner = defineCommand({
  words: "demo partner",
  summary: "run a partner's pass endpoint, right or with a fault, to check it",
  about: `Runs a partner's pass endpoint that keeps the contract, to see what check-pass
and get pass --follow show, and prints the check-pass line to paste into another terminal.
With --fault it breaks the contract in one way, so that you see what red looks
like. Each POST to /change changes the pass.

Faults:
${[...partnerFaults].map(([name, { effect }]) => `  ${name.padEnd(15)} ${effect}`).join("\n")}`,
  examples: ["ops demo partner", "ops demo partner --port 4020 --fault no-304"],
  exits: { 0: "never", 2: "the port cannot be opened" },
  on: "nothing",
  takes: {
    "--port <number>": { text: "the port to open; 0 for any free one", parse: parsePort, default: "0" },
    "--fault <name>": { text: "what it does wrong", choices: [...partnerFaults.keys()] },
  },
  stops: "",
  json: {
    shape: z.object({
      url: z.string(),
      fault: z.nullable(z.string()),
      references: z.object({ current: z.string(), gone: z.string() }),
      files: z.object({ token: z.string(), weakToken: z.string(), jwsKey: z.string() }),
    }),
    example: {
      url: "http://127.0.0.1:4020",
      fault: "no-304",
      references: { current: "demo-1", gone: "demo-2" },
      files: { token: "/tmp/…/token.txt", weakToken: "/tmp/…/weak-token.txt", jwsKey: "/tmp/…/key.json" },
    },
  },
  async run({ port, fault }, { stoppable, print }) {
    const brand = environmentBrand(contractBrand);
    const chosen = fault === undefined ? undefined : partnerFaults.get(fault);
    await using directory = await temporaryDirectory("demo-partner-");
    await stoppable(async (stop) => {
      const options = { port, directory: directory.path, brand, clock: systemClock, fault: chosen };
      const partner = await startPartner(options).catch((error: unknown) => {
        throw portFault(error, port);
      });
      print({ ...partner, fault: fault ?? null }, announcement(partner, chosen?.effect));
      if (!stop.aborted) await once(stop, "abort");
      await partner.close();
    });
  },
});
