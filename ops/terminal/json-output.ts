import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import * as z from "zod/mini";
import { shapeText } from "./shape-text.ts";

/** The JSON that a command prints on standard output when `--json` is given. */
export interface JsonOutput {
  /** The shape of the one text, or of each line. */
  readonly shape: z.ZodMiniType;
  /** One JSON text on one line, or NDJSON: a JSON text on each line, printed as it comes to be known. */
  readonly form: "text" | "lines";
  /** A value of the shape, for the documents. */
  readonly example?: unknown;
}

/** The output of a command that has no `--json`. */
export interface OwnOutput {
  /** Why it has none, as a sentence for the documents. */
  readonly reason: string;
}

/** A value of a shape that need not be changed. */
export type Given<Value> = Value extends RawJson
  ? Value
  : Value extends readonly (infer Element)[]
    ? readonly Given<Element>[]
    : Value extends object
      ? { readonly [Name in keyof Value]: Given<Value[Name]> }
      : Value;

const outputs = new WeakMap<Command, JsonOutput | OwnOutput>();

/** What is known of a command's output for programs; undefined for a command that said nothing, which a test refuses. */
export const outputOf = (command: Command): JsonOutput | OwnOutput | undefined => outputs.get(command);

/**
 * Adds `--json` to a command, which then prints one JSON text of this shape with `printJson`. Times in it are ISO 8601 in
 * UTC.
 *
 * @param example a value of the shape, for docs/commands.md.
 */
export const addJsonOption = <Shape extends z.ZodMiniType>(
  command: Command,
  shape: Shape,
  example?: Given<z.input<Shape>>,
): Command => remember(command, { shape, form: "text", ...(example !== undefined && { example }) });

/** Adds `--json` to a command that prints NDJSON: each line is a `printJson` of this shape. */
export const addJsonLinesOption = <Shape extends z.ZodMiniType>(
  command: Command,
  shape: Shape,
  example?: Given<z.input<Shape>>,
): Command => remember(command, { shape, form: "lines", ...(example !== undefined && { example }) });

function remember(command: Command, output: JsonOutput): Command {
  outputs.set(command, output);
  const what = output.form === "text" ? "one JSON text" : "JSON lines";
  return command.option("--json", `print ${what}, for programs: ${shapeText(output.shape)}`);
}

/** Adds `--json` where a command's definition has a shape for it. */
export const declareOutput = (
  command: Command,
  output: (Omit<JsonOutput, "form"> & { readonly lines?: true }) | string,
): Command =>
  typeof output === "string"
    ? withoutJson(command, output)
    : remember(command, { ...output, form: output.lines ? "lines" : "text" });

/** Says why a command has no `--json`: its output is a file's, or another protocol's. */
export function withoutJson(command: Command, reason: string): Command {
  outputs.set(command, { reason });
  return command;
}

/** A document whose text is printed as it is, because parsing it would lose digits of its numbers. */
export class RawJson {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get text(): string {
    return this.#text;
  }
}

/** The place of a {@link RawJson} in a shape: a document as it is served or stored, digit by digit. */
export const rawJson = z.custom<RawJson>((value) => value instanceof RawJson);

/** A time in JSON: ISO 8601 in UTC. */
export const jsonTime = z.string().check(z.regex(/^(?:[+-]\d\d)?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/));

/**
 * Prints a value of the shape as one JSON text on one line of standard output, where with `--json` nothing else may be.
 * Members that the shape does not have are left out.
 *
 * @throws when the value does not have the shape, which is a fault of the command.
 */
export const printJson = <Shape extends z.ZodMiniType>(shape: Shape, value: Given<z.input<Shape>>): void => {
  process.stdout.write(`${jsonText(shape, value)}\n`);
};

/** The text that `printJson` prints, without the end of its line. */
export function jsonText<Shape extends z.ZodMiniType>(shape: Shape, value: Given<z.input<Shape>>): string {
  const checked = z.parse(shape, value);
  const raw: string[] = [];
  // No other text can be taken for the place of a document.
  const mark = randomUUID();
  const text = JSON.stringify(checked, (_, member: unknown) =>
    member instanceof RawJson ? `${mark}#${raw.push(member.text) - 1}` : member,
  );
  if (raw.length === 0) return text;
  return text.replace(new RegExp(`"${mark}#(\\d+)"`, "g"), (_, at: string) => raw[Number(at)] as string);
}
