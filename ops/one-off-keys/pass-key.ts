import { generateKeyPairSync } from "node:crypto";
import { type Credential, jwsKeyId } from "../../lib/auth/credential.ts";
import { getPass } from "../../lib/passes/contract.ts";

/** A key that signs requests for passes, and its registration. */
export interface OneOffPassKey {
  /** The private JWK with its `kid`, as JSON. */
  readonly privateJwk: string;
  readonly kid: string;
  readonly credential: Credential;
}

/** Makes a new key for an owner. @param createdAt epoch milliseconds. */
export function newPassKey(owner: string, createdAt: number): OneOffPassKey {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const kid = `${owner}-1`;
  const publicJwk = { ...publicKey.export({ format: "jwk" }), alg: "EdDSA" };
  return {
    privateJwk: JSON.stringify({ ...privateKey.export({ format: "jwk" }), kid, alg: "EdDSA" }),
    kid,
    credential: {
      id: jwsKeyId(kid),
      kind: "jws",
      owner,
      scopes: [getPass.scope],
      publicKey: JSON.stringify(publicJwk),
      createdAt,
    },
  };
}
