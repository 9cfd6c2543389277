import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { CredentialRegister } from "../../../lib/auth/credential-register.ts";
import { exchangeCredentialOf, newExchangeApiKey } from "../../../lib/auth/exchange-key.ts";
import type { Clock } from "../../../lib/clock.ts";
import { readRegistrableKey } from "../../../lib/signature/public-key.ts";
import { writePrivateFile } from "../private-file.ts";
import { StartError } from "../start-error.ts";
import type { ExchangeSection } from "./demo-file.ts";
import { demoMarkets } from "./trade-plan.ts";

const OWNER = "harbour-desk";
const SCOPE = "trades.read";
const PRIVATE_KEY_FILE = "exchange-private.pem";
const PUBLIC_KEY_FILE = "exchange-public.pem";

export interface ExchangeParts {
  readonly dataDir: string;
  readonly headerPrefix: string;
  readonly register: Pick<CredentialRegister, "add">;
  readonly clock: Clock;
  /** The section of an earlier start, whose keys are kept. */
  readonly kept: Partial<ExchangeSection> | undefined;
}

/** The trading client's private key: the one in the data directory, or a new one that is kept there. */
async function privateKeyIn(file: string): Promise<KeyObject> {
  const kept = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (kept === undefined) {
    const { privateKey } = generateKeyPairSync("ed25519");
    await writePrivateFile(file, String(privateKey.export({ type: "pkcs8", format: "pem" })));
    return privateKey;
  }
  try {
    return createPrivateKey(kept);
  } catch {
    // The parser's own error could show what is in the file.
    throw new StartError(`${file} holds no private key. Delete it to have a new one made.`);
  }
}

/** The client's key pair: both files, and the public key as it is registered. */
async function keyPairIn(dataDir: string) {
  const privateKeyFile = resolve(dataDir, PRIVATE_KEY_FILE);
  const publicKeyFile = resolve(dataDir, PUBLIC_KEY_FILE);
  const publicHalf = createPublicKey(await privateKeyIn(privateKeyFile));
  const pem = String(publicHalf.export({ type: "spki", format: "pem" }));
  await writePrivateFile(publicKeyFile, pem);
  return { privateKeyFile, publicKeyFile, publicKey: readRegistrableKey(pem) };
}

/** The section of the exchange. Its key pair and API keys are made once; a store that does not know them learns them. */
export async function exchangeSection(parts: ExchangeParts): Promise<ExchangeSection> {
  const { dataDir, headerPrefix, register, clock, kept } = parts;
  const { privateKeyFile, publicKeyFile, publicKey } = await keyPairIn(dataDir);
  const admit = async (scopes: readonly string[], apiKey = newExchangeApiKey()): Promise<string> => {
    await register.add(exchangeCredentialOf({ apiKey, publicKey, owner: OWNER, scopes, now: clock() }));
    return apiKey;
  };
  return {
    owner: OWNER,
    headerPrefix,
    apiKey: await admit([SCOPE], kept?.apiKey),
    privateKeyFile,
    publicKeyFile,
    noScopeApiKey: await admit([], kept?.noScopeApiKey),
    symbol: demoMarkets.busy,
    symbols: Object.values(demoMarkets),
  };
}
