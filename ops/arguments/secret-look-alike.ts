/** Longer words of these characters are keys, tokens or hashes, and hardly ever a person's. */
const LONG_WORD = /[A-Za-z0-9+/_=.~-]{32,}/;
/** Random text of some length has capitals, small letters and digits without a break. */
const MIXED_WORD = /(?=[a-z0-9]*[A-Z])(?=[A-Z0-9]*[a-z])(?=[A-Za-z]*\d)[A-Za-z0-9]{20,}/;
const PEM = /PRIVATE KEY|BEGIN [A-Z ]+-----/;

/**
 * Whether a text may contain a key, a token or a password's hash. Texts that operators give are shown to all operators, so
 * one that was pasted by mistake is refused. Short passwords cannot be recognized.
 */
export const looksSecret = (text: string): boolean =>
  LONG_WORD.test(text) || MIXED_WORD.test(text) || PEM.test(text);
