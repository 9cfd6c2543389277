import { toBase64, toBase64Url } from "./base64.ts";

/** A shorter text is part of many words, and is hidden only where it stands letter for letter. */
const SPELLED_CHARACTERS_MIN = 8;

/**
 * Hides secrets in what an answer may have made of them: as they are, in letters of another case, backwards, in Base64,
 * and any of these escaped as in a URL or in JSON.
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
  const forms = new Set([secret, backwards, ...inBase64(secret)]);
  return Array.from(forms, (form) => new RegExp(literal(form), "gi"));
}

/** The letters of Base64 that a secret alone decides, for each place in three bytes at which it may begin. */
function inBase64(secret: string): readonly string[] {
  const bytes = new TextEncoder().encode(secret);
  return [0, 1, 2].flatMap((before) => {
    const padded = Uint8Array.from([...new Uint8Array(before), ...bytes]);
    const decided = [Math.ceil((before * 4) / 3), Math.floor((padded.length * 4) / 3)] as const;
    return [toBase64(padded), toBase64Url(padded)].map((text) => text.slice(...decided));
  });
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** A text without the escapes of a URL and of JSON for the characters that a secret can have. */
const unescaped = (text: string): string =>
  text
    .replace(/(?:%|\\u00)([2-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\(["/\\])/g, "$1");
