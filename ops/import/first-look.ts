import type { Source } from "./open-source.ts";

const HEAD_BYTES_MAX = 4 * 1024;

/** What a file begins with, gathered while it is read for its lines. */
export interface FirstLook {
  readonly source: Source;
  /** The beginning of the file, as far as it was read. */
  readonly head: () => string;
}

/** Looks at the beginning of a source on its way to whoever reads it. */
export function lookAt(source: Source): FirstLook {
  let head = Buffer.alloc(0);
  const chunks = (async function* () {
    for await (const chunk of source.chunks) {
      if (head.length < HEAD_BYTES_MAX) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES_MAX)]);
      yield chunk;
    }
  })();
  return {
    source: { ...source, chunks },
    head: () =>
      head
        .toString()
        .replace(/^\u{feff}/u, "")
        .trimStart(),
  };
}

const NUMBER = String.raw`"?\d+(?:\.\d+)?"?`;
const CSV_NAME = /^"?[a-z][a-z _]*"?(?:,"?[a-z][a-z _]*"?){2,}$/i;

/** Kinds of file, by how the first line begins; the first that fits counts. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^\[/, "This is one JSON array: `jq -c '.[]'` makes lines of it."],
  [/^\{\s*"data"\s*:\s*\[/, "These are records within an answer: `jq -c '.data[]'` makes lines of them."],
  [/^\{\s*$/m, "This is JSON that is spread over lines: `jq -c .` makes one line of each document."],
  [new RegExp(`^${NUMBER},${NUMBER},${NUMBER}$`), "--format kraken"],
  [/^"?time"?,"?price"?,"?volume"?$/i, "--format kraken"],
  [new RegExp(`^(?:${NUMBER},){4}"?\\d{13,16}"?,"?(?:true|false)\\b`, "i"), "--format binance"],
  [/^"?id"?,"?price"?,"?qty"?,"?quote_?qty"?,/i, "--format binance"],
  [CSV_NAME, "This is CSV."],
  [/^\{.*"(?:trade_id|product_ids?)"\s*:/, "--format coinbase"],
  [/^\{\s*"type"\s*:\s*"(?:subscriptions|heartbeat|match|last_match)"/, "--format coinbase"],
  [/^\{.*"tdt"\s*:/, "--format ndjson"],
  [/^\{.*"legs"\s*:/, "`import transactions`"],
  [/^\{.*"partner_reference"\s*:/, "`import passes`"],
  [/^\{.*"currencyId"\s*:/, "`import sell-orders`"],
];

/** What a file looks like. */
export interface Description {
  /** A sentence that says what to do. */
  readonly text: string;
  /** Whether it does not hold one record a line at all, so that it was not the records that were refused. */
  readonly isOtherForm: boolean;
}

const FORMATS: ReadonlySet<string> = new Set(["ndjson", "binance", "kraken", "coinbase"]);

/**
 * What a file looks like whose lines were all refused; nothing where it is anybody's guess.
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
