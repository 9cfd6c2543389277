import { randomUUID } from "node:crypto";
import * as z from "zod/mini";

/** A value of a shape that need not be changed. */
export type Given<Value> = Value extends RawJson
  ? Value
  : Value extends readonly (infer Element)[]
    ? readonly Given<Element>[]
    : Value extends object
      ? { readonly [Name in keyof Value]: Given<Value[Name]> }
      : Value;

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
 * A value of the shape as one JSON text on one line. Members that the shape does not have are left out.
 *
 * @throws when the value does not have the shape, which is a fault of the command.
 */
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
