import { toBase64, toBase64Url } from "./base64.ts";

/** A shorter text is part of many words, and is hidden only where it stands letter for letter. */
const SPELLED_CHARACTERS_MIN = 8;

/**
 * Hides secrets in what an answer may have made of them: as they are, in letters of another case, backwards, in Base64 or
 * hex, and any of these escaped as in a URL, in JSON or in HTML.
 */
export function maskOf(secrets: readonly string[]): (text: string) => string {
  let patterns: readonly RegExp[] | undefined;
  return (text) => {
    patterns ??= secrets.filter((secret) => secret !== "").flatMap(patternsOf);
    const masked = hide(text, patterns);
    const plain = unescaped(masked);
    const maskedPlain = hide(plain, patterns);
    return maskedPlain === plain ? masked : maskedPlain;
  };
}

const hide = (text: string, patterns: readonly RegExp[]): string =>
  patterns.reduce((left, pattern) => left.replace(pattern, "(hidden)"), text);

function patternsOf(secret: string): readonly RegExp[] {
  if (secret.length < SPELLED_CHARACTERS_MIN) return [new RegExp(literal(secret), "g")];
  const backwards = Array.from(secret).toReversed().join("");
  const bytes = new TextEncoder().encode(secret);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const forms = new Set([secret, backwards, hex, ...inBase64(bytes)]);
  return Array.from(forms, (form) => new RegExp(literal(form), "gi"));
}

/** The letters of Base64 that a secret alone decides, for each place in three bytes at which it may begin. */
function inBase64(bytes: Uint8Array): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const padded = Uint8Array.from([...new Uint8Array(before), ...bytes]);
    const decided = [Math.ceil((before * 4) / 3), Math.floor((padded.length * 4) / 3)] as const;
    return [toBase64(padded), toBase64Url(padded)].map((text) => text.slice(...decided));
  });
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

const ESCAPED = /(?:%|\\u00)([2-7][\da-f])|&#(?:x([2-7][\da-f])|(\d{2,3}));|\\(["/\\])/gi;

/** A text without the escapes of a URL, of JSON and of HTML for the characters that a secret can have. */
const unescaped = (text: string): string =>
  text.replace(ESCAPED, (_, hex?: string, hexOfHtml?: string, decimal?: string, character?: string) => {
    const code = decimal === undefined ? Number.parseInt(hex ?? hexOfHtml ?? "", 16) : Number(decimal);
    return character ?? String.fromCharCode(code);
  });
