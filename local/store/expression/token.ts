/** Pieces of an expression: `#name`, `:value`, a word, a whole number, an operator or any other character, the end. */
export type TokenKind = "name" | "value" | "word" | "number" | "symbol" | "end";

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** The position of the token's first character in the expression. */
  readonly start: number;
  /** The position after the token's last character. */
  readonly end: number;
}

const SPACE = /[ \t\r\n]*/y;
const PIECES: readonly (readonly [TokenKind, RegExp])[] = [
  ["name", /#[A-Za-z0-9_]+/y],
  ["value", /:[A-Za-z0-9_]+/y],
  ["word", /[A-Za-z_][A-Za-z0-9_]*/y],
  ["number", /[0-9]+/y],
  ["symbol", /<>|<=|>=|./suy],
];

/** Splits an expression into tokens; the last one is the end. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const token = tokenAt(text, at);
    tokens.push(token);
    at = skipSpace(text, token.end);
  }
  tokens.push({ kind: "end", text: "<EOF>", start: text.length, end: text.length });
  return tokens;
}

function tokenAt(text: string, start: number): Token {
  for (const [kind, pattern] of PIECES) {
    pattern.lastIndex = start;
    if (pattern.test(text)) {
      return { kind, text: text.slice(start, pattern.lastIndex), start, end: pattern.lastIndex };
    }
  }
  return { kind: "symbol", text: text.charAt(start), start, end: start + 1 };
}

function skipSpace(text: string, start: number): number {
  SPACE.lastIndex = start;
  SPACE.test(text);
  return SPACE.lastIndex;
}
