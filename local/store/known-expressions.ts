import { ownMember } from "../../lib/own-member.ts";
import { RecentMap } from "../../lib/recent-map.ts";

/** What a parser of dynalite gets beside the text. It takes the names and values that it meets out of the unused ones. */
export interface ParserContext {
  readonly attrNames?: Readonly<Record<string, string>>;
  readonly attrVals?: Readonly<Record<string, object>>;
  readonly unusedAttrNames: Record<string, unknown>;
  readonly unusedAttrVals: Record<string, unknown>;
}

/** A parser of dynalite. It returns a tree with the names and values of the request, or a text that says what is wrong. */
export interface ExpressionParser {
  parse: (text: string, options: { readonly context: ParserContext }) => object | string;
}

/** In the place of a value in a tree that is kept. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

interface KnownExpression {
  readonly tree: object;
  readonly usedNames: readonly string[];
  readonly usedValues: readonly string[];
}

const KNOWN_MAX = 500;
/** A tree takes much more memory than its text and its names. */
const KEY_LENGTH_MAX = 2_000;

/** Operators whose values, not only their types, decide whether an expression is right. */
const JUDGES_VALUES = /between|attribute_type/i;

/**
 * Lets a parser keep the trees of expressions that it parsed lately, because programs send a few texts again and again
 * with other values. A tree depends on the text, the names, and the types of the values; each request gets a copy of
 * its own, with its own values.
 */
export function keepTrees(parser: ExpressionParser): void {
  const { parse } = parser;
  const known = new RecentMap<string, KnownExpression>(KNOWN_MAX);
  parser.parse = (text, options) => {
    const { attrNames = {}, attrVals = {}, unusedAttrNames, unusedAttrVals } = options.context;
    const values = Object.entries(attrVals);
    const key = JSON.stringify([text, attrNames, values.map(([name, value]) => [name, Object.keys(value)])]);
    if (key.length > KEY_LENGTH_MAX || JUDGES_VALUES.test(text)) return parse(text, options);
    let expression = known.get(key);
    if (expression === undefined) {
      const context = {
        ...options.context,
        unusedAttrNames: { ...attrNames },
        unusedAttrVals: { ...attrVals },
      };
      const tree = parse(text, { ...options, context });
      if (typeof tree === "string") return tree;
      const placeholders = new Map(values.map(([name, value]) => [value, new Placeholder(name)]));
      expression = {
        tree: copyOf(tree, (part) => placeholders.get(part)),
        usedNames: Object.keys(attrNames).filter((name) => !Object.hasOwn(context.unusedAttrNames, name)),
        usedValues: Object.keys(attrVals).filter((name) => !Object.hasOwn(context.unusedAttrVals, name)),
      };
      known.set(key, expression);
    }
    for (const name of expression.usedNames) Reflect.deleteProperty(unusedAttrNames, name);
    for (const name of expression.usedValues) Reflect.deleteProperty(unusedAttrVals, name);
    return copyOf(expression.tree, (part) =>
      part instanceof Placeholder ? ownMember(attrVals, part.name) : undefined,
    );
  };
}

/** A copy of a tree, with another object for each for which `inPlaceOf` gives one. */
function copyOf<Part>(part: Part, inPlaceOf: (part: object) => object | undefined): Part {
  if (typeof part !== "object" || part === null) return part;
  const other = inPlaceOf(part);
  if (other !== undefined) return other as Part;
  if (Array.isArray(part)) return part.map((each: unknown) => copyOf(each, inPlaceOf)) as Part;
  // dynalite looks names up in objects without a prototype.
  const copied = Object.entries(part).map(([name, value]) => [name, copyOf(value, inPlaceOf)]);
  return Object.assign(
    Object.create(Object.getPrototypeOf(part) as object | null),
    Object.fromEntries(copied),
  ) as Part;
}
