import { OperatorError } from "../operator-error.ts";
import { nameOfGiven, readGiven } from "../read-given.ts";
import type { SigningKey } from "../wallet/jws-signer.ts";

/** Reads a private JWK that requests are signed with. @throws {OperatorError} when it is none, or lacks kid or alg. */
export async function readSigningKey(file: string): Promise<SigningKey> {
  const key = parse(await readGiven(file));
  if (typeof key?.kid === "string" && typeof key.alg === "string" && typeof key.d === "string")
    return key as SigningKey;
  throw new OperatorError(`${nameOfGiven(file)} is no private JWK with kid and alg.`);
}

/** The parser's own message would quote the key. */
function parse(text: string): Partial<SigningKey> | undefined {
  try {
    return (JSON.parse(text) ?? undefined) as Partial<SigningKey> | undefined;
  } catch {
    return undefined;
  }
}
