import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { writePrivateFile } from "../private-file.ts";

/** The file's name in the data directory. */
export const PASS_KEY_NAME = "pass-jws-key.json";

const ALGORITHM = "EdDSA";

/** The wallet's key, as far as the demo passes it on. */
export interface PassSigningKey {
  readonly file: string;
  readonly kid: string;
  /** The public JWK with its `alg`, as JSON. */
  readonly publicKey: string;
}

/** The key that the demo's wallet signs its requests with: made once, and kept in the data directory, mode 600. */
export async function keepPassSigningKey(dataDir: string): Promise<PassSigningKey> {
  const file = join(dataDir, PASS_KEY_NAME);
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  const { kid, kty, crv, x } = text === undefined ? await createKey(file) : await parseKey(file, text);
  return { file, kid: String(kid), publicKey: JSON.stringify({ kty, crv, x, alg: ALGORITHM }) };
}

async function createKey(file: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const bare = await exportJWK(privateKey);
  const jwk = { ...bare, kid: await calculateJwkThumbprint(bare), alg: ALGORITHM, use: "sig" };
  await writePrivateFile(file, `${JSON.stringify(jwk, null, 2)}\n`);
  return jwk;
}

async function parseKey(file: string, text: string): Promise<JWK> {
  // A copied data directory may have lost the mode.
  await chmod(file, 0o600);
  try {
    const jwk = JSON.parse(text) as JWK;
    if (typeof jwk.kid !== "string" || jwk.alg !== ALGORITHM || typeof jwk.d !== "string")
      throw new TypeError("members");
    await importJWK(jwk);
    return jwk;
  } catch {
    // The cause would quote the file, and the file is a secret.
    throw new Error(`${file} is not a private ${ALGORITHM} JWK with kid. Delete it to have a new key made.`);
  }
}
