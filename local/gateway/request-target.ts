/** The path and query of a request, as an HTTP API passes them to a function. */
export interface RequestTarget {
  /** Decoded twice, and cut at a `?` that the first decoding produces. A `#` is an ordinary character. */
  readonly path: string;
  /** The query as it was sent, without the `?`. */
  readonly rawQuery: string;
}

/** `unreadable`: a bad request. `outside`: a path that does not begin with the base path, so no API answers there. */
export type TargetReading = RequestTarget | "unreadable" | "outside";

/**
 * Splits a request target as an HTTP API was seen to. The gateway decodes the path twice before routing, so an encoded
 * slash separates segments. A `?` that the first decoding produces ends the path, and the rest is dropped; a `?` that
 * only the second decoding produces stays in the path. A `%` that begins no encoded byte is refused: this was seen for
 * the second decoding, and is assumed for the first. The query follows the first literal `?` and stays as it was sent.
 *
 * How AWS compares the base path of a domain is not known. Here it is compared with the path as it was sent.
 *
 * Source: requests to a live HTTP API and the `rawPath` of each, published with github.com/hotsock/voker
 * (vokerhttp/testdata/ingress-paths.json).
 */
export function readTarget(target: string, basePath: string): TargetReading {
  const [whole, rawQuery] = splitOnce(originForm(target), "?");
  if (!whole.startsWith(basePath)) return "outside";
  const mapped = whole.slice(basePath.length);
  if (mapped !== "" && !mapped.startsWith("/")) return "outside";
  const path = readPath(mapped === "" ? "/" : mapped);
  return path === undefined ? "unreadable" : { path, rawQuery };
}

/** The decoded path; undefined when a `%` begins no encoded byte, at either decoding. */
function readPath(sent: string): string | undefined {
  if (STRAY_PERCENT.test(sent)) return undefined;
  const [kept] = splitOnce(decodePercent(sent), "?");
  return STRAY_PERCENT.test(kept) ? undefined : decodePercent(kept);
}

/** Decoded parameters by name; the values of a repeated name are joined by commas. Undefined without parameters. */
export function readQuery(rawQuery: string): Record<string, string> | undefined {
  const parameters = new Map<string, string>();
  for (const pair of rawQuery.split("&").filter((text) => text !== "")) {
    const [name, value] = splitOnce(pair, "=").map((text) => decodePercent(text.replaceAll("+", " "))) as [
      string,
      string,
    ];
    const before = parameters.get(name);
    parameters.set(name, before === undefined ? value : `${before},${value}`);
  }
  return parameters.size === 0 ? undefined : Object.fromEntries(parameters);
}

/** A server must also accept `http://host/path`, the form for proxies (RFC 9112, section 3.2.2). */
function originForm(target: string): string {
  const [, rest] = /^https?:\/\/[^/?]*(.*)$/i.exec(target) ?? [];
  if (rest === undefined) return target;
  return rest.startsWith("/") ? rest : `/${rest}`;
}

function splitOnce(text: string, separator: string): [before: string, after: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}

const STRAY_PERCENT = /%(?![0-9A-Fa-f]{2})/;

/** Runs of encoded bytes become UTF-8 text; a `%` that begins no encoded byte stays. */
const decodePercent = (text: string): string =>
  text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) =>
    Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8"),
  );
