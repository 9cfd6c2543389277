/** What a terminal would act on, or a reader be misled by: control characters of every kind, and those that turn text around. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A foreign text as a terminal or a file may show it, with what nobody must act on written out. */
export const printable = (text: string): string =>
  text.replace(UNPRINTABLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
