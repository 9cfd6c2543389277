import type * as z from "zod/mini";
import { ControlRefusal } from "../../local/control/control-route.ts";
import { type Call, doors } from "./doors.ts";

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

function problemOf(parameter: string, issue: z.core.$ZodIssue): string {
  const place = [parameter, ...issue.path].join(".");
  if (issue.code === "unrecognized_keys") return `${place} ${issue.message}`;
  return `${place} ${issue.message}, and is ${quoted(issue.input)}`;
}

const shown = (part: unknown): unknown => (typeof part === "symbol" ? part.description : part);

/** A value as its caller would write it, shortened. */
function quoted(value: unknown): string {
  if (value === undefined) return "missing";
  const text =
    typeof value === "symbol"
      ? String(value.description)
      : JSON.stringify(value, (_name, part) => shown(part));
  return text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text;
}
