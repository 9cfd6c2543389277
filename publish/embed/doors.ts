import * as z from "zod/mini";
import { brokenInstantRule, epochMsOf } from "../../client/src/instant.ts";
import { corsOriginSchema } from "../../infra/cors-origin.ts";
import { brandMembers } from "../../lib/brand.ts";
import { nearestName } from "../../lib/http/nearest-name.ts";
import { isMembers } from "../../lib/json-value.ts";
import { isSymbol } from "../../lib/markets/market.ts";
import { ControlRefusal } from "../../local/control/control-route.ts";
import { faultBounds, wholeWithin } from "../../local/faults/fault-routes.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { END_MS, isMove, MOVE_FORMS } from "../../local/time/time-move.ts";
import { A_FUNCTION } from "./messages.ts";
import type { RecordKind } from "./types.ts";

/** Requests are signed with 13 digits of epoch milliseconds, which September 2001 had first. */
const FIRST_MS = Date.UTC(2002, 0);

/** Rules, by the name of what they hold for. */
type Rules = Readonly<Record<string, z.ZodMiniType>>;

/** The longest text that every key of a table can hold. */
const TEXT_MAX = 250;
const LIFE_S_MAX = 999_999_999;
const MS_RULE = "must be a number of milliseconds from 0 on";
const MOVE_RULE = `must be ${MOVE_FORMS}`;

function textOf(what: string): z.ZodMiniType<string> {
  const rule = `must be ${what}, a text of 1 to ${TEXT_MAX} characters`;
  // zod's own rules of length read the length of whatever is given.
  return z.string(rule).check(z.refine((text) => text.length >= 1 && text.length <= TEXT_MAX, rule));
}

/** An object that may have these members, and no others. */
function membersOf(shape: Rules): z.ZodMiniType {
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

const optionals = (shape: Rules): Rules =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, z.optional(schema)]));

const optionsOf = (shape: Rules): z.ZodMiniType => z.optional(membersOf(optionals(shape)));

const worldMembers = {
  now: z.custom((given) => epochMsOf(given) >= FIRST_MS && epochMsOf(given) < END_MS, {
    error: ({ input }) =>
      Number.isNaN(epochMsOf(input)) ? brokenInstantRule(input) : "must be an instant from 2002 to 2098",
  }),
  demo: z.boolean("must be true or false"),
  tomorrow: z.boolean("must be true or false"),
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
  expiresInS: wholeWithin(-LIFE_S_MAX, LIFE_S_MAX),
  audience: textOf("an audience"),
};

const { times, oneIn, forMs, delayMs } = faultBounds;
const faultMembers = { times, oneIn, byMs: delayMs, forMs };

const RECORDS_RULE =
  "must be an array of objects, or a text with one document a line, which keeps every digit";

/** A double keeps every number of so many digits. */
const DIGITS_MAX = 15;
const DIGITS_RULE = `must have ${DIGITS_MAX} digits at most in an object, because JavaScript rounds longer numbers (give the records as text, which keeps every digit)`;

/** Whether a JavaScript number may be another one than was written. */
const isRounded = (value: number): boolean =>
  Math.abs(value) > Number.MAX_SAFE_INTEGER || Number(value.toPrecision(DIGITS_MAX)) !== value;

/** The first part of records that would not be kept as it was written; undefined where there is none. */
function findLost(
  input: unknown,
  path: readonly string[] = [],
): { input: unknown; path: string[]; message: string } | undefined {
  // What JSON cannot write has arrived as a symbol.
  if (typeof input === "symbol") return { input, path: [...path], message: "must be what JSON can write" };
  if (typeof input === "number" && isRounded(input)) return { input, path: [...path], message: DIGITS_RULE };
  if (typeof input !== "object" || input === null) return undefined;
  for (const [name, part] of Object.entries(input)) {
    const found = findLost(part, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

const records = z
  .union([z.string(), z.array(z.custom(isMembers))], RECORDS_RULE)
  .check(({ value, issues }) => {
    const found = findLost(value);
    if (found !== undefined) issues.push({ code: "custom", ...found });
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
/** The kinds of records that can be imported. */
export const recordKinds = [...orders.keys()] as RecordKind[];

const endpoint = textOf("an endpoint's name, route or path");
const step = { id: textOf("a record's id"), to: z.optional(textOf("a state")) };
const fault = { endpoint, kind: textOf("a fault's name") };

/**
 * The rules of each call's arguments, by the call's name and theirs. An object of options is named by its place, because
 * callers name its members alone.
 */
export const doors = {
  startCountinghouse: { "the first argument": optionsOf(houseMembers) },
  world: { name: textOf("the world's name"), "the second argument": optionsOf(worldMembers) },
  close: {},
  end: {},
  reset: {},
  passTime: { ms: z.number(MS_RULE).check(z.gte(0, MS_RULE)) },
  issueToken: { "the first argument": optionsOf(tokenMembers) },
  importRecords: {
    kind: z.custom((kind) => orders.has(kind), `must be one of ${recordKinds.join(", ")}`),
    "the second argument": z.unknown(),
  },
  advance: step,
  fault: { ...fault, "the third argument": optionsOf(faultMembers) },
  clearFaults: { endpoint: z.optional(endpoint) },
} as const satisfies Record<string, Rules>;

/** A call of a house or of a world. */
export type Call = keyof typeof doors;

const { seed, now, demo, tomorrow } = houseMembers;

/** The rule of the body of each request that opens or steers a world, by its path. */
const bodies = new Map<string, z.ZodMiniType>([
  ["worlds", membersOf(optionals({ seed, now, demo, tomorrow }))],
  ["time", membersOf({ to: z.string(MOVE_RULE).check(z.refine(isMove, MOVE_RULE)) })],
  ["advance", membersOf(step)],
  ["fault", membersOf({ ...fault, ...optionals(faultMembers) })],
  ["token", membersOf(optionals(tokenMembers))],
  ...recordKinds.map((kind) => [`import/${kind}`, orders.get(kind) as z.ZodMiniType] as const),
]);

const QUOTED_MAX = 80;

/**
 * Checks the arguments of a call, before anything is done with them.
 *
 * @throws {ControlRefusal} that names each argument that cannot be followed, what it must be, and what was given.
 */
export function checkArguments(call: Call, given: readonly unknown[]): void {
  // What is imported follows from its kind.
  const order = call === "importRecords" ? orders.get(given[0]) : undefined;
  const rules: Rules = { ...doors[call], ...(order !== undefined && { "the second argument": order }) };
  const checks = Object.entries(rules).map(([name, rule], at) => problemsOf(name, rule, given[at]));
  refuseProblems(call, checks.flat());
}

/** Checks the body of a request, as an object of its members. @throws {ControlRefusal} as {@link checkArguments} does. */
export function checkBody(path: string, body: unknown): void {
  refuseProblems(path, problemsOf("the body", bodies.get(path) ?? z.unknown(), body));
}

function refuseProblems(asked: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new ControlRefusal(`${asked}: ${problems.join("; ")}.`, 400);
}

function problemsOf(name: string, rule: z.ZodMiniType, given: unknown): readonly string[] {
  const { error } = rule.safeParse(given, OPTIONS);
  return (error?.issues ?? []).map((issue) => problemOf(name, issue));
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

/** A value as its caller would write it, shortened. */
function quoted(value: unknown): string {
  if (value === undefined) return "missing";
  const text = typeof value === "symbol" ? String(value.description) : jsonOf(value);
  return text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text;
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value, (_name, part) => (typeof part === "symbol" ? part.description : part));
  } catch {
    // The stack of calls ends before thousands of levels do.
    return "too deep";
  }
}

/** What a caller is told of an error: the message of one that is for people. Any other is a fault, and has its stack. */
export function refusalOf(error: unknown): { status: number; refusal: string; stack?: string } {
  if (error instanceof ControlRefusal) return { status: error.status, refusal: error.message };
  if (error instanceof OperatorError) return { status: 409, refusal: error.message };
  const [said = ""] = String(error).split("\n");
  const refusal = `The countinghouse failed, by a fault of its own: ${said}`;
  const stack = error instanceof Error ? error.stack : undefined;
  return { status: 500, refusal, ...(stack !== undefined && { stack }) };
}
