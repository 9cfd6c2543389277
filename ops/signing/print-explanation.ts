import { CredentialStore } from "../../lib/auth/credential-store.ts";
import { isExchangeApiKey } from "../../lib/auth/exchange-key.ts";
import { systemClock } from "../../lib/clock.ts";
import { readRegistrableKey } from "../../local/credentials/public-key.ts";
import { exitCodes } from "../../local/process/operator-error.ts";
import { type ExplainParts, explainSignature, publicHexOf } from "../../local/signing/explain-signature.ts";
import { findRegisteredKey, type RegisteredKey, registered } from "../../local/signing/registered-key.ts";
import { keyOfFile } from "../arguments/read-key-file.ts";
import { stageBrand, stageFreshness, withExistingStore } from "../store/store.ts";
import { printJson } from "../terminal/json-output.ts";
import { readPrivateKey } from "./read-private-key.ts";
import type { SignOptions } from "./sign-options.ts";
import { signShape } from "./sign-shape.ts";
import { requireUrl } from "./url-to-sign.ts";

const JUDGED_NOW =
  "Judged as if the request had just arrived. Give the `timestamp` of the server's answer with --judged-at to judge it as the server did.";

/** Prints what is wrong with a refused request, one finding a line, and sets the exit code. */
export async function printExplanation(method: string, url: string, options: SignOptions): Promise<void> {
  requireUrl(url);
  const stage = await stageBrand(options);
  const { headerPrefix = stage.headerPrefix, basePath = stage.basePath } = options;
  const judgedAt = options.judgedAt ?? systemClock();
  const found = await registeredKey(options, headerPrefix, judgedAt);
  const parts: ExplainParts = {
    brand: { headerPrefix, basePath },
    freshness: stageFreshness(options),
    publicKeys: [...found.keys, ...(await givenKey(options))],
    judgedAt,
  };
  const request = { method, url, headers: options.header, hasBody: options.body === true };
  const findings = [...found.findings, ...explainSignature(request, parts)];
  if (options.judgedAt === undefined) console.error(JUDGED_NOW);
  if (findings.length > 0) process.exitCode = exitCodes.someRefused;
  if (options.json === true) printJson(signShape, { findings });
  else if (findings.length === 0) console.log("Nothing is wrong with the request's signature, time or key.");
  else for (const finding of findings) console.log(`- ${finding}`);
}

/** The key that was given in place of the registered one, or the one of the API key in the store. */
async function registeredKey(options: SignOptions, prefix: string, judgedAt: number): Promise<RegisteredKey> {
  if (options.publicKey !== undefined)
    return { keys: [registered(await keyOfFile(options.publicKey, readRegistrableKey))], findings: [] };
  const name = `${prefix}API-Key`.toLowerCase();
  const apiKey = Object.entries(options.header).find(([given]) => given.toLowerCase() === name)?.[1] ?? "";
  // Without a key that may be registered, no store need be there.
  if (!isExchangeApiKey(apiKey)) return { keys: [], findings: [] };
  return withExistingStore(options, ({ table }) =>
    findRegisteredKey(new CredentialStore(table("Credentials"), systemClock), apiKey, judgedAt),
  );
}

async function givenKey({ privateKey }: SignOptions): Promise<ExplainParts["publicKeys"]> {
  if (privateKey === undefined) return [];
  const key = await keyOfFile(privateKey, readPrivateKey);
  return [{ hex: publicHexOf(key), what: "the private key that was given" }];
}
