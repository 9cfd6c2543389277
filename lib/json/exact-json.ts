import { DIGITS_MARK, memberPath } from "./member-path.ts";

/** The most bytes of UTF-8 that are read as a document. They include white space and escapes, which are not kept. */
export const TEXT_BYTES_MAX = 64 * 1024;

/** The most arrays and objects within each other; the deepest contract has four. */
const DEPTH_MAX = 16;

/** A number that keeps the digits it was written with: the platform's raw JSON (ECMA-262, JSON.rawJSON). */
export interface ExactNumber {
  readonly rawJSON: string;
}

/** Why a text is not a document. The message names the member and repeats no value. */
export class DocumentViolation extends Error {
  override readonly name = "DocumentViolation";
}

// The types of TypeScript lack these two; the supported versions of Node.js have them.
const json = JSON as typeof JSON & {
  rawJSON(text: string): ExactNumber;
  isRawJSON(value: unknown): value is ExactNumber;
};
type Reviver = (name: string, value: unknown, context: { readonly source: string }) => unknown;

/** Whether a value of a parsed document is a number. */
export const isExactNumber = (value: unknown): value is ExactNumber => json.isRawJSON(value);

/** A negative zero is written as zero; every other number stays as it came. */
const exactNumber = (source: string): ExactNumber =>
  json.rawJSON(/^-0(?:\.0+)?(?:[eE]|$)/.test(source) ? source.slice(1) : source);

/**
 * Parses one JSON document (RFC 8259) of at most 64 KiB and keeps the digits of every number and the order of all
 * members: a name of digits only gets `DIGITS_MARK` in front. A member given twice in one object is refused even when
 * both values are equal, and so is text that is not well-formed Unicode: parsers disagree on both.
 *
 * @throws {DocumentViolation} that names the member and repeats no value.
 */
export function parseExactJson(text: string): unknown {
  if (Buffer.byteLength(text) > TEXT_BYTES_MAX) {
    throw new DocumentViolation(
      `the document must not be larger than ${TEXT_BYTES_MAX} bytes as it is spelled`,
    );
  }
  if (!text.isWellFormed()) throw new DocumentViolation("the document must be well-formed Unicode");
  assertSyntax(text);
  assertStructure(text);
  const keepDigits: Reviver = (_name, value, context) =>
    typeof value === "number" ? exactNumber(context.source) : value;
  return JSON.parse(markDigits(text), keepDigits as (name: string, value: unknown) => unknown);
}

/**
 * The canonical text of a parsed document: compact, with its members in their order and its numbers as they came.
 *
 * @example
 * const document = parseExactJson('{ "price": 1.50, "7": 1e2, "fee": -0 }');
 * writeExactJson(document) // → '{"price":1.50,"7":1e2,"fee":0}'
 * JSON.stringify({ price: 1.50, "7": 1e2, fee: -0 }) // → '{"7":100,"price":1.5,"fee":0}'
 */
export const writeExactJson = (value: object): string =>
  JSON.stringify(value).replace(MARKED_NAME, (_, digits: string) => `"${digits}":`);

const DIGITS_NAME = /"(?:\d|\\u003\d)+"\s*:/;
const STRING = /("(?:[^"\\]|\\.)*")(\s*:)?/g;
/** Inside a JSON string, every quote has a backslash before it, so each match is a name. */
const MARKED_NAME = /"\\ud800(\d+)":/g;

/** Marks the names of digits in text that is valid JSON. */
function markDigits(text: string): string {
  if (!DIGITS_NAME.test(text)) return text;
  return text.replace(STRING, (whole: string, string: string, colon = "") => {
    const name = colon === "" ? "" : (JSON.parse(string) as string);
    return /^\d+$/.test(name) ? `${JSON.stringify(DIGITS_MARK + name)}${colon}` : whole;
  });
}

/** The message of Node.js quotes the text around the mistake, which may be a card number, so only its place is told. */
function assertSyntax(text: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    const place = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
    const where = place === undefined ? "" : `: see character ${Number(place) + 1}`;
    throw new DocumentViolation(`the document must be one JSON text${where}`);
  }
}

interface OpenValue {
  /** Names met so far; undefined in an array. */
  readonly names: Set<string> | undefined;
  /** The member or element that is being read. */
  at: string | number;
}

const STRUCTURE = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** Walks text that is valid JSON, in which a string before a colon is a name. */
function assertStructure(text: string): void {
  const open: OpenValue[] = [];
  let lastString = "";
  for (const [token] of text.matchAll(STRUCTURE)) {
    if (token === ":") meetName(open, lastString);
    else requireWellFormed(open, lastString);
    lastString = token.startsWith('"') ? (JSON.parse(token) as string) : "";
    if (token === "{" || token === "[") enter(open, token);
    else if (token === "}" || token === "]") open.pop();
    else if (token === ",") meetComma(open.at(-1));
  }
  requireWellFormed(open, lastString);
}

function enter(open: OpenValue[], token: "{" | "["): void {
  if (open.length === DEPTH_MAX) {
    throw new DocumentViolation(`the document must not be nested deeper than ${DEPTH_MAX} levels`);
  }
  open.push(token === "{" ? { names: new Set(), at: "" } : { names: undefined, at: 0 });
}

function meetComma(current: OpenValue | undefined): void {
  if (typeof current?.at === "number") current.at += 1;
}

function meetName(open: readonly OpenValue[], name: string): void {
  const current = open.at(-1);
  if (current?.names === undefined) return;
  current.at = name;
  requireWellFormed(open, name);
  if (current.names.has(name)) throw new DocumentViolation(`${pathOf(open)} is given twice`);
  current.names.add(name);
}

function requireWellFormed(open: readonly OpenValue[], string: string): void {
  if (string.isWellFormed()) return;
  throw new DocumentViolation(
    `${pathOf(open)} must be well-formed Unicode, without half of a surrogate pair`,
  );
}

const pathOf = (open: readonly OpenValue[]): string => memberPath(open.map((value) => value.at));
