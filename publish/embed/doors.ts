import * as z from "zod/mini";
import { brokenInstantRule, epochMsOf } from "../../client/src/instant.ts";
import { corsOriginSchema } from "../../infra/cors-origin.ts";
import { brandMembers } from "../../lib/brand.ts";
import { nearestName } from "../../lib/http/nearest-name.ts";
import { isSymbol } from "../../lib/markets/market.ts";
import { ControlRefusal } from "../../local/control/control-route.ts";
import { faultBounds } from "../../local/faults/fault-routes.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { StartError } from "../../local/process/start-error.ts";
import { LAST_MS } from "../../local/time/time-move.ts";
import { A_FUNCTION } from "./messages.ts";
import type { RecordKind } from "./types.ts";

/** Certificates are valid from 2000 on, and the oldest records lie some months back. */
const FIRST_MS = Date.UTC(2001, 0);
/** The years in which a world may be, in words. */
export const YEARS = "from 2001 to 2098";

/** What a call takes. */
interface Door {
  /** The function's name, as a test calls it. */
  readonly name: string;
  /** As a refusal names them: an object of options is named by its place, because callers name its members alone. */
  readonly parameters: readonly string[];
  /** The rule of each parameter, which may depend on the others. */
  readonly schemasOf: (given: readonly unknown[]) => readonly z.ZodMiniType[];
}

/** The longest text that every key of a table can hold. */
const TEXT_MAX = 250;
const LIFE_S_MAX = 999_999_999;

const within = (min: number, max: number, rule: string): z.ZodMiniType =>
  z.number(rule).check(z.gte(min, rule), z.lte(max, rule));
const wholeWithin = (min: number, max: number, rule: string): z.ZodMiniType =>
  z.int(rule).check(z.gte(min, rule), z.lte(max, rule));

function textOf(what: string): z.ZodMiniType<string> {
  const rule = `must be ${what}, a text of 1 to ${TEXT_MAX} characters`;
  return z.string(rule).check(z.minLength(1, rule), z.maxLength(TEXT_MAX, rule));
}

/** An object that may have these members, and no others. */
function membersOf(shape: Readonly<Record<string, z.ZodMiniType>>): z.ZodMiniType {
  const names = Object.keys(shape);
  const possible = names.length === 1 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  const error: z.core.$ZodErrorMap = (issue) => {
    if (issue.code !== "unrecognized_keys") return `must be an object that may have ${possible}`;
    return `has no ${issue.keys.map((key) => meant(JSON.stringify(key), key, names)).join(", ")}: it may have ${possible}`;
  };
  return z.strictObject(shape, { error });
}

/** A text with the name that was meant, if one is near. */
export function meant(text: string, name: string, names: readonly string[]): string {
  const near = nearestName(name, names);
  return near === undefined ? text : `${text} (did you mean ${near}?)`;
}

const optionals = (shape: Readonly<Record<string, z.ZodMiniType>>): Record<string, z.ZodMiniType> =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, z.optional(schema)]));

const optionsOf = (shape: Readonly<Record<string, z.ZodMiniType>>): z.ZodMiniType =>
  z.optional(membersOf(optionals(shape)));

const worldMembers = {
  now: z.custom((given) => epochMsOf(given) >= FIRST_MS && epochMsOf(given) <= LAST_MS, {
    error: ({ input }) =>
      Number.isNaN(epochMsOf(input)) ? brokenInstantRule(input) : `must be an instant ${YEARS}`,
  }),
  demo: z.boolean("must be true or false"),
  brand: membersOf(optionals(brandMembers)),
};

const houseMembers = {
  ...worldMembers,
  seed: textOf("what keys are derived from"),
  corsOrigins: z.array(corsOriginSchema, "must be an array of origins"),
  log: z.custom((value) => value === A_FUNCTION, "must be a function"),
};

const tokenMembers = {
  business: textOf("a business"),
  wallet: textOf("a wallet service"),
  scopes: z.array(textOf("a scope"), "must be an array of scopes"),
  // A token that has expired is one to test with.
  expiresInS: wholeWithin(
    -LIFE_S_MAX,
    LIFE_S_MAX,
    `must be a whole number of seconds from ${-LIFE_S_MAX} to ${LIFE_S_MAX}`,
  ),
  audience: textOf("an audience"),
};

const { times, oneIn, forMs, delayMs } = faultBounds;
const faultMembers = { times, oneIn, byMs: delayMs, forMs };

const RECORDS_RULE =
  "must be an array of objects that JSON can write, or a text with one document a line, which keeps every digit";

/** Whether JSON can write all of a value: what it cannot has arrived as a symbol. */
const isWritable = (value: unknown): boolean =>
  typeof value === "object" && value !== null
    ? Object.values(value).every(isWritable)
    : typeof value !== "symbol";
const isRecord = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value) && isWritable(value);

/** A double keeps every number of so many digits. */
const DIGITS_MAX = 15;
const DIGITS_RULE = `must have ${DIGITS_MAX} digits at most in an object, because JavaScript rounds longer numbers (give the records as text, which keeps every digit)`;

/** Whether a JavaScript number may be another one than was written. */
function isRounded(value: number): boolean {
  const [mantissa = ""] = String(Math.abs(value)).split("e");
  const digits = mantissa.replace(".", "").replaceAll(/^0+|0+$/g, "");
  return Math.abs(value) > Number.MAX_SAFE_INTEGER || digits.length > DIGITS_MAX;
}

/** The first number in a value that may have lost digits, and its place; undefined where there is none. */
function findRounded(value: unknown): { readonly path: string[]; readonly input: number } | undefined {
  if (typeof value === "number") return isRounded(value) ? { path: [], input: value } : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, part] of Object.entries(value)) {
    const found = findRounded(part);
    if (found !== undefined) return { ...found, path: [name, ...found.path] };
  }
  return undefined;
}

const records = z
  .union([z.string(), z.array(z.custom(isRecord))], RECORDS_RULE)
  .check(({ value, issues }) => {
    const found = findRounded(value);
    if (found !== undefined) issues.push({ code: "custom", message: DIGITS_RULE, ...found });
  });
const owner = z.optional(textOf("the owner of the records"));
const market = z.optional(
  z
    .string()
    .check(z.refine(isSymbol, "must be BASE-QUOTE in upper-case letters and digits, such as BTC-USD")),
);

/** What an import of each kind of records takes. */
const orders: ReadonlyMap<unknown, z.ZodMiniType> = new Map<RecordKind, z.ZodMiniType>([
  ["transactions", membersOf({ owner, records })],
  ["sell-orders", membersOf({ owner, records })],
  ["passes", membersOf({ records })],
  ["trades", membersOf({ market, records })],
]);
const kinds = [...orders.keys()].join(", ");
const recordKind = z.custom((kind) => orders.has(kind), `must be one of ${kinds}`);

const door = (name: string, parameters: Readonly<Record<string, z.ZodMiniType>>): Door => ({
  name,
  parameters: Object.keys(parameters),
  schemasOf: () => Object.values(parameters),
});

const endpoint = textOf("an endpoint's name, route or path");

/** What each call takes, by the name that the thread knows it by. */
export const doors = {
  start: door("startCountinghouse", { "the first argument": optionsOf(houseMembers) }),
  open: door("world", { name: textOf("the world's name"), "the second argument": optionsOf(worldMembers) }),
  close: door("close", {}),
  end: door("close", {}),
  reset: door("reset", {}),
  passTime: door("passTime", {
    ms: within(0, Number.MAX_VALUE, "must be a number of milliseconds from 0 on"),
  }),
  issueToken: door("issueToken", { "the first argument": optionsOf(tokenMembers) }),
  importRecords: {
    name: "importRecords",
    parameters: ["kind", "the second argument"],
    schemasOf: ([kind]) => [recordKind, orders.get(kind) ?? z.unknown()],
  },
  advance: door("advance", { id: textOf("a record's id"), to: z.optional(textOf("a state")) }),
  fault: door("fault", {
    endpoint,
    kind: textOf("a fault's name"),
    "the third argument": optionsOf(faultMembers),
  }),
  clearFaults: door("clearFaults", { endpoint: z.optional(endpoint) }),
} as const satisfies Record<string, Door>;

/** A call of a house or of a world. */
export type Call = keyof typeof doors;

const { now, demo } = worldMembers;

/** What a request for a world, or of one, takes as JSON. */
const ownBodies = {
  worlds: membersOf(optionals({ seed: houseMembers.seed, now, demo })),
  time: membersOf({ to: textOf("how far on, such as +3d, or an instant") }),
  advance: membersOf({ id: textOf("a record's id"), to: z.optional(textOf("a state")) }),
  fault: membersOf({ endpoint, kind: textOf("a fault's name"), ...optionals(faultMembers) }),
  token: membersOf(optionals(tokenMembers)),
};
const bodies = new Map<unknown, z.ZodMiniType>([...Object.entries(ownBodies), ...orders]);

/** The kinds of records that can be imported. */
export const recordKinds = [...orders.keys()] as RecordKind[];

/** What is wrong with a request's body, by its members; undefined for nothing. */
export function problemsOf(request: keyof typeof ownBodies | RecordKind, body: unknown): string | undefined {
  const { error } = (bodies.get(request) as z.ZodMiniType).safeParse(body, OPTIONS);
  return error && `${request}: ${error.issues.map((issue) => problemOf("the body", issue)).join("; ")}.`;
}

const QUOTED_MAX = 80;

/**
 * Checks the arguments of a call, before anything is done with them.
 *
 * @throws {ControlRefusal} that names each argument that cannot be followed, what it must be, and what was given.
 */
export function checkArguments(call: Call, given: readonly unknown[]): void {
  const { name, parameters, schemasOf } = doors[call];
  const all = parameters.map((_name, at) => given[at]);
  const checks = schemasOf(all).map((schema, at) => schema.safeParse(all[at], OPTIONS));
  const problems = checks.flatMap(({ error }, at) =>
    (error?.issues ?? []).map((issue) => problemOf(parameters[at] ?? "", issue)),
  );
  if (problems.length > 0) throw new ControlRefusal(`${name}: ${problems.join("; ")}.`);
}

const OPTIONS: z.core.ParseContext<z.core.$ZodIssue> = {
  reportInput: true,
  error: ({ code, expected }) =>
    code === "invalid_type" && expected === "string" ? "must be a text" : undefined,
};

function problemOf(whole: string, issue: z.core.$ZodIssue): string {
  const place = issue.path.length > 0 ? issue.path.join(".") : whole;
  if (issue.code === "unrecognized_keys") return `${place} ${issue.message}`;
  return `${place} ${issue.message}, and is ${quoted(issue.input)}`;
}

const shown = (part: unknown): unknown => (typeof part === "symbol" ? part.description : part);

/** A value as its caller would write it, shortened. */
function quoted(value: unknown): string {
  if (value === undefined) return "missing";
  const text = typeof value === "symbol" ? String(value.description) : jsonOf(value);
  return text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text;
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value, (_name, part) => shown(part));
  } catch {
    // The stack of calls ends before thousands of levels do.
    return "too deep";
  }
}

/** Errors whose message is for the person who called. */
const FOR_PEOPLE = [ControlRefusal, StartError, OperatorError] as const;

/** What a caller is told of an error: the message of one that is for people. Any other is a fault, and has its stack. */
export function refusalOf(error: unknown): { readonly refusal: string; readonly stack?: string } {
  if (FOR_PEOPLE.some((kind) => error instanceof kind)) return { refusal: (error as Error).message };
  const [said = ""] = String(error).split("\n");
  const refusal = `The countinghouse failed, by a fault of its own: ${said}`;
  return { refusal, ...(error instanceof Error && error.stack !== undefined && { stack: error.stack }) };
}
