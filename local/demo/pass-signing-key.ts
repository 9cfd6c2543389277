import { keepPrivateJwk } from "../identity/private-jwk.ts";
import { dataNames } from "../store/data-files.ts";
import { type PrivatePlace, privatePath } from "../store/private-file.ts";

/** The wallet's key, as far as the demo passes it on. */
export interface PassSigningKey {
  readonly file: string;
  readonly kid: string;
  /** The public JWK with its `alg`, as JSON. */
  readonly publicKey: string;
}

/**
 * The key that the demo's wallet signs its requests with: made once, and kept in the data directory. Throws a `StartError`
 * when its file is there and holds no such key.
 */
export async function keepPassSigningKey(dataDir: PrivatePlace): Promise<PassSigningKey> {
  const name = dataNames.passKey;
  const { kid, kty, crv, x, alg } = await keepPrivateJwk(dataDir, { name, algorithm: "EdDSA" });
  return { file: privatePath(dataDir, name), kid, publicKey: JSON.stringify({ kty, crv, x, alg }) };
}
