/** A text as one word of a POSIX shell: within single quotes, only the single quote itself means something. */
export const shQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
