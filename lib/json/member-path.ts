/**
 * What stands before a name of digits while its document is an object. The language moves such names before all others
 * and sorts them (ECMA-262 10.1.11.1); with half of a surrogate pair in front, which no name of a document has, they stay.
 */
export const DIGITS_MARK = "\ud800";

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const SHOWN_LENGTH_MAX = 64;
/** A run that could be a card number, with the separators that people write into one. */
const LONG_DIGIT_RUN = /\d(?:[ -]?\d){6,}/g;

function shownName(name: string): string {
  const shown = name.replace(DIGITS_MARK, "").slice(0, SHOWN_LENGTH_MAX).replace(LONG_DIGIT_RUN, "…");
  return PLAIN_NAME.test(shown) ? shown : JSON.stringify(shown);
}

/**
 * A member of a document as a person writes it: `legs[0].counterparty.account_type`. Names come from the document, so
 * a strange one is quoted, cut, and relieved of any long run of digits. The document itself is `the document`.
 */
export function memberPath(path: readonly PropertyKey[]): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else text += `${text === "" ? "" : "."}${shownName(String(step))}`;
  }
  return text === "" ? "the document" : text;
}
