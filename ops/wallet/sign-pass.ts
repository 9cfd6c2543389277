import * as z from "zod/mini";
import { systemClock } from "../../lib/clock.ts";
import { commands } from "../../local/installation.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { defineCommand } from "../command.ts";
import { readSigningKey, signDetached } from "./jws-signer.ts";

/** `sign-pass`: signs a request for a pass as the wallet service does. */
export const signPass = defineCommand({
  words: "sign-pass",
  summary: "sign a request for a pass",
  about: `
Prints the value of Jws-Signature for a GET of the path: a detached JWS over the empty body. Give the path as the client
requests it, with the base path and without a query. The signature is valid for five minutes and for this path only. A JWK
without a kid is named by its thumbprint, as it is when its public half is registered without one.`,
  examples: [
    `curl -H "Jws-Signature: $(${commands.quietOps} sign-pass /passes/demo-1 --jws-key key.json)" ...`,
  ],
  exits: "signed",
  on: "nothing",
  takes: {
    "<path>": "the path of the request",
    "--jws-key <file>": { text: "the private JWK; - for standard input", required: true },
  },
  json: {
    shape: z.object({ path: z.string(), jwsSignature: z.string() }),
    example: { path: "/passes/demo-1", jwsSignature: "eyJ…..…" },
  },
  async run({ path, jwsKey }) {
    if (!/^\/[^?#\s]*$/.test(path))
      throw new OperatorError(`"${path}" is not a path: give one such as /passes/demo-1.`);
    const jwsSignature = await signDetached(await readSigningKey(jwsKey), path, systemClock);
    return { json: { path, jwsSignature }, text: jwsSignature };
  },
});
