/** What an option must be. */
export interface Rule {
  /** In words, after "must be". */
  readonly words: string;
  readonly isKept: (value: unknown) => boolean;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

export const anObject: Rule = { words: "an object", isKept: isObject };

export const aText: Rule = { words: "text", isKept: (value) => typeof value === "string" };

/** An iterator gives its texts once, and a text its letters. */
export const manyTexts: Rule = {
  words: "an array or a Set of texts, or what else gives them again and again",
  isKept: (value) =>
    isObject(value) &&
    Symbol.iterator in value &&
    !Object.is((value as Iterable<string>)[Symbol.iterator](), value),
};

export const aFunction: Rule = { words: "a function", isKept: (value) => typeof value === "function" };

/** The name of a header (RFC 9110 5.6.2), or a part of one. */
export const aHeaderName: Rule = {
  words: "a header's name",
  isKept: (value) => typeof value === "string" && /^[\w!#$%&'*+.^`|~-]+$/.test(value),
};

/** A value of a header, as fetch sends it. */
export const aHeaderValue: Rule = {
  words: "text that a header can carry, and not empty",
  isKept: (value) =>
    typeof value === "string" && /^[\x21-\x7e\x80-\xff]+(?: +[\x21-\x7e\x80-\xff]+)*$/.test(value),
};

export const aSignal: Rule = {
  words: "an AbortSignal",
  isKept: (value) => isObject(value) && "aborted" in value && "addEventListener" in value,
};

/** A number between two others, both included. */
export const aNumber = (least: number, most: number): Rule => ({
  words: `a number from ${least} to ${most}`,
  isKept: (value) => typeof value === "number" && value >= least && value <= most,
});

/** A rule that also refuses an option which is left out. */
export const needed = ({ words, isKept }: Rule): Rule & { readonly isNeeded: true } => ({
  words,
  isKept,
  isNeeded: true,
});

/**
 * Holds options to their rules. One that is undefined counts as left out.
 *
 * @param within what the options belong to, such as `retry`.
 * @throws {TypeError} that names the first option which breaks its rule.
 */
export function holdTo(
  rules: Readonly<Record<string, Rule & { readonly isNeeded?: true }>>,
  options: unknown,
  within?: string,
): void {
  if (!isObject(options)) throw broken(within ?? "options", anObject);
  for (const [name, rule] of Object.entries(rules)) {
    const value = (options as Readonly<Record<string, unknown>>)[name];
    const isKept = value === undefined ? rule.isNeeded !== true : rule.isKept(value);
    if (!isKept) throw broken(within === undefined ? name : `${within}.${name}`, rule);
  }
}

const broken = (name: string, { words }: Rule): TypeError => new TypeError(`${name}: must be ${words}.`);
