import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from "jose";
import { StartError } from "../process/start-error.ts";
import type { PrivateFileName } from "../store/data-files.ts";
import { type PrivatePlace, privatePath, readPrivateFile, writePrivateFile } from "../store/private-file.ts";

/** The key type and curve of each algorithm, and the digest that it signs. */
const FORMS = {
  ES256: { kty: "EC", crv: "P-256", digest: "sha256" },
  EdDSA: { kty: "OKP", crv: "Ed25519", digest: null },
} as const;

type Algorithm = keyof typeof FORMS;

/** A private JWK with the `kid` that names it in a key set. */
export interface PrivateJwk extends JWK {
  readonly kid: string;
  readonly alg: Algorithm;
  readonly d: string;
}

/** A key that is made once and kept: its file name and its algorithm. */
export interface KeptKey {
  readonly name: PrivateFileName;
  readonly algorithm: Algorithm;
}

/**
 * The private key in a file of a data directory, or a new key, which is then kept there. Throws a `StartError` when the
 * file exists but does not hold a key of this algorithm.
 */
export async function keepPrivateJwk(dataDir: PrivatePlace, key: KeptKey): Promise<PrivateJwk> {
  return (await readPrivateJwk(dataDir, key)) ?? (await createKey(dataDir, key));
}

/** The private key that is kept in a data directory; undefined when none was made yet. Throws as `keepPrivateJwk` does. */
export async function readPrivateJwk(dataDir: PrivatePlace, key: KeptKey): Promise<PrivateJwk | undefined> {
  const text = await readPrivateFile(dataDir, key.name);
  return text === undefined ? undefined : readKey(dataDir, key, text);
}

async function createKey(dataDir: PrivatePlace, { name, algorithm }: KeptKey): Promise<PrivateJwk> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = await namedJwk(await exportJWK(privateKey), algorithm);
  await writePrivateFile(dataDir, name, `${JSON.stringify(jwk, null, 2)}\n`);
  return jwk;
}

/** A private key with the name and the algorithm that it is kept with. */
export async function namedJwk(bare: JWK, algorithm: Algorithm): Promise<PrivateJwk> {
  const kid = await calculateJwkThumbprint(bare);
  return { ...bare, d: String(bare.d), kid, alg: algorithm, use: "sig" };
}

function readKey(dataDir: PrivatePlace, { name, algorithm }: KeptKey, text: string): PrivateJwk {
  try {
    const jwk: unknown = JSON.parse(text);
    if (isPrivateJwk(jwk, algorithm) && isPair(jwk)) return jwk;
  } catch {
    // The cause is left out: it would quote the file, which is secret.
  }
  const file = privatePath(dataDir, name);
  throw new StartError(
    `${file} is not a private ${algorithm} JWK with kid. Delete it to have a new key made.`,
  );
}

function isPrivateJwk(value: unknown, algorithm: Algorithm): value is PrivateJwk {
  if (typeof value !== "object" || value === null) return false;
  const { kty, crv, alg, kid, d }: Partial<Record<keyof PrivateJwk, unknown>> = value;
  const form = FORMS[algorithm];
  const isOfForm = kty === form.kty && crv === form.crv && alg === algorithm;
  return isOfForm && typeof kid === "string" && typeof d === "string";
}

/** Whether the public half verifies what the private half signs; in a file made of two keys it does not. */
function isPair({ d, ...half }: PrivateJwk): boolean {
  const { digest } = FORMS[half.alg];
  const sample = Buffer.from(half.kid);
  const signature = sign(digest, sample, createPrivateKey({ key: { ...half, d }, format: "jwk" }));
  return verify(digest, sample, createPublicKey({ key: half, format: "jwk" }), signature);
}
