import { printable } from "../printable.ts";

/**
 * The mark before a name of digits while its document is an object. JavaScript moves such names before all others and
 * sorts them (ECMA-262 10.1.11.1), but not behind half of a surrogate pair, which no name of a document has.
 */
export const DIGITS_MARK = "\ud800";

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const SHOWN_LENGTH_MAX = 64;
/** A card number has more digits; the names in the contracts have fewer. */
const DIGITS_SHOWN_MAX = 6;
const DIGIT = /\p{Nd}/gu;
/** The digits of one number, with whatever people write between them. */
const DIGIT_RUN = /\p{Nd}(?:[^\p{L}\p{Nd}]*\p{Nd})*/gu;

const digitsIn = (text: string): number => text.match(DIGIT)?.length ?? 0;

function shownName(name: string, showsDigits: boolean): string {
  const bare = name.replace(DIGITS_MARK, "");
  const shown = (showsDigits ? bare : bare.replace(DIGIT_RUN, "…")).slice(0, SHOWN_LENGTH_MAX);
  return PLAIN_NAME.test(shown) ? shown : printable(JSON.stringify(shown.toWellFormed()));
}

/**
 * A member's path as a person writes it: `legs[0].counterparty.account_type`. Names come from the document, so a
 * strange one is quoted, cut, and written without characters that a terminal would act on. When the names have more
 * than six digits in all, no digit is shown. The document itself is `the document`.
 */
export function memberPath(path: readonly PropertyKey[]): string {
  const names = path.filter((step) => typeof step !== "number").map(String);
  const showsDigits = digitsIn(names.join("")) <= DIGITS_SHOWN_MAX;
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else text += `${text === "" ? "" : "."}${shownName(String(step), showsDigits)}`;
  }
  return text === "" ? "the document" : text;
}

/** A name from a foreign file, such as a column's, by the same rules. */
export const foreignName = (name: string): string => memberPath([name]);
