import { type Token, type TokenKind, tokensOf } from "./token.ts";

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
