import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { parsedJson } from "../../lib/json-value.ts";

/** More than any answer has without its coding. */
const DECODED_BYTES_MAX = 4_194_304;
const LIMIT = { maxOutputLength: DECODED_BYTES_MAX } as const;

const decoders: ReadonlyMap<string, (bytes: Buffer) => Buffer> = new Map([
  ["br", (bytes) => brotliDecompressSync(bytes, LIMIT)],
  ["gzip", (bytes) => gunzipSync(bytes, LIMIT)],
  ["zstd", (bytes) => zstdDecompressSync(bytes, LIMIT)],
]);

/** A body without its coding; one that cannot be decoded, or becomes too long, stays as it is. */
export function decodedBody(body: Buffer, coding: string | undefined): string {
  const decode = decoders.get(coding ?? "");
  if (decode === undefined || body.length === 0) return body.toString("utf8");
  try {
    return decode(body).toString("utf8");
  } catch {
    return body.toString("latin1");
  }
}

/** Members of the service's errors that differ from answer to answer. */
const ERROR_FORMS = [
  [/"error_id":"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"/, '"error_id":"<id>"'],
  [/"timestamp":\d{13}/, '"timestamp":<instant>'],
  [/"retry_after_ms":\d+/, '"retry_after_ms":<n>'],
] as const;
const MESSAGE = /"message":"(?:[^"\\]|\\.)*","timestamp"/;
/** Instants, and how long to wait or by how much a clock is wrong. */
const COUNTS = /\b(?:\d{4,}|\d+(?= ms\b))/g;

/** The errors of the service are far shorter. Of a longer text, only the beginning is looked at for forms. */
const FORM_LENGTH_MAX = 16_384;

/** The text of an error, or of another body that is not a record, as far as it is the same in each answer. */
export function errorForm(text: string): string {
  const begin = text
    .slice(0, FORM_LENGTH_MAX)
    .replace(MESSAGE, (message) => message.replaceAll(COUNTS, "<n>"));
  const form = ERROR_FORMS.reduce((now, [pattern, form]) => now.replace(pattern, form), begin);
  return form + text.slice(FORM_LENGTH_MAX);
}

/** The text of a page of trades names the instant of the answer, and may have a cursor. */
export const recordForm = (text: string): string =>
  text
    .replace(/"metadata":\{"timestamp":\d{13}/, '"metadata":{"timestamp":<instant>')
    .replace(/"next_cursor":"[^"]+"/, '"next_cursor":"<cursor>"');

/** A difference within two bodies, as texts for people. */
export interface BodyDifference {
  readonly left: string;
  readonly right: string;
}

/** What lies around a difference is shown as far as this many characters. */
const AROUND = 24;

/** The first place where two texts differ, with what is around it; undefined for equal texts. */
export function textDifference(left: string, right: string): BodyDifference | undefined {
  if (left === right) return undefined;
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  const around = (text: string): string => {
    const begin = Math.max(0, at - AROUND);
    const end = at + AROUND;
    if (text === "") return "empty";
    return `${begin > 0 ? "…" : ""}${text.slice(begin, end)}${end < text.length ? "…" : ""}`;
  };
  return { left: around(left), right: around(right) };
}

/**
 * The first place where two records differ in what different records share: that they are JSON, the types of the
 * members that both have, and the order of these members. Of two lists only the first elements are compared.
 */
export function shapeDifference(left: string, right: string): BodyDifference | undefined {
  const [one, other] = [parsedJson(left), parsedJson(right)];
  if (one === undefined || other === undefined)
    return one === other ? textDifference(left, right) : { left: kindOf(one), right: kindOf(other) };
  return differenceAt(one, other, "");
}

/** Deeper than any record; what lies deeper is not compared. */
const DEPTH_MAX = 32;

function differenceAt(left: unknown, right: unknown, path: string, depth = 0): BodyDifference | undefined {
  if (depth > DEPTH_MAX) return undefined;
  const kinds = [kindOf(left), kindOf(right)] as const;
  if (kinds[0] !== kinds[1])
    return { left: `${path || "it"} is ${kinds[0]}`, right: `${path || "it"} is ${kinds[1]}` };
  if (Array.isArray(left) && Array.isArray(right))
    return left.length > 0 && right.length > 0
      ? differenceAt(left[0], right[0], `${path}[]`, depth + 1)
      : undefined;
  if (kinds[0] === "an object") return memberDifference(left as object, right as object, path, depth);
  return undefined;
}

function memberDifference(
  left: object,
  right: object,
  path: string,
  depth: number,
): BodyDifference | undefined {
  const [ones, others] = [new Map(Object.entries(left)), new Map(Object.entries(right))];
  const orderOf = (names: Iterable<string>, among: ReadonlyMap<string, unknown>): string =>
    [...names].filter((name) => among.has(name)).join(", ");
  const [order, otherOrder] = [orderOf(ones.keys(), others), orderOf(others.keys(), ones)];
  if (order !== otherOrder)
    return { left: `${path || "it"} has ${order}`, right: `${path || "it"} has ${otherOrder}` };
  for (const [name, value] of ones) {
    const within = path === "" ? name : `${path}.${name}`;
    const difference = others.has(name)
      ? differenceAt(value, others.get(name), within, depth + 1)
      : undefined;
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function kindOf(value: unknown): string {
  if (value === undefined) return "no JSON";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** What is not compared of bodies as it stands. @param isExact whether both sides have the same records. */
export const bodyLegend = (isExact: boolean): readonly string[] => [
  "errors: error_id, timestamp, retry_after_ms, and instants and milliseconds in messages by their form, all else exactly",
  isExact
    ? "records: byte by byte without their coding, but for a page's timestamp and cursor"
    : "records: the types and the order of the members that both have (with --same-records: byte by byte)",
];
