import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { exchangeKeyId } from "../../lib/auth/credential.ts";
import type { CredentialStore } from "../../lib/auth/credential-store.ts";
import { exchangeCredentialOf, isExchangeApiKey, newExchangeApiKey } from "../../lib/auth/exchange-key.ts";
import type { Clock } from "../../lib/clock.ts";
import type { CredentialRegister } from "../credentials/credential-register.ts";
import { readRegistrableKey } from "../credentials/public-key.ts";
import { StartError } from "../process/start-error.ts";
import { dataNames } from "../store/data-files.ts";
import { type PrivatePlace, privatePath, readPrivateFile, writePrivateFile } from "../store/private-file.ts";
import type { ExchangeSection } from "./demo-file.ts";
import { demoMarkets } from "./trade-plan.ts";

const OWNER = "harbour-desk";
const SCOPE = "trades.read";

export interface ExchangeParts {
  readonly dataDir: PrivatePlace;
  readonly headerPrefix: string;
  readonly register: Pick<CredentialRegister, "add">;
  readonly credentials: Pick<CredentialStore, "get">;
  readonly clock: Clock;
  /** The section of an earlier start, whose keys are kept. */
  readonly kept: Partial<ExchangeSection> | undefined;
}

/** The trading client's private key: the one in the data directory, or a new one that is kept there. */
async function privateKeyIn(dataDir: PrivatePlace): Promise<KeyObject> {
  const name = dataNames.exchangePrivateKey;
  const kept = await readPrivateFile(dataDir, name);
  if (kept === undefined) {
    const { privateKey } = generateKeyPairSync("ed25519");
    await writePrivateFile(dataDir, name, String(privateKey.export({ type: "pkcs8", format: "pem" })));
    return privateKey;
  }
  const key = readEd25519(kept);
  if (key !== undefined) return key;
  const file = privatePath(dataDir, name);
  throw new StartError(`${file} holds no private Ed25519 key. Delete it to have a new one made.`);
}

function readEd25519(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === "ed25519" ? key : undefined;
  } catch {
    // The parser's own error could show what is in the file.
    return undefined;
  }
}

/** The client's key pair: both files, and the public key as it is registered. */
async function keyPairIn(dataDir: PrivatePlace) {
  const publicHalf = createPublicKey(await privateKeyIn(dataDir));
  const pem = String(publicHalf.export({ type: "spki", format: "pem" }));
  await writePrivateFile(dataDir, dataNames.exchangePublicKey, pem);
  return {
    privateKeyFile: privatePath(dataDir, dataNames.exchangePrivateKey),
    publicKeyFile: privatePath(dataDir, dataNames.exchangePublicKey),
    publicKey: readRegistrableKey(pem),
  };
}

/** The section of the exchange. Its key pair and API keys are made once; a store that does not know them learns them. */
export async function exchangeSection(parts: ExchangeParts): Promise<ExchangeSection> {
  const { dataDir, headerPrefix, kept } = parts;
  const { privateKeyFile, publicKeyFile, publicKey } = await keyPairIn(dataDir);
  return {
    owner: OWNER,
    headerPrefix,
    apiKey: await admit(parts, publicKey, [SCOPE], kept?.apiKey),
    privateKeyFile,
    publicKeyFile,
    noScopeApiKey: await admit(parts, publicKey, [], kept?.noScopeApiKey),
    symbol: demoMarkets.busy,
    symbols: Object.values(demoMarkets),
  };
}

/** Registers an API key with the public key. The kept one is taken, unless it is registered with another. */
async function admit(
  { register, credentials, clock }: ExchangeParts,
  publicKey: string,
  scopes: readonly string[],
  kept: unknown,
): Promise<string> {
  const isKept = typeof kept === "string" && isExchangeApiKey(kept);
  const known = isKept ? await credentials.get(exchangeKeyId(kept)) : undefined;
  const isUsable = isKept && (known === undefined || known.publicKey === publicKey);
  const apiKey = isUsable ? kept : newExchangeApiKey();
  await register.add(exchangeCredentialOf({ apiKey, publicKey, owner: OWNER, scopes, now: clock() }));
  return apiKey;
}
