import { b, filter, n, project, type RuleSamples, s, scan, update } from "./requests.ts";

/** Samples of the rules for operands and paths. */
export const operandSamples: Readonly<Record<string, RuleSamples>> = {
  "known-functions": {
    breaks: {
      "Invalid FilterExpression: Invalid function name; function: dog": filter("dog(a)"),
      "Invalid UpdateExpression: Invalid function name; function: size": update("SET a = size(b)"),
    },
    keeps: [filter("begins_with(a, :v)", { ":v": s("x") })],
  },
  "function-letter-case": {
    breaks: {
      "Invalid FilterExpression: Invalid function name; function: BEGINS_WITH": filter("BEGINS_WITH(a, :v)", {
        ":v": s("x"),
      }),
    },
    keeps: [filter("begins_with(a, :v)", { ":v": s("x") })],
  },
  "functions-in-place": {
    breaks: {
      "Invalid FilterExpression: The function is not allowed to be used this way in an expression; function: size":
        filter("size(a)"),
      "Invalid FilterExpression: The function is not allowed to be used this way in an expression; function: attribute_exists":
        filter("attribute_exists(a) = :v", { ":v": { BOOL: true } }),
    },
    keeps: [filter("size(a) = :v AND attribute_exists(a)", { ":v": n("1") })],
  },
  "operand-count": {
    breaks: {
      "Invalid FilterExpression: Incorrect number of operands for operator or function; operator or function: begins_with, number of operands: 1":
        filter("begins_with(a)"),
      "Invalid FilterExpression: Incorrect number of operands for operator or function; operator or function: attribute_exists, number of operands: 2":
        filter("attribute_exists(a, b)"),
      "Invalid UpdateExpression: Incorrect number of operands for operator or function; operator or function: list_append, number of operands: 1":
        update("SET a = list_append(b)"),
    },
    keeps: [filter("begins_with(a, :v) AND attribute_exists(a)", { ":v": s("x") })],
  },
  "path-operands": {
    breaks: {
      "Invalid FilterExpression: Operator or function requires a document path; operator or function: attribute_exists":
        filter("attribute_exists(:v)", { ":v": s("x") }),
      "Invalid UpdateExpression: Operator or function requires a document path; operator or function: if_not_exists":
        update("SET a = if_not_exists(:v, :v)", { ":v": s("x") }),
    },
    keeps: [update("SET a = if_not_exists(a, :v)", { ":v": s("x") })],
  },
  "distinct-operands": {
    breaks: {
      "Invalid FilterExpression: The first operand must be distinct from the remaining operands for this operator or function; operator: contains, first operand: [data1]":
        filter("contains(data1, data1)"),
      "Invalid FilterExpression: The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [a, b, [0]]":
        scan({ FilterExpression: "#a.b[0] = a.b[0]", ExpressionAttributeNames: { "#a": "a" } }),
    },
    keeps: [filter("contains(a, c) OR a.b[0] = a.b[1]"), filter("a = :v OR :v = :v", { ":v": s("x") })],
  },
  "operand-types-of-comparisons": {
    breaks: {
      "Invalid FilterExpression: Incorrect operand type for operator or function; operator or function: <, operand type: L":
        filter("a < :v", { ":v": { L: [] } }),
      "Invalid FilterExpression: Incorrect operand type for operator or function; operator or function: >=, operand type: BOOL":
        filter(":v >= a", { ":v": { BOOL: true } }),
      "Invalid FilterExpression: Incorrect operand type for operator or function; operator or function: BETWEEN, operand type: L":
        filter("a BETWEEN :v AND :w", { ":v": { L: [s("a")] }, ":w": { L: [s("b")] } }),
    },
    keeps: [
      filter("a < :v OR a < :w OR a < :x", { ":v": s("a"), ":w": n("1"), ":x": b(1) }),
      filter("a = :v OR a <> :v OR a IN (:v)", { ":v": { L: [] } }),
    ],
  },
  "operand-types-of-functions": {
    breaks: {
      "Invalid FilterExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N":
        filter("begins_with(a, :v)", { ":v": n("5") }),
      "Invalid FilterExpression: Incorrect operand type for operator or function; operator or function: size, operand type: N":
        filter("size(:v) = :v", { ":v": n("5") }),
      "Invalid UpdateExpression: Incorrect operand type for operator or function; operator or function: +, operand type: S":
        update("SET a = :v + :v", { ":v": s("x") }),
      "Invalid UpdateExpression: Incorrect operand type for operator or function; operator or function: list_append, operand type: S":
        update("SET a = list_append(:v, :v)", { ":v": s("x") }),
    },
    keeps: [
      filter("begins_with(a, :v) OR begins_with(:w, a)", { ":v": s("x"), ":w": b(1) }),
      filter("size(a) = :w", { ":w": n("1") }),
      update("SET a = :n + :n, c = list_append(:l, :l)", { ":n": n("1"), ":l": { L: [] } }),
    ],
  },
  "attribute-type-name": {
    breaks: {
      "Invalid FilterExpression: Invalid attribute type name found; type: DOG, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}":
        filter("attribute_type(a, :v)", { ":v": s("DOG") }),
      "Invalid FilterExpression: Incorrect operand type for operator or function; operator or function: attribute_type, operand type: N":
        filter("attribute_type(a, :v)", { ":v": n("1") }),
    },
    keeps: ["S", "N", "B", "SS", "NS", "BS", "BOOL", "NULL", "L", "M"].map((type) =>
      filter("attribute_type(a, :v)", { ":v": s(type) }),
    ),
  },
  "changed-by-add": {
    breaks: {
      "Invalid UpdateExpression: Incorrect operand type for operator or function; operator: ADD, operand type: STRING":
        update("ADD a :v", { ":v": s("x") }),
      "Invalid UpdateExpression: Incorrect operand type for operator or function; operator: ADD, operand type: LIST":
        update("ADD a :v", { ":v": { L: [] } }),
    },
    keeps: [update("ADD f :v, ss :w", { ":v": n("1"), ":w": { SS: ["x"] } }, { Key: { pk: s("add") } })],
  },
  "changed-by-delete": {
    breaks: {
      "Invalid UpdateExpression: Incorrect operand type for operator or function; operator: DELETE, operand type: NUMBER":
        update("DELETE a :v", { ":v": n("1") }),
    },
    keeps: [update("DELETE zz :v", { ":v": { NS: ["1"] } })],
  },
  "between-bounds": {
    breaks: {
      "Invalid FilterExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}":
        filter("a BETWEEN :b AND :a", { ":a": s("a"), ":b": s("b") }),
      "Invalid FilterExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:10}, upper bound operand: AttributeValue: {N:9}":
        filter("a BETWEEN :a AND :b", { ":a": n("10"), ":b": n("9") }),
      "Invalid FilterExpression: The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:2}":
        filter("a BETWEEN :a AND :b", { ":a": n("1"), ":b": s("2") }),
    },
    keeps: [
      filter("a BETWEEN :a AND :b", { ":a": n("9"), ":b": n("10") }),
      filter("a BETWEEN :a AND :a", { ":a": s("a") }),
    ],
  },
  "sections-once": {
    breaks: {
      'Invalid UpdateExpression: The "SET" section can only be used once in an update expression;': update(
        "SET a = :v SET c = :v",
        { ":v": s("x") },
      ),
    },
    keeps: [update("SET a = :v, c = :v REMOVE d", { ":v": s("x") })],
  },
  "updated-paths-apart": {
    breaks: {
      "Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]":
        update("SET a = :v REMOVE a", { ":v": s("x") }),
      "Invalid UpdateExpression: Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a, [1]]":
        update("REMOVE a.b, a[1]"),
    },
    keeps: [update("SET a = :v, c = :v REMOVE ab", { ":v": s("x") })],
  },
  "projected-paths-apart": {
    breaks: {
      "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]":
        project("a, a.b"),
      "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]":
        project("#a, #b", { "#a": "a", "#b": "a" }),
      "Invalid ProjectionExpression: Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a, [1]]":
        project("a.b, a[1]"),
    },
    keeps: [project("a.b, a.c, l[0], l[1]")],
  },
};
