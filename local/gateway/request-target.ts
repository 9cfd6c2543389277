/** The path and query of a request, as an HTTP API hands them on. */
export interface RequestTarget {
  /** Decoded twice, and cut where the first decoding has a `?`. A `#` is a character of it like any other. */
  readonly path: string;
  /** Bytes as they were sent, without the `?`. */
  readonly rawQuery: string;
}

/** `unreadable`: a bad request. `outside`: no API answers there, because the base path is another. */
export type TargetReading = RequestTarget | "unreadable" | "outside";

/**
 * Takes a request target apart as an HTTP API was seen to. It decodes the path before it routes, once itself and once
 * on the way to the function, so an encoded slash separates segments. What the first decoding makes a `?` ends the
 * path, and the rest is dropped; what only the second one makes a `?` stays in it. A `%` that the second decoding
 * cannot read is refused, and one that the first cannot read is taken to be. The query is what follows the first `?`
 * that was sent as one, and stays as it came.
 *
 * Where the base path of a domain is compared is not known. Here it is compared as it was sent.
 *
 * Seen: requests to a live HTTP API and the `rawPath` that each had, published with github.com/hotsock/voker
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

/** Undefined when a `%` begins no encoded byte, at either decoding. */
function readPath(sent: string): string | undefined {
  if (STRAY_PERCENT.test(sent)) return undefined;
  const [kept] = splitOnce(decodePercent(sent), "?");
  return STRAY_PERCENT.test(kept) ? undefined : decodePercent(kept);
}

/** Parameters by name, decoded; values of one name joined by commas. Undefined without any. */
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

/** A proxy may send `http://host/path`. */
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

/** Runs of encoded bytes become UTF-8 text; a `%` that begins no byte stays what it is. */
const decodePercent = (text: string): string =>
  text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) =>
    Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8"),
  );
