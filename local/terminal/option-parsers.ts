import { resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import type * as z from "zod/mini";
import { ownMember } from "../../lib/own-member.ts";
import { commands } from "../installation.ts";

/** Environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the address of a DynamoDB engine: scheme, host and port of a URL.
 *
 * @throws {InvalidArgumentError} for anything else.
 */
export function parseEndpoint(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url.origin;
  throw new InvalidArgumentError("It must be a URL such as http://127.0.0.1:8000.");
}

/** A parser for an option that follows a setting's schema. It refuses a bad value in the schema's words. */
export function parserOf<Schema extends z.ZodMiniType>(schema: Schema): (text: string) => z.output<Schema> {
  return (text) => {
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    throw new InvalidArgumentError(`It ${parsed.error.issues.map(({ message }) => message).join(", ")}.`);
  };
}

/** Requires a path. @throws {InvalidArgumentError} for an empty one, such as that of a variable that is not set. */
export function requirePath(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("It must name a directory, and is empty: is a variable not set?");
}

/** Removes empty variables of a command's options from the environment: they count as not set, but commander parses them. */
export function ignoreEmpty({ options }: Command): void {
  for (const { envVar = "" } of options)
    if (ownMember(process.env, envVar) === "") Reflect.deleteProperty(process.env, envVar);
}

/**
 * Resolves a path against the directory in which npm was called, which npm passes on as INIT_CWD: it runs scripts at
 * the top of the project. Without npm, the path stays as it is.
 */
export function resolveForCaller(path: string, script: "start" | "ops", environment: Environment): string {
  const { INIT_CWD, npm_lifecycle_event: running = "" } = environment;
  return commands.scripts[script].includes(running) && INIT_CWD ? resolve(INIT_CWD, path) : path;
}
