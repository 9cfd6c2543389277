import * as z from "zod/mini";
import { LoggableError } from "./errors.ts";

/**
 * A function's environment, parsed once before its first request. A missing or malformed variable stops the function at
 * its start, with every problem in one message, which has the names of variables and no value. Nothing else in lib reads
 * `process.env`.
 */
export function readEnv<Schema extends z.ZodMiniType>(
  schema: Schema,
  variables: Readonly<Record<string, string | undefined>> = process.env,
): z.infer<Schema> {
  const parsed = schema.safeParse(variables);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    // zod's own words would name members that only the value has.
    ({ code, path, message }) =>
      `${path.join(".")}: ${code === "unrecognized_keys" ? "has unknown members" : message}`,
  );
  throw new LoggableError(`The environment is not usable. ${problems.join("; ")}`);
}

const ROOT = /(?:^|;)Root=(1-[0-9a-f]{8}-[0-9a-f]{24})(?![0-9a-f])/;

/**
 * The id of the trace that the current invocation belongs to, by which X-Ray finds it; undefined outside of Lambda,
 * which sets this variable anew for each invocation (Lambda developer guide, "Defined runtime environment variables").
 * Nothing of the variable but an id's hexadecimal digits is returned, because a caller may have sent the rest.
 */
export const currentTraceId = (): string | undefined => ROOT.exec(process.env._X_AMZN_TRACE_ID ?? "")?.[1];

const tableName = z.string().check(z.regex(/^[A-Za-z0-9_.-]{3,255}$/, "must be a table name"));

/**
 * What every endpoint's function reads: the stage's name, which sets apart the lines and metrics of stages in one
 * account, and the tables of credentials and kill switches.
 */
export const sharedEnv = {
  STAGE_NAME: z.string().check(z.minLength(1)),
  CREDENTIALS_TABLE: tableName,
  SETTINGS_TABLE: tableName,
} as const;

/** The name of one table, under the variable that the function reads it from. */
export const tableEnv = <Name extends string>(name: Name) =>
  ({ [name]: tableName }) as Record<Name, typeof tableName>;
