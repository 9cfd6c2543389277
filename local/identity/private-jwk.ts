import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { join } from "node:path";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from "jose";
import { StartError } from "../start-error.ts";
import type { PrivateFileName } from "../store/data-files.ts";
import { readPrivateFile, writePrivateFile } from "../store/private-file.ts";

/** The one form of key that each algorithm has here, and the digest that it signs. */
const FORMS = {
  ES256: { kty: "EC", crv: "P-256", digest: "sha256" },
  EdDSA: { kty: "OKP", crv: "Ed25519", digest: null },
} as const;

type Algorithm = keyof typeof FORMS;

/** A private JWK that says which key of a set it is. */
export interface PrivateJwk extends JWK {
  readonly kid: string;
  readonly alg: Algorithm;
  readonly d: string;
}

/** A key that is made once and kept: the file's name, and what it signs with. */
export interface KeptKey {
  readonly name: PrivateFileName;
  readonly algorithm: Algorithm;
}

/**
 * A private key of a data directory: the one that is there, or a new one, which then lies there. Throws a `StartError`
 * when the file is there and holds no such key.
 */
export async function keepPrivateJwk(dataDir: string, key: KeptKey): Promise<PrivateJwk> {
  const text = await readPrivateFile(dataDir, key.name);
  return text === undefined ? await createKey(dataDir, key) : readKey(dataDir, key, text);
}

async function createKey(dataDir: string, { name, algorithm }: KeptKey): Promise<PrivateJwk> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const bare = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(bare);
  const jwk: PrivateJwk = { ...bare, d: String(bare.d), kid, alg: algorithm, use: "sig" };
  await writePrivateFile(dataDir, name, `${JSON.stringify(jwk, null, 2)}\n`);
  return jwk;
}

function readKey(dataDir: string, { name, algorithm }: KeptKey, text: string): PrivateJwk {
  try {
    const jwk: unknown = JSON.parse(text);
    if (isPrivateJwk(jwk, algorithm) && isPair(jwk)) return jwk;
  } catch {
    // The cause would quote the file, and the file is a secret.
  }
  const file = join(dataDir, name);
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

/** Whether the public half verifies what the private one signs: of a file that was put together it may not. */
function isPair({ d, ...half }: PrivateJwk): boolean {
  const { digest } = FORMS[half.alg];
  const sample = Buffer.from(half.kid);
  const signature = sign(digest, sample, createPrivateKey({ key: { ...half, d }, format: "jwk" }));
  return verify(digest, sample, createPublicKey({ key: half, format: "jwk" }), signature);
}
