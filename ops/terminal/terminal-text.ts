import { printable } from "../../lib/printable.ts";

/** A foreign text that is safe to print: the characters that a terminal would act on are escaped. */
export const terminalText = printable;

/** The same for a text of several lines. */
export const terminalLines = (text: string): string => text.split("\n").map(terminalText).join("\n");

/** The end of a token is not compared, so that a copy of ours that was altered there is masked too. */
const END = 8;

/** Masks the tokens and signatures that we sent, in case the server sends them back in this text. */
export function maskSecrets(text: string, tokens: readonly (string | undefined)[]): string {
  const withoutTokens = tokens.reduce<string>((masked, token) => {
    if (token === undefined) return masked;
    const start = token.length > 2 * END ? token.slice(0, -END) : token;
    return masked.replaceAll(
      new RegExp(`${start.replace(/[^A-Za-z0-9]/g, "\\$&")}[^\\s"',]*`, "g"),
      "(a token of yours)",
    );
  }, text);
  return withoutTokens.replace(SIGNATURE, "(a signature of yours)");
}

/** A detached JWS. It is looked for only where a word begins: within a long word, each place would be tried to its end. */
const SIGNATURE = /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{20,}\.\.[A-Za-z0-9_-]{20,}/g;
