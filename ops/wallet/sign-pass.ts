import type { Command } from "commander";
import * as z from "zod/mini";
import { systemClock } from "../../lib/clock.ts";
import { commands } from "../../local/installation.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { addJsonOption, printJson } from "../terminal/json-output.ts";
import { signDetached } from "./jws-signer.ts";
import { readSigningKey } from "./read-signing-key.ts";

const HELP = `
Prints the value of Jws-Signature for a GET of the path: a detached JWS over the empty body. Give the path as the client
requests it, with the base path and without a query. The signature is valid for five minutes and for this path only. A JWK
without a kid is named by its thumbprint, as it is when its public half is registered without one.

Example:
  curl -H "Jws-Signature: $(${commands.quietOps} sign-pass /passes/demo-1 --jws-key key.json)" ...

Exit codes: 0 signed, 2 not signed.`;

const shape = z.object({ path: z.string(), jwsSignature: z.string() });

interface Options {
  readonly jwsKey: string;
  readonly json?: true;
}

async function sign(path: string, { jwsKey, json }: Options): Promise<void> {
  if (!/^\/[^?#\s]*$/.test(path))
    throw new OperatorError(`"${path}" is not a path: give one such as /passes/demo-1.`);
  const jwsSignature = await signDetached(await readSigningKey(jwsKey), path, systemClock);
  if (json === true) printJson(shape, { path, jwsSignature });
  else console.log(jwsSignature);
}

/** `sign-pass`: signs a request for a pass as the wallet service does. */
export function signPass(group: Command): void {
  const command = group
    .command("sign-pass")
    .description("sign a request for a pass")
    .argument("<path>", "the path of the request")
    .requiredOption("--jws-key <file>", "the private JWK; - for standard input");
  addJsonOption(command, shape, { path: "/passes/demo-1", jwsSignature: "eyJ…..…" })
    .addHelpText("after", HELP)
    .action(sign);
}
