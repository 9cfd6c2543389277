import type { Credentials } from "./types.ts";

/** One call of a world's method, for the thread that runs the worlds. Texts, so that no object crosses realms. */
export interface HouseCall {
  readonly id: number;
  readonly world: string;
  readonly method: string;
  /** The arguments, as `writeArguments` writes them. */
  readonly given: string;
}

/** An open world, as the test's thread needs to know it. */
export interface OpenedWorld {
  readonly baseUrl: string;
  readonly credentials: Credentials;
}

/** What the thread sends: the outcome of a call, or a line of a world. */
export type HouseMessage =
  | {
      readonly id: number;
      /** What the call resolves with, as JSON; absent for nothing. */
      readonly json?: string;
      /** The memory of an opened world's `ClockShift`. */
      readonly clockShift?: SharedArrayBuffer;
    }
  | {
      readonly id: number;
      readonly refusal: string;
      /** The stack of a failure that no caller could expect. */
      readonly stack?: string;
    }
  | { readonly world: string; readonly line: string };

/** The name of the world that a start opens. */
export const OWN_WORLD = "main";

/** The one member of an object that stands for a value without JSON. */
const MARK = "countinghouse:no-json";

/** What a function arrives as. */
export const A_FUNCTION: unique symbol = Symbol("a function");

/**
 * A call's arguments as JSON. A value that JSON does not have, such as `NaN`, is sent by its name, so that a refusal can
 * quote it.
 *
 * @throws {TypeError} for an object that contains itself.
 */
export const writeArguments = (given: readonly unknown[]): string =>
  JSON.stringify(given, (_name, value: unknown) => {
    const name = nameWithoutJson(value);
    return name === undefined ? value : { [MARK]: name };
  });

/** Reads what `writeArguments` wrote. A value without JSON arrives as a symbol, which its name describes. */
export const readArguments = (text: string): readonly unknown[] =>
  JSON.parse(text, (_name, value: unknown) => {
    if (typeof value !== "object" || value === null || !(MARK in value)) return value;
    if (value[MARK] === "undefined") return undefined;
    return value[MARK] === A_FUNCTION.description ? A_FUNCTION : Symbol(String(value[MARK]));
  });

/** The name of a value that JSON does not have; undefined for any other. */
function nameWithoutJson(value: unknown): string | undefined {
  if (value === undefined) return "undefined";
  if (typeof value === "function") return A_FUNCTION.description;
  if (typeof value === "symbol") return "a symbol";
  if (typeof value === "bigint") return `${value}n`;
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : undefined;
}
