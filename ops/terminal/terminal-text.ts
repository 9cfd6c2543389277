import { printable } from "../../lib/printable.ts";

/** A text of a server as a terminal may show it, with what it must not act on written out. */
export const terminalText = printable;

/** Enough of a token's end is left out that one which was changed there is found too. */
const END = 8;

/** A text without the tokens and signatures that we sent, should a server send them back. */
export function maskSecrets(text: string, tokens: readonly (string | undefined)[]): string {
  const withoutTokens = tokens.reduce<string>((masked, token) => {
    if (token === undefined) return masked;
    const start = token.length > 2 * END ? token.slice(0, -END) : token;
    return masked.replaceAll(
      new RegExp(`${start.replace(/[^A-Za-z0-9]/g, "\\$&")}[^\\s"',]*`, "g"),
      "(a token of yours)",
    );
  }, text);
  return withoutTokens.replace(/[A-Za-z0-9_-]{20,}\.\.[A-Za-z0-9_-]{20,}/g, "(a signature of yours)");
}
