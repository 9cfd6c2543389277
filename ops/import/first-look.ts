import { OperatorError } from "../../local/process/operator-error.ts";
import type { Source } from "./open-source.ts";

const HEAD_BYTES_MAX = 4 * 1024;

/** Keeps the beginning of a source while its reader reads it. */
export function lookAt(source: Source) {
  let head = Buffer.alloc(0);
  const chunks = (async function* () {
    for await (const chunk of source.chunks) {
      if (head.length < HEAD_BYTES_MAX) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES_MAX)]);
      yield chunk;
    }
  })();
  return {
    source: { ...source, chunks },
    /** The beginning of the file, as far as it was read. */
    head: (): string =>
      head
        .toString()
        .replace(/^\u{feff}/u, "")
        .trimStart(),
  };
}

const NUMBER = String.raw`"?\d+(?:\.\d+)?"?`;
const CSV_NAME = /^"?[a-z][a-z _]*"?(?:,"?[a-z][a-z _]*"?){2,}$/i;

/** Kinds of file by a first line that no record can have, so that not one of their lines is read. */
const OTHER_JSON: readonly (readonly [RegExp, string])[] = [
  [/^\[/, "The file is one JSON array. `jq -c '.[]'` puts each record on a line."],
  [
    /^\{\s*"data"\s*:\s*\[/,
    "The records are inside a response. `jq -c '.data[]'` puts each record on a line.",
  ],
  [
    /^\{\s*"\w+"\s*:\s*\[\s*$/,
    "The records are inside a document. `jq -c '.NAME[]'`, with the name of their list, puts each record on a line.",
  ],
  [/^\{.*\},$/, "The lines end with commas, as in an array. `sed 's/,$//'` leaves them out."],
  [/^\{\s*$/m, "A JSON document is spread over lines. `jq -c .` puts each document on one line."],
];

/** Kinds of file by their first line; the first match counts. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  ...OTHER_JSON,
  [new RegExp(`^${NUMBER},${NUMBER},${NUMBER}$`), "--format kraken"],
  [/^"?time"?,"?price"?,"?volume"?$/i, "--format kraken"],
  [new RegExp(`^(?:${NUMBER},){4}"?\\d{13,16}"?,"?(?:true|false)\\b`, "i"), "--format binance"],
  [/^"?id"?,"?price"?,"?qty"?,"?quote_?qty"?,/i, "--format binance"],
  [CSV_NAME, "The file is CSV."],
  [/^\{.*"(?:trade_id|product_ids?)"\s*:/, "--format coinbase"],
  [/^\{\s*"type"\s*:\s*"(?:subscriptions|heartbeat|match|last_match)"/, "--format coinbase"],
  [/^\{.*"tdt"\s*:/, "--format ndjson"],
  [/^\{.*"legs"\s*:/, "`import transactions`"],
  [/^\{.*"partner_reference"\s*:/, "`import passes`"],
  [/^\{.*"currencyId"\s*:/, "`import sell-orders`"],
];

/** A guess at what a file holds. */
export interface Description {
  /** A sentence that says what to do. */
  readonly text: string;
  /** Whether the file does not hold one record a line, so that the refusals say nothing about its records. */
  readonly isOtherForm: boolean;
}

const FORMATS: ReadonlySet<string> = new Set(["ndjson", "binance", "kraken", "coinbase"]);

/**
 * Refuses a file whose first line shows that it does not hold one record a line. The last element of an array has no comma
 * after it, and would be stored as the only one.
 *
 * @throws {OperatorError} that says what to do.
 */
export function requireLines(line: string): void {
  const [, way] = OTHER_JSON.find(([pattern]) => pattern.test(line.trim())) ?? [];
  if (way !== undefined) throw new OperatorError(way);
}

/**
 * Guesses what a file holds whose lines were all refused. Undefined without a clue, or when the clue fits `given`.
 *
 * @param head the beginning of the file. @param given how it was imported: the name of a `--format`, or of an import.
 */
export function describeFile(head: string, given: string): Description | undefined {
  const line = head.split("\n", 1)[0]?.trim() ?? "";
  const [, kind] = KINDS.find(([pattern]) => pattern.test(line)) ?? [];
  if (kind === undefined || kind === `--format ${given}` || kind === `\`import ${given}\``) return undefined;
  if (kind.endsWith(".")) return { text: kind, isOtherForm: true };
  const isForeign = kind.startsWith("--") && !FORMATS.has(given);
  const way = isForeign ? `\`import trades\` with ${kind}` : kind;
  return { text: `Its first line looks like ${way}.`, isOtherForm: false };
}
