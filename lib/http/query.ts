import { Failure } from "../errors.ts";
import { nearestName } from "./nearest-name.ts";

/** The rules for an endpoint's query string. */
export interface QueryRules {
  readonly known: readonly string[];
  readonly repeatable: readonly string[];
  /** Whether an unknown parameter is refused; otherwise it is ignored. */
  readonly refusesUnknown: boolean;
}

/**
 * Reads the known parameters of a raw query string. A parameter that is repeated, empty or not decodable is refused by
 * name, and so is an unknown one where the rules say so. Only the raw text distinguishes a repeated parameter from a
 * comma in a value.
 *
 * @returns the decoded text of each known parameter; a list of texts for a repeatable one.
 * @throws {Failure} `validation_error` that names the parameter.
 */
export function readQuery(rawQuery: string, rules: QueryRules): Record<string, string | string[]> {
  const values = new Map<string, string | string[]>();
  for (const pair of rawQuery.split("&")) {
    const [given = "", ...rest] = pair.split("=");
    const name = decodeName(given);
    if (!rules.known.includes(name)) {
      if (rules.refusesUnknown && pair !== "") throw unknown(name, rules.known);
      continue;
    }
    const value = decodeValue(name, rest.join("="));
    if (rules.repeatable.includes(name)) values.set(name, [values.get(name) ?? [], value].flat());
    else if (values.has(name)) throw new Failure("validation_error", `${name}: is given more than once.`);
    else values.set(name, value);
  }
  return Object.fromEntries(values);
}

const NAME_SHOWN_MAX = 64;

/** Suggests the parameter that was most likely meant, or lists all parameters of the endpoint. */
function unknown(name: string, known: readonly string[]): Failure {
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? `, which takes ${known.join(", ")}.` : `; did you mean ${nearest}?`;
  const shown = name === "" ? "a parameter without a name" : name.slice(0, NAME_SHOWN_MAX);
  return new Failure("validation_error", `${shown}: is not a parameter of this endpoint${hint}`);
}

const decode = (text: string): string => decodeURIComponent(text.replaceAll("+", " "));

/** A name that cannot be decoded matches no known name and is shown as it was sent. */
function decodeName(text: string): string {
  try {
    return decode(text);
  } catch {
    return text;
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
