/** Characters that a terminal acts on or that mislead a reader: control, format, line and paragraph characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A foreign text as a terminal or a file may show it, with each such character written as an escape. */
export const printable = (text: string): string =>
  text.replace(UNPRINTABLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
