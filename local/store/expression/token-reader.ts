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

/** An expression does not follow the grammar. The message names the token that does not fit, as DynamoDB's does. */
export class ExpressionSyntaxError extends Error {
  override readonly name = "ExpressionSyntaxError";
}

/** Deeper than any expression of at most 300 operators, DynamoDB's limit, and shallow enough for the call stack. */
const MAX_DEPTH = 500;

/** Reads an expression's tokens one after the other. */
export class TokenReader {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokensOf(text);
  }

  /** The token that is to be read next. */
  get next(): Token {
    return this.#tokens[this.#at] as Token;
  }

  /** The token after the next one; the end, if that is the last. */
  get afterNext(): Token {
    return (this.#tokens[this.#at + 1] ?? this.#tokens.at(-1)) as Token;
  }

  /** Reads one token of a kind. Throws `ExpressionSyntaxError`. */
  take(kind: TokenKind): Token {
    const token = this.next;
    if (token.kind !== kind) throw this.unexpected();
    this.#at += 1;
    return token;
  }

  /** Reads a symbol if it comes next. */
  takesSymbol(symbol: string): boolean {
    const found = this.next.kind === "symbol" && this.next.text === symbol;
    if (found) this.#at += 1;
    return found;
  }

  /** Whether a keyword comes next, in any letter case. */
  nextIsKeyword(keyword: string): boolean {
    return this.next.kind === "word" && this.next.text.toUpperCase() === keyword;
  }

  /** Reads a keyword if it comes next. */
  takesKeyword(keyword: string): boolean {
    const found = this.nextIsKeyword(keyword);
    if (found) this.#at += 1;
    return found;
  }

  /** Reads a symbol. Throws `ExpressionSyntaxError`. */
  expectSymbol(symbol: string): void {
    if (!this.takesSymbol(symbol)) throw this.unexpected();
  }

  /** Reads one or more entries, separated by commas. */
  list<Entry>(read: () => Entry): readonly Entry[] {
    const entries = [read()];
    while (this.takesSymbol(",")) entries.push(read());
    return entries;
  }

  /** Reads a part that may contain others of its kind. Throws `ExpressionSyntaxError` when they are nested too deep. */
  nested<Result>(read: () => Result): Result {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw this.unexpected();
    const result = read();
    this.#depth -= 1;
    return result;
  }

  /** The error for a next token that must not stand here. */
  unexpected(): ExpressionSyntaxError {
    const token = this.next;
    const before = this.#tokens[this.#at - 1] ?? token;
    const last = token.kind === "end" ? before : this.afterNext;
    const near = this.#text.slice(before.start, Math.max(last.end, token.start)).trimEnd();
    return new ExpressionSyntaxError(`Syntax error; token: "${token.text}", near: "${near}"`);
  }
}
