import { Failure } from "../errors.ts";

/**
 * Reads the known parameters of a raw query string. A parameter given twice, empty, or not decodable is refused by
 * name; unknown ones are ignored. Only the raw text tells a repeated parameter from a comma in a value.
 *
 * @returns each known parameter's decoded text; a list of texts for a repeatable one.
 * @throws {Failure} `validation_error` that names the parameter.
 */
export function readQuery(
  rawQuery: string,
  known: readonly string[],
  repeatable: readonly string[],
): Record<string, string | string[]> {
  const values = new Map<string, string | string[]>();
  for (const pair of rawQuery.split("&")) {
    const equals = pair.indexOf("=");
    const name = decodeName(equals < 0 ? pair : pair.slice(0, equals));
    if (!known.includes(name)) continue;
    const value = decodeValue(name, equals < 0 ? "" : pair.slice(equals + 1));
    if (repeatable.includes(name)) values.set(name, [values.get(name) ?? [], value].flat());
    else if (values.has(name)) throw new Failure("validation_error", `${name}: is given more than once.`);
    else values.set(name, value);
  }
  return Object.fromEntries(values);
}

const decode = (text: string): string => decodeURIComponent(text.replaceAll("+", " "));

/** A name that cannot be decoded is no name we know. */
function decodeName(text: string): string {
  try {
    return decode(text);
  } catch {
    return "";
  }
}

function decodeValue(name: string, text: string): string {
  if (text === "")
    throw new Failure("validation_error", `${name}: is empty; leave it out or give it a value.`);
  try {
    return decode(text);
  } catch {
    throw new Failure("validation_error", `${name}: is not correctly percent-encoded UTF-8.`);
  }
}
