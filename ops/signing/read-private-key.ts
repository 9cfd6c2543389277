import { createPrivateKey, type KeyObject } from "node:crypto";
import { givenText } from "../../infra/settings/given-text.ts";

const RULE =
  "Give the Ed25519 private key as PEM (-----BEGIN PRIVATE KEY-----), as `openssl genpkey -algorithm ed25519` writes it.";

/** As the client reads a key: its lines may be one, indented or in quotes, as variables and documents hold them. */
const PEM = /-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----/g;

/**
 * Reads the file of a private key that requests are signed with.
 *
 * @throws {RangeError} for any other content; the message never quotes the content.
 */
export function readPrivateKey(content: Buffer): KeyObject {
  const text = givenText(content);
  if (text === undefined) throw new RangeError(`This is not UTF-8 text. ${RULE}`);
  if (text.includes("BEGIN PUBLIC KEY") && !text.includes("PRIVATE KEY"))
    throw new RangeError(`This is a public key; requests are signed with the private half. ${RULE}`);
  if (text.includes("ENCRYPTED"))
    throw new RangeError(`This private key is encrypted; decrypt it first. ${RULE}`);
  if (text.includes("\\n"))
    throw new RangeError(
      "The line ends of this PEM are the two characters \\n, as in JSON or a variable: write real line ends, or blanks, in their place.",
    );
  const key = keyOf(text);
  if (key === undefined) throw new RangeError(`This is not a readable private key. ${RULE}`);
  if (key.asymmetricKeyType !== "ed25519")
    throw new RangeError(`This is a key of type ${key.asymmetricKeyType}. ${RULE}`);
  return key;
}

/** The key of a PEM text; undefined for another text. */
function keyOf(text: string): KeyObject | undefined {
  const bodies = new Set([...text.matchAll(PEM)].map(([, base64 = ""]) => base64.replaceAll(/\s/g, "")));
  const [body] = bodies;
  if (bodies.size > 1)
    throw new RangeError(`This holds ${bodies.size} private keys. Give the one to sign with, and no other.`);
  try {
    if (body === undefined) return createPrivateKey(text);
    const isBase64 = /^[\w+/]+={0,2}$/.test(body);
    const key = Buffer.from(body, "base64");
    return isBase64 ? createPrivateKey({ key, format: "der", type: "pkcs8" }) : undefined;
  } catch {
    // The error's own words may quote the key.
    return undefined;
  }
}
