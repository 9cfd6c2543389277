/**
 * Characters that a terminal acts on or that mislead a reader: control and format characters, line and paragraph characters, and
 * code points that are not characters.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Cs}]/gu;

/** A foreign text as a terminal or a file may show it, with each such character written as an escape. */
export const printable = (text: string): string =>
  text.replace(UNPRINTABLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
