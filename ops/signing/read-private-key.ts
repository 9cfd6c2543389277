import { createPrivateKey, type KeyObject } from "node:crypto";
import { givenText } from "../../lib/given-text.ts";

const RULE =
  "Give the Ed25519 private key as PEM (-----BEGIN PRIVATE KEY-----), as `openssl genpkey -algorithm ed25519` writes it.";

/**
 * Reads the file of a private key that requests are signed with.
 *
 * @throws {RangeError} for any other content; the message never quotes the content.
 */
export function readPrivateKey(content: Buffer): KeyObject {
  const text = givenText(content);
  if (text === undefined) throw new RangeError(`This is not UTF-8 text. ${RULE}`);
  if (text.includes("BEGIN PUBLIC KEY"))
    throw new RangeError(`This is a public key; requests are signed with the private half. ${RULE}`);
  if (text.includes("ENCRYPTED"))
    throw new RangeError(`This private key is encrypted; decrypt it first. ${RULE}`);
  let key: KeyObject;
  try {
    key = createPrivateKey(text);
  } catch {
    throw new RangeError(`This is not a readable private key. ${RULE}`);
  }
  if (key.asymmetricKeyType !== "ed25519")
    throw new RangeError(`This is a key of type ${key.asymmetricKeyType}. ${RULE}`);
  return key;
}
