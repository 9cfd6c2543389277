/** The path and query of a request, as an HTTP API hands them on. */
export interface RequestTarget {
  /** Decoded twice. A decoded `?` or `#` is a character of it like any other. */
  readonly path: string;
  /** Bytes as they were sent, without the `?`. */
  readonly rawQuery: string;
}

/**
 * Takes a request target apart as an HTTP API does. It decodes the path before it routes, once itself and once on the
 * way to the function, so an encoded slash separates segments; the query is what follows the first `?` that was sent as
 * one, and stays as it came. Undefined for a target outside the base path, where no API answers.
 */
export function readTarget(target: string, basePath: string): RequestTarget | undefined {
  const [whole, rawQuery] = splitOnce(originForm(target), "?");
  if (!whole.startsWith(basePath)) return undefined;
  const mapped = whole.slice(basePath.length);
  if (mapped !== "" && !mapped.startsWith("/")) return undefined;
  return { path: decodePercent(decodePercent(mapped === "" ? "/" : mapped)), rawQuery };
}

/** Parameters by name, decoded; values of one name joined by commas. Undefined without any. */
export function readQuery(rawQuery: string): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  for (const pair of rawQuery.split("&").filter((text) => text !== "")) {
    const [name, value] = splitOnce(pair, "=").map((text) => decodePercent(text.replaceAll("+", " "))) as [
      string,
      string,
    ];
    parameters[name] = Object.hasOwn(parameters, name) ? `${parameters[name]},${value}` : value;
  }
  return Object.keys(parameters).length === 0 ? undefined : parameters;
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

/** Runs of encoded bytes become UTF-8 text; a `%` that begins no byte stays what it is. */
const decodePercent = (text: string): string =>
  text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) =>
    Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8"),
  );
