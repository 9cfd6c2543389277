import { describe, expect, test } from "vitest";
import { parseCondition } from "../../../../local/store/expression/condition.ts";
import { parseProjection } from "../../../../local/store/expression/operand.ts";
import { isReserved } from "../../../../local/store/expression/reserved-words.ts";
import type { Node } from "../../../../local/store/expression/syntax-tree.ts";
import { parseUpdate } from "../../../../local/store/expression/update.ts";

/** A tree as one line, each operation in parentheses with its operator first. */
function shown(node: Node | undefined): string {
  if (node === undefined) return "-";
  if (node.kind === "value") return node.placeholder;
  if (node.kind === "path") {
    return node.steps.map((step) => (typeof step === "number" ? `[${step}]` : step)).join(".");
  }
  const operands = node.operands.map(shown).join(" ");
  return node.kind === "function" ? `${node.name}<${operands}>` : `(${node.operator} ${operands})`;
}

const condition = (text: string) => shown(parseCondition(text).root);

describe("conditions", () => {
  test.each([
    ["a = :v", "(= a :v)"],
    [":v<>#a", "(<> :v #a)"],
    ["a=:v OR b=:v AND c=:v", "(OR (= a :v) (AND (= b :v) (= c :v)))"],
    ["(a=:v OR b=:v) AND c=:v", "(AND (OR (= a :v) (= b :v)) (= c :v))"],
    ["NOT a=:v AND b=:v", "(AND (NOT (= a :v)) (= b :v))"],
    ["NOT (a=:v AND b=:v)", "(NOT (AND (= a :v) (= b :v)))"],
    ["NOT NOT a=:v", "(NOT (NOT (= a :v)))"],
    ["a BETWEEN :x AND :y AND b=:v", "(AND (BETWEEN a :x :y) (= b :v))"],
    ["a IN (:x, b, :y)", "(IN a :x b :y)"],
    ["size(a.b[0]) >= :n", "(>= size<a.b.[0]> :n)"],
    ["attribute_exists (#a.b)", "attribute_exists<#a.b>"],
    ["(a) = (:v)", "(= a :v)"],
    ["a between :x and :y or not b in (:v)", "(OR (BETWEEN a :x :y) (NOT (IN b :v)))"],
    ["\ta\r\n=\n:v ", "(= a :v)"],
  ])("%s is read as %s", (text, tree) => {
    expect(condition(text)).toBe(tree);
  });

  test.each([
    ["((a = :v))", true],
    ["((a = :v) AND b = :v)", false],
    ["(a = :v) AND ((b = :v))", true],
    ["((a)) = :v", true],
    ["(a) = :v", false],
    ["(NOT (a = :v))", false],
  ])("%s has redundant parentheses: %s", (text, redundant) => {
    expect(parseCondition(text).hasRedundantParentheses).toBe(redundant);
  });

  test.each([
    ["a", 'token: "<EOF>", near: "a"'],
    [":v", 'token: "<EOF>", near: ":v"'],
    ["a = :v b", 'token: "b", near: ":v b"'],
    ["a == :v", 'token: "=", near: "== :v"'],
    ["a != :v", 'token: "!", near: "a !="'],
    ["a IN ()", 'token: ")", near: "()"'],
    ["(a = :v", 'token: "<EOF>", near: ":v"'],
    ["a = :v)", 'token: ")", near: ":v)"'],
    ["a = (b = c)", 'token: "<EOF>", near: ")"'],
    ["a AND b = :v", 'token: "AND", near: "a AND b"'],
    ["a[b] = :v", 'token: "b", near: "[b]"'],
    ["a. = :v", 'token: "=", near: ". = :v"'],
    ["# = :v", 'token: "#", near: "# ="'],
    ["1a = :v", 'token: "1", near: "1a"'],
  ])("%s is refused with %s", (text, message) => {
    expect(() => parseCondition(text)).toThrow(`Syntax error; ${message}`);
  });

  test.each([
    "(".repeat(4096),
    `${"(".repeat(2000)}a=:v${")".repeat(2000)}`,
    "not ".repeat(1023),
    `a < ${"f(".repeat(1355)}b${")".repeat(1355)}`,
  ])("the deepest text within 4 KB is refused, without a stack overflow", (text) => {
    expect(() => parseCondition(text)).toThrow("Syntax error");
  });

  test("300 nested operators are not too deep", () => {
    expect(parseCondition(`a<b${" or (a<b".repeat(149)}${")".repeat(149)}`).nodes).toHaveLength(
      150 * 3 + 149,
    );
  });
});

describe("updates", () => {
  const update = (text: string) =>
    parseUpdate(text).actions.map(
      ({ section, path, operand }) => `${section} ${shown(path)} ${shown(operand)}`,
    );

  test.each([
    ["SET a = :v", ["SET a :v"]],
    ["set a = b + :v, #c.d[1] = list_append(:l, c)", ["SET a (+ b :v)", "SET #c.d.[1] list_append<:l c>"]],
    ["SET a = if_not_exists(a, :z) - :v", ["SET a (- if_not_exists<a :z> :v)"]],
    ["REMOVE a, b[0] ADD c :v DELETE d :w", ["REMOVE a -", "REMOVE b.[0] -", "ADD c :v", "DELETE d :w"]],
    ["SET a = (b + c)", ["SET a (+ b c)"]],
  ])("%s is read as %j", (text, actions) => {
    expect(update(text)).toEqual(actions);
  });

  test("a section that is written twice is listed twice", () => {
    expect(parseUpdate("SET a = :v REMOVE b SET c = :v").sections).toEqual(["SET", "REMOVE", "SET"]);
  });

  test.each([
    "SET a = :x + :y + :z",
    "SET :a = :b",
    "ADD a b",
    "SET a = :v, REMOVE b",
    "HELLO a = :v",
    "SET",
    "SET a.b[] = :v",
  ])("%s is not an update", (text) => {
    expect(() => parseUpdate(text)).toThrow("Syntax error");
  });
});

describe("projections", () => {
  test("paths are separated by commas", () => {
    expect(parseProjection(" a ,#b.c[2][3].d").paths.map(shown)).toEqual(["a", "#b.c.[2].[3].d"]);
  });

  test.each(["a,", ",a", "a,,b", "a b", "a(b)", ":v"])("%s is not a projection", (text) => {
    expect(() => parseProjection(text)).toThrow("Syntax error");
  });
});

test("a word is reserved in any letter case, and only as a whole", () => {
  expect(["NAME", "name", "Ttl", "zone", "ABORT"].filter(isReserved)).toHaveLength(5);
  expect(["nam", "names2", "doc", "pk", ""].filter(isReserved)).toEqual([]);
});
