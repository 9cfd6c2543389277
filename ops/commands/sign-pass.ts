import type { Command } from "commander";
import { systemClock } from "../../lib/clock.ts";
import { commands } from "../../local/installation.ts";
import { OperatorError } from "../terminal/operator-error.ts";
import { signDetached } from "../wallet/jws-signer.ts";
import { readSigningKey } from "../wallet/read-signing-key.ts";

const HELP = `
Prints the value of Jws-Signature for a GET of the path: a detached JWS over the empty body. Give the path as the client
requests it, with the base path and without a query. The signature is valid for five minutes and for this path only. A JWK
without a kid is named by its thumbprint, as it is when its public half is registered without one.

Example:
  curl -H "Jws-Signature: $(${commands.quietOps} sign-pass /passes/demo-1 --jws-key key.json)" ...

Exit codes: 0 signed, 2 not signed.`;

interface Options {
  readonly jwsKey: string;
}

async function sign(path: string, { jwsKey }: Options): Promise<void> {
  if (!/^\/[^?#\s]*$/.test(path))
    throw new OperatorError(`"${path}" is not a path: give one such as /passes/demo-1.`);
  console.log(await signDetached(await readSigningKey(jwsKey), path, systemClock));
}

/** `sign-pass`: signs a request for a pass as the wallet service does. */
export function signPass(group: Command): void {
  group
    .command("sign-pass")
    .description("sign a request for a pass")
    .argument("<path>", "the path of the request")
    .requiredOption("--jws-key <file>", "the private JWK; - for standard input")
    .addHelpText("after", HELP)
    .action(sign);
}
