import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Credential, newApiKey, rampKeyId } from "../../lib/auth/credential.ts";
import { exchangeCredentialOf, newExchangeApiKey } from "../../lib/auth/exchange-key.ts";
import type { Brand } from "../../lib/brand.ts";
import type { Clock } from "../../lib/clock.ts";
import { getPass, passContractVersions } from "../../lib/passes/contract.ts";
import { listTrades } from "../../lib/trades/contract.ts";
import { listTransactions } from "../../lib/transactions/contract.ts";
import { readRegistrableKey } from "../../local/credentials/public-key.ts";
import type { DemoFile } from "../../local/demo/demo-file.ts";
import { localAudiences } from "../../local/identity/local-identity.ts";
import { newIssuer, newPassKey } from "../one-off-keys/one-off-keys.ts";
import type { InterfaceName } from "./scene.ts";

const OWNER = "checked-client";

/** The form of `demo.json`, as far as a check has it. */
type ClientFile = { readonly [Name in keyof DemoFile]?: Partial<DemoFile[Name]> };

/** The credentials of one check: what the client gets, and what its requests are verified by. */
export type Issued = Awaited<ReturnType<typeof issueCredentials>>;

export interface CredentialsOptions {
  readonly directory: string;
  readonly baseUrl: string;
  readonly brand: Brand;
  readonly clock: Clock;
}

/**
 * Makes new credentials for every interface, and writes them into a directory: `demo.json`, whose path is given, and the
 * private keys. They are registered by their ids; `jwks` is the key set of the tokens' issuer, and `publicKeyHex` the
 * client's Ed25519 key of the exchange, in 64 hex digits.
 */
export async function issueCredentials(options: CredentialsOptions) {
  await mkdir(options.directory, { recursive: true });
  const exchange = await issueExchangeKey(options);
  const issuer = await newIssuer(options.clock);
  const passToken = await issuer.mint(OWNER, getPass.scope, localAudiences.passes);
  const passes = await issuePassKey(options, passToken);
  const apiKey = newApiKey();
  const ramp = { id: rampKeyId(apiKey), kind: "ramp-key", owner: OWNER, scopes: [] } as const;
  const credentials: Credential[] = [
    exchange.credential,
    passes.credential,
    { ...ramp, createdAt: options.clock() },
  ];
  const file = {
    baseUrl: options.baseUrl,
    business: {
      id: OWNER,
      audience: localAudiences.business,
      token: await issuer.mint(OWNER, listTransactions.scope, localAudiences.business),
      transactionId: "tx-checked-1",
      accountId: "acct-main",
    },
    ramp: { partnerId: OWNER, apiKey, orderId: "01kdvdna00vzkwfkrqvamzw1gz" },
    passes: passes.section,
    exchange: exchange.section,
  } satisfies ClientFile;
  const path = await keep(options, "demo.json", JSON.stringify(file, null, 2));
  const registered: ReadonlyMap<string, Credential> = new Map(
    credentials.map((credential) => [credential.id, credential]),
  );
  return { file, path, registered, jwks: issuer.jwks, publicKeyHex: exchange.publicKeyHex };
}

/** Writes a file that only its owner may read. @returns its path. */
async function keep({ directory }: CredentialsOptions, name: string, text: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, `${text.trimEnd()}\n`, { mode: 0o600 });
  return path;
}

async function issueExchangeKey(options: CredentialsOptions) {
  const { privateKey } = generateKeyPairSync("ed25519");
  const publicPem = String(createPublicKey(privateKey).export({ type: "spki", format: "pem" }));
  const publicKeyHex = readRegistrableKey(publicPem);
  const apiKey = newExchangeApiKey();
  const privatePem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
  const terms = { apiKey, publicKey: publicKeyHex, owner: OWNER, scopes: [listTrades.scope] };
  const section = {
    owner: OWNER,
    headerPrefix: options.brand.headerPrefix,
    apiKey,
    privateKeyFile: await keep(options, "exchange-private.pem", privatePem),
    publicKeyFile: await keep(options, "exchange-public.pem", publicPem),
    symbol: "BTC-USD",
    symbols: ["BTC-USD"],
  };
  return { publicKeyHex, section, credential: exchangeCredentialOf({ ...terms, now: options.clock() }) };
}

async function issuePassKey(options: CredentialsOptions, token: string) {
  const { privateJwk, kid, credential } = newPassKey(OWNER, options.clock());
  const section = {
    walletId: OWNER,
    audience: localAudiences.passes,
    token,
    version: String(passContractVersions.at(-1)),
    versionHeader: options.brand.versionHeader,
    partnerReference: "loyalty-checked-1",
    jws: { privateKeyFile: await keep(options, "pass-key.json", privateJwk), kid },
  };
  return { section, credential };
}

/**
 * What a client of some interfaces needs, as environment variables. Those that the programs of `docs/examples/` read have
 * their names.
 */
export function clientVariables(
  { file, path }: Issued,
  interfaces: readonly InterfaceName[],
): Record<string, string> {
  const { exchange, business, ramp, passes } = file;
  const variables: Readonly<Record<InterfaceName, Record<string, string>>> = {
    exchange: {
      API_KEY: exchange.apiKey,
      PRIVATE_KEY_FILE: exchange.privateKeyFile,
      HEADER_PREFIX: exchange.headerPrefix,
      SYMBOL: exchange.symbol,
    },
    business: { ACCESS_TOKEN: business.token, TRANSACTION_ID: business.transactionId },
    ramp: { RAMP_API_KEY: ramp.apiKey, ORDER_ID: ramp.orderId },
    passes: {
      PASS_TOKEN: passes.token,
      JWS_KEY_FILE: passes.jws.privateKeyFile,
      VERSION_HEADER: passes.versionHeader,
      PASS_VERSION: passes.version,
      PARTNER_REFERENCE: passes.partnerReference,
    },
  };
  const own = interfaces.map((name) => variables[name]);
  return Object.assign({ BASE_URL: file.baseUrl, DEMO_FILE: path }, ...own);
}
