/** A way to break a request on purpose, to see how the service refuses it. */
export interface Breakage {
  readonly name: string;
  /** What it does, for a list of choices. */
  readonly label: string;
  /** How far the signature's time lies from now, in milliseconds. */
  readonly shiftMs?: number;
  /** The text that is signed in place of the right one, whose parts are given. */
  readonly textSigned?: (parts: readonly string[]) => string;
  /** The bytes that are sent in place of the signature's. */
  readonly signatureSent?: (signature: Uint8Array) => Uint8Array;
  /** The token or key that is sent in place of the right one. */
  readonly secretSent?: (secret: string) => string;
}

/** The request as it should be. */
export const unbroken: Breakage = { name: "nothing", label: "nothing" };

const byte: Breakage = {
  name: "signature",
  label: "one byte of the signature",
  signatureSent: (signature) => signature.map((sent, at) => (at === 0 ? sent ^ 1 : sent)),
};

const BACK_MS = 60_000;
const BACK_JWS_MS = 600_000;

const ofSignature: readonly Breakage[] = [
  unbroken,
  byte,
  {
    name: "text",
    label: "one character of the signed text",
    textSigned: (parts) => {
      const text = parts.join("");
      return changedAt(text, text.length - 1);
    },
  },
  {
    name: "question-mark",
    label: "a ? signed before the query",
    textSigned: ([timestamp, method, path, query]) => `${timestamp}${method}${path}?${query}`,
  },
  { name: "late", label: "the time: a minute old", shiftMs: -BACK_MS },
  { name: "early", label: "the time: a minute ahead", shiftMs: BACK_MS },
];

const ofJws: readonly Breakage[] = [
  unbroken,
  byte,
  { name: "late", label: "the time: ten minutes old", shiftMs: -BACK_JWS_MS },
];

const ofSecret: readonly Breakage[] = [
  unbroken,
  {
    name: "secret",
    label: "one character of the credential",
    // The last characters of a token may hold unused bits.
    secretSent: (secret) => changedAt(secret, secret.length - 9),
  },
];

/** The ways to break a request with a kind of credential; the first one breaks nothing. */
export function breakagesOf(kind: string): readonly Breakage[] {
  if (kind === "signature") return ofSignature;
  if (kind === "jws") return ofJws;
  return kind === "bearer" || kind === "api-key" ? ofSecret : [unbroken];
}

/** The text with another letter or digit at one place. */
function changedAt(text: string, at: number): string {
  const place = Math.max(0, at);
  const other = text[place] === "A" ? "B" : "A";
  return `${text.slice(0, place)}${other}${text.slice(place + 1)}`;
}
