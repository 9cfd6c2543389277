import { KeyObject, X509Certificate } from "node:crypto";
import type { Context } from "aws-lambda";
import { exportJWK, FlattenedSign, generateKeyPair } from "jose";
import { vi } from "vitest";
import { type Credential, type CredentialKind, certificateId, jwsKeyId } from "../../lib/auth/credential.ts";
import { IssuerKeySet } from "../../lib/auth/key-set.ts";
import { readEnv } from "../../lib/env.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import type { HttpResponse } from "../../lib/http/respond.ts";
import type { RequestLogEntry } from "../../lib/log.ts";
import { authenticateWallet } from "../../lib/passes/authenticate-wallet.ts";
import { getPass as contract, passContractVersions } from "../../lib/passes/contract.ts";
import { type Passes, planGetPass } from "../../lib/passes/get-pass.ts";
import type { StoredPass } from "../../lib/passes/pass.ts";
import { type CertificateChoice, certificateAuthority } from "./certificates.ts";
import { NOW } from "./chain.ts";
import { ISSUER, tokenIssuer } from "./tokens.ts";

const PASS_AUDIENCE = "pass-api";
const WALLET = "wallet-1";
export const VERSION = String(passContractVersions[0]);

/** A pass as the tests store it under `ref-1`, and a void one under `ref-gone`. */
export const PASS_TEXT =
  '{"partner_reference":"ref-1","type":"loyalty_pass","version":7,"semantics":{"points":10.50}}';
const storedPasses = new Map<string, StoredPass>([
  ["ref-1", { state: "current", text: PASS_TEXT, version: 7, templateId: "tpl-1" }],
  ["ref-gone", { state: "void", goneAt: NOW }],
]);

interface WalletOptions {
  readonly settings?: Readonly<Record<string, string>>;
  readonly passes?: Passes;
}

/**
 * The endpoint with real credentials checks over records held in memory, and makers of all three kinds of credentials.
 */
export async function walletEndpoint({ settings = {}, passes }: WalletOptions = {}) {
  const registered = new Map<string, Credential>();
  const register = (id: string, changes: Partial<Credential> = {}): void => {
    const kind = id.split("#")[0] as CredentialKind;
    registered.set(id, { id, kind, owner: WALLET, scopes: ["passes.read"], createdAt: NOW, ...changes });
  };
  const env = readEnv(contract.env, {
    STAGE_NAME: "test",
    CREDENTIALS_TABLE: "credentials",
    SETTINGS_TABLE: "settings",
    PASSES_TABLE: "passes",
    RATE_LIMITS_TABLE: "limits",
    RATE_LIMIT_PASSES: '[{"name":"passes","burst":100,"refillTokens":50,"refillWindowMs":1000}]',
    TOKEN_ISSUER: ISSUER,
    TOKEN_AUDIENCE: PASS_AUDIENCE,
    TOKEN_JWKS_URL: "https://issuer.example/keys",
    TOKEN_TYPE: "at+jwt",
    ...settings,
  });
  const credentials = {
    get: async (id: string) => registered.get(id),
    getAll: async (ids: readonly string[]) => ids.flatMap((id) => registered.get(id) ?? []),
  };
  const issuer = await tokenIssuer();
  const lines: RequestLogEntry[] = [];
  const fetchText = vi.fn(async (_url: URL) => JSON.stringify({ keys: [issuer.jwk] }));
  const getStored = vi.fn(async (reference: string) =>
    passes === undefined ? storedPasses.get(reference) : passes.get(reference),
  );
  const clock = vi.fn(() => NOW);
  const keys = new IssuerKeySet({ url: new URL(env.TOKEN_JWKS_URL), clock, fetchText });
  const charge = vi.fn(async (_owner: string, _cost: number) => ({ waitMs: 0, headers: {} }));
  const handler = endpoint({
    contract,
    switches: { get: async () => ({ on: true }) },
    authenticate: authenticateWallet(env, { credentials, registrations: credentials }, keys, clock),
    plan: planGetPass({ get: getStored }, env.VERSION_HEADER),
    limiter: { charge, headersOf: () => ({}) },
    clock,
    log: (line) => lines.push(line),
  });
  const call = (event: unknown): Promise<HttpResponse> => handler(event, {} as Context);
  return { call, charge, clock, fetchText, getStored, lines, register, registered, issuer };
}

/** The parts of a request besides the version; `certificate` is a PEM that the gateway has verified. */
export interface WalletRequest {
  readonly reference?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly certificate?: string;
  readonly body?: string;
}

/** A payload-2.0 event for a pass. */
export function walletEvent({ reference = "ref-1", headers = {}, certificate, body }: WalletRequest = {}) {
  return {
    version: "2.0",
    rawPath: `/passes/${reference}`,
    rawQueryString: "",
    headers: { "service-api-version": VERSION, ...headers },
    pathParameters: { partner_reference: reference },
    ...(body !== undefined && { body }),
    requestContext: {
      stage: "$default",
      requestId: "gateway-1",
      http: { method: "GET" },
      ...(certificate !== undefined && {
        authentication: { clientCert: { clientCertPem: certificate } },
      }),
    },
  };
}

/** The claims of a pass token, for `tokenIssuer().mint`. */
export const passClaims = { aud: PASS_AUDIENCE, sub: WALLET, scope: "passes.read" };

/** A key pair for detached JWS, its registration, and signatures that a test may change. */
export async function jwsSigner(alg = "EdDSA", kid = "poller-1") {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const publicJwk = JSON.stringify({ ...(await exportJWK(publicKey)), alg });
  const sign = async (header: Record<string, unknown> = {}, path = "/passes/ref-1"): Promise<string> => {
    const all = { alg, kid, iat: Math.floor(NOW / 1000), htm: "GET", htp: path, ...header };
    const present = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    const jws = await new FlattenedSign(new Uint8Array()).setProtectedHeader(present).sign(privateKey);
    return `${jws.protected}..${jws.signature}`;
  };
  return { alg, kid, id: jwsKeyId(kid), publicJwk, privateKey, keyObject: KeyObject.from(privateKey), sign };
}

/** A certificate of an authority, with the id of its registration. */
export async function walletCertificate(choice: CertificateChoice = {}) {
  const { pem } = await (await certificateAuthority()).issue(choice);
  return { pem, id: fingerprintId(pem) };
}

export const fingerprintId = (pem: string): string =>
  certificateId(Buffer.from(new X509Certificate(pem).fingerprint256.replaceAll(":", ""), "hex"));
