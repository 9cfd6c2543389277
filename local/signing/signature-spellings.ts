import { decodeSignature } from "../../lib/signature/canonical-request.ts";
import { SIGNATURE_BYTES } from "../../lib/signature/ed25519.ts";

/** The bytes of a signature, and what is wrong with its spelling. `mistake` is undefined for the accepted spelling. */
export interface ReadSignature {
  readonly bytes: Uint8Array | undefined;
  readonly mistake: string | undefined;
}

const SPELLINGS: readonly (readonly [RegExp, BufferEncoding, string])[] = [
  [/^[0-9a-fA-F]{128}$/, "hex", "it is spelled in hex"],
  [
    /^[A-Za-z0-9_-]{86}(?:==)?$/,
    "base64url",
    "it is spelled in base64url (- and _ for + and /, or no padding)",
  ],
  [/^[A-Za-z0-9+/]{86}$/, "base64", "its padding (==) is missing"],
  [/^[A-Za-z0-9+/]{86}==$/, "base64", "its last symbol before == is not the one an encoder writes"],
];

const RULE = "send standard Base64 of the 64 bytes: 88 characters, ending with ==";

/** Reads a signature in the accepted spelling or in one of those that clients use by mistake. */
export function readSignature(text: string): ReadSignature {
  const accepted = decodeSignature(text);
  if (accepted !== undefined) return { bytes: accepted, mistake: undefined };
  const packed = text.replace(/\s+/g, "");
  const standard = decodeSignature(packed);
  if (standard !== undefined)
    return { bytes: standard, mistake: `it has blanks or line ends inside; ${RULE}` };
  for (const [form, encoding, what] of SPELLINGS) {
    if (form.test(packed)) return { bytes: Buffer.from(packed, encoding), mistake: `${what}; ${RULE}` };
  }
  return { bytes: bytesInside(packed), mistake: `${whatItIs(packed)}; ${RULE}` };
}

/** The bytes of a signature that was encoded twice: Base64 of its hex or Base64 text. */
function bytesInside(text: string): Uint8Array | undefined {
  const inside = Buffer.from(text, "base64").toString("latin1");
  if (/^[0-9a-f]{128}$/i.test(inside)) return Buffer.from(inside, "hex");
  return decodeSignature(inside);
}

function whatItIs(text: string): string {
  if (text.includes(",")) return "it is two signatures: the header was sent twice";
  if (bytesInside(text) !== undefined)
    return "it was encoded twice: the text of the signature, not its bytes, was Base64-encoded";
  return `it does not spell ${SIGNATURE_BYTES} bytes (${text.length} characters)`;
}
