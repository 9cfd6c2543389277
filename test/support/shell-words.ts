/** A word of a command line: plain, or with parts in quotes; a backslash keeps the next character. */
const WORD = /(?:[^\s"'\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/gs;
const PART = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^"'\\]+)/gs;

const wordOf = (written: string): string =>
  Array.from(written.matchAll(PART), ([, single, double, escaped, plain]) =>
    double === undefined ? (single ?? escaped ?? plain) : double.replace(/\\([\\"$`])/g, "$1"),
  ).join("");

/** The words that a POSIX shell makes of a command line, up to a comment, a redirection or the next command. Variables stay as they are. */
export function shellWords(line: string): string[] {
  const words = Array.from(line.matchAll(WORD), ([written]) => written);
  const end = words.findIndex((word) => /^(?:#|[<>|;&])/.test(word));
  return (end < 0 ? words : words.slice(0, end)).map(wordOf);
}
