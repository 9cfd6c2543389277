import { looksSecret } from "./secret-look-alike.ts";

const LENGTH_MAX = 80;

/** Characters that a terminal acts on, or that make two labels look alike. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/u;

/**
 * The label of a credential, without white space around it, and with each letter in its shortest form (NFC).
 *
 * @throws {RangeError} with a message for the operator.
 */
export function parseLabel(text: string): string {
  const label = text.trim().normalize("NFC");
  if (label === "" || label.length > LENGTH_MAX || UNPRINTABLE.test(label))
    throw new RangeError(`A label is one line of 1 to ${LENGTH_MAX} printable characters.`);
  if (looksSecret(label))
    throw new RangeError("This looks like a key or a token. Labels are shown to every operator: give words.");
  return label;
}

/** A label, or undefined for the empty text, which takes a label away. @throws {RangeError} as `parseLabel` does. */
export const parseLabelOrNone = (text: string): string | undefined =>
  text.trim() === "" ? undefined : parseLabel(text);
