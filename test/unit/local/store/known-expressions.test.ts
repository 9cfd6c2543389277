import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { type ExpressionParser, keepTrees } from "../../../../local/store/known-expressions.ts";

const require = createRequire(import.meta.url);

/** A parser of dynalite as it is installed, whatever other tests in this process have made of it. */
function installed(name: string): ExpressionParser {
  const path = require.resolve(`dynalite/db/${name}.js`);
  delete require.cache[path];
  return require(path) as ExpressionParser;
}

interface Asked {
  readonly text: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, object>>;
}

const names = { "#a": "a", "#b": "b" };
const [one, two, text, list] = [{ N: "1" }, { N: "2" }, { S: "S" }, { L: [{ S: "x" }] }];

const conditions: readonly Asked[] = [
  { text: "#a = :v", names: { "#a": "a" }, values: { ":v": one } },
  { text: "#a = :v", names: { "#a": "a" }, values: { ":v": two } },
  { text: "#a = :v", names: { "#a": "other" }, values: { ":v": two } },
  { text: "#a = :v", names, values: { ":v": one, ":unused": two } },
  { text: "#a = :v", names, values: { ":other": one } },
  { text: "#a = :v", values: { ":v": one } },
  { text: "begins_with(#a, :v) AND #b.c[1] IN (:v, :w)", names, values: { ":v": text, ":w": list } },
  { text: "begins_with(#a, :v) AND #b.c[1] IN (:v, :w)", names, values: { ":v": one, ":w": list } },
  { text: "#a BETWEEN :v AND :w", names, values: { ":v": one, ":w": two } },
  { text: "#a between :v AND :w", names, values: { ":v": two, ":w": one } },
  { text: "#a BETWEEN :v AND :w", names, values: { ":v": two, ":w": one } },
  { text: "attribute_type(#a, :v)", names, values: { ":v": text } },
  { text: "attribute_type(#a, :v)", names, values: { ":v": { S: "no type" } } },
  { text: "size(a) > :v OR NOT (b <> :v)", values: { ":v": one } },
  { text: "#a = = :v", names, values: { ":v": one } },
];

const updates: readonly Asked[] = [
  { text: "SET #a = #a + :v, b = :w REMOVE c.d[0]", names, values: { ":v": one, ":w": list } },
  { text: "SET #a = #a + :v, b = :w REMOVE c.d[0]", names, values: { ":v": two, ":w": text } },
  { text: "SET #a = #a + :v, b = :w REMOVE c.d[0]", names, values: { ":v": text, ":w": list } },
  { text: "SET #a = if_not_exists(#b, :v)", names, values: { ":v": one } },
  {
    text: "SET #a = if_not_exists(#b, :v)",
    names: { "#a": "a", "#b": "constructor" },
    values: { ":v": one },
  },
  { text: "ADD #a :v", names, values: { ":v": one } },
  { text: "ADD #a :v", names, values: { ":v": text } },
  { text: "SET #a = :v, #a = :v", names, values: { ":v": one } },
];

/** What a parser makes of an expression, and what it leaves of the unused names and values. */
function outcomeOf(
  parser: ExpressionParser,
  { text: expression, names: attrNames, values: attrVals }: Asked,
) {
  const unused = { unusedAttrNames: { ...attrNames }, unusedAttrVals: { ...attrVals } };
  const context = {
    ...unused,
    ...(attrNames !== undefined && { attrNames }),
    ...(attrVals !== undefined && { attrVals }),
    isReserved: () => false,
    compare: (_: string, first: { N: string }, second: { N: string }) => Number(first.N) > Number(second.N),
  };
  try {
    const made = parser.parse(expression, { context });
    // dynalite ends a request with a wrong expression.
    return typeof made === "string" ? { made } : { made, unused };
  } catch (error) {
    return { made: (error as Error).message };
  }
}

/** dynalite changes trees of key conditions. */
function spoil({ made }: { readonly made: object | string }): void {
  if (typeof made === "object")
    for (const part of Object.values(made)) Object.assign(part, { type: "spoilt" });
}

test.each([
  ["conditionParser", conditions],
  ["updateParser", updates],
])(
  "%s makes of an expression, after any other and again, what it makes of it without kept trees",
  (name, asked) => {
    const plain = installed(name);
    for (const first of asked) {
      const keeping = { ...plain };
      keepTrees(keeping);
      spoil(outcomeOf(keeping, first));
      for (const next of [first, ...asked]) {
        const outcome = outcomeOf(keeping, next);
        expect(outcome, JSON.stringify([first, next])).toStrictEqual(outcomeOf(plain, next));
        spoil(outcome);
      }
    }
  },
);

test("an expression that was parsed with other values is not parsed again", () => {
  let parsed = 0;
  const { parse } = installed("conditionParser");
  const counting: ExpressionParser = {
    parse: (...given) => {
      parsed += 1;
      return parse(...given);
    },
  };
  keepTrees(counting);
  for (const asked of conditions.slice(0, 2)) outcomeOf(counting, asked);
  expect(parsed).toBe(1);
});
