import { b, filter, get, n, type RuleSamples, s, scan, update } from "./requests.ts";

/** Samples of the rules for operands and paths. */
export const operandSamples: Readonly<Record<string, RuleSamples>> = {
  "known-functions": {
    breaks: [
      {
        request: filter("dog(a)"),
        message: "Invalid FilterExpression: Invalid function name; function: dog",
      },
      {
        request: update("SET a = size(b)"),
        message: "Invalid UpdateExpression: Invalid function name; function: size",
      },
    ],
    keeps: [filter("begins_with(a, :v)", { ":v": s("x") })],
  },
  "function-letter-case": {
    breaks: [
      {
        request: filter("BEGINS_WITH(a, :v)", { ":v": s("x") }),
        message: "Invalid FilterExpression: Invalid function name; function: BEGINS_WITH",
      },
    ],
    keeps: [filter("begins_with(a, :v)", { ":v": s("x") })],
  },
  "functions-in-place": {
    breaks: [
      {
        request: filter("size(a)"),
        message:
          "Invalid FilterExpression: The function is not allowed to be used this way in an expression; function: size",
      },
      {
        request: filter("attribute_exists(a) = :v", { ":v": { BOOL: true } }),
        message:
          "Invalid FilterExpression: The function is not allowed to be used this way in an expression; function: attribute_exists",
      },
    ],
    keeps: [filter("size(a) = :v AND attribute_exists(a)", { ":v": n("1") })],
  },
  "operand-count": {
    breaks: [
      {
        request: filter("begins_with(a)"),
        message:
          "Invalid FilterExpression: Incorrect number of operands for operator or function; operator or function: begins_with, number of operands: 1",
      },
      {
        request: filter("attribute_exists(a, b)"),
        message:
          "Invalid FilterExpression: Incorrect number of operands for operator or function; operator or function: attribute_exists, number of operands: 2",
      },
      {
        request: update("SET a = list_append(b)"),
        message:
          "Invalid UpdateExpression: Incorrect number of operands for operator or function; operator or function: list_append, number of operands: 1",
      },
    ],
    keeps: [filter("begins_with(a, :v) AND attribute_exists(a)", { ":v": s("x") })],
  },
  "path-operands": {
    breaks: [
      {
        request: filter("attribute_exists(:v)", { ":v": s("x") }),
        message:
          "Invalid FilterExpression: Operator or function requires a document path; operator or function: attribute_exists",
      },
      {
        request: update("SET a = if_not_exists(:v, :v)", { ExpressionAttributeValues: { ":v": s("x") } }),
        message:
          "Invalid UpdateExpression: Operator or function requires a document path; operator or function: if_not_exists",
      },
    ],
    keeps: [update("SET a = if_not_exists(a, :v)", { ExpressionAttributeValues: { ":v": s("x") } })],
  },
  "distinct-operands": {
    breaks: [
      {
        request: filter("contains(data1, data1)"),
        message:
          "Invalid FilterExpression: The first operand must be distinct from the remaining operands for this operator or function; operator: contains, first operand: [data1]",
      },
      {
        request: scan({ FilterExpression: "#a.b[0] = a.b[0]", ExpressionAttributeNames: { "#a": "a" } }),
        message:
          "Invalid FilterExpression: The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [a, b, [0]]",
      },
    ],
    keeps: [filter("contains(a, c) OR a.b[0] = a.b[1]"), filter("a = :v OR :v = :v", { ":v": s("x") })],
  },
  "operand-types-of-comparisons": {
    breaks: [
      {
        request: filter("a < :v", { ":v": { L: [] } }),
        message:
          "Invalid FilterExpression: Incorrect operand type for operator or function; operator or function: <, operand type: L",
      },
      {
        request: filter(":v >= a", { ":v": { BOOL: true } }),
        message:
          "Invalid FilterExpression: Incorrect operand type for operator or function; operator or function: >=, operand type: BOOL",
      },
      {
        request: filter("a BETWEEN :v AND :w", { ":v": { L: [s("a")] }, ":w": { L: [s("b")] } }),
        message:
          "Invalid FilterExpression: Incorrect operand type for operator or function; operator or function: BETWEEN, operand type: L",
      },
    ],
    keeps: [
      filter("a < :v OR a < :w OR a < :x", { ":v": s("a"), ":w": n("1"), ":x": b(1) }),
      filter("a = :v OR a <> :v OR a IN (:v)", { ":v": { L: [] } }),
    ],
  },
  "operand-types-of-functions": {
    breaks: [
      {
        request: filter("begins_with(a, :v)", { ":v": n("5") }),
        message:
          "Invalid FilterExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N",
      },
      {
        request: filter("size(:v) = :v", { ":v": n("5") }),
        message:
          "Invalid FilterExpression: Incorrect operand type for operator or function; operator or function: size, operand type: N",
      },
      {
        request: update("SET a = :v + :v", { ExpressionAttributeValues: { ":v": s("x") } }),
        message:
          "Invalid UpdateExpression: Incorrect operand type for operator or function; operator or function: +, operand type: S",
      },
      {
        request: update("SET a = list_append(:v, :v)", { ExpressionAttributeValues: { ":v": s("x") } }),
        message:
          "Invalid UpdateExpression: Incorrect operand type for operator or function; operator or function: list_append, operand type: S",
      },
    ],
    keeps: [
      filter("begins_with(a, :v) OR begins_with(:w, a)", { ":v": s("x"), ":w": b(1) }),
      filter("size(a) = :w", { ":w": n("1") }),
      update("SET a = :n + :n, c = list_append(:l, :l)", {
        ExpressionAttributeValues: { ":n": n("1"), ":l": { L: [] } },
      }),
    ],
  },
  "attribute-type-name": {
    breaks: [
      {
        request: filter("attribute_type(a, :v)", { ":v": s("DOG") }),
        message:
          "Invalid FilterExpression: Invalid attribute type name found; type: DOG, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}",
      },
      {
        request: filter("attribute_type(a, :v)", { ":v": n("1") }),
        message:
          "Invalid FilterExpression: Incorrect operand type for operator or function; operator or function: attribute_type, operand type: N",
      },
    ],
    keeps: ["S", "N", "B", "SS", "NS", "BS", "BOOL", "NULL", "L", "M"].map((type) =>
      filter("attribute_type(a, :v)", { ":v": s(type) }),
    ),
  },
  "changed-by-add": {
    breaks: [
      {
        request: update("ADD a :v", { ExpressionAttributeValues: { ":v": s("x") } }),
        message:
          "Invalid UpdateExpression: Incorrect operand type for operator or function; operator: ADD, operand type: STRING",
      },
      {
        request: update("ADD a :v", { ExpressionAttributeValues: { ":v": { L: [] } } }),
        message:
          "Invalid UpdateExpression: Incorrect operand type for operator or function; operator: ADD, operand type: LIST",
      },
    ],
    keeps: [
      update("ADD f :v, ss :w", {
        Key: { pk: s("add") },
        ExpressionAttributeValues: { ":v": n("1"), ":w": { SS: ["x"] } },
      }),
    ],
  },
  "changed-by-delete": {
    breaks: [
      {
        request: update("DELETE a :v", { ExpressionAttributeValues: { ":v": n("1") } }),
        message:
          "Invalid UpdateExpression: Incorrect operand type for operator or function; operator: DELETE, operand type: NUMBER",
      },
    ],
    keeps: [update("DELETE zz :v", { ExpressionAttributeValues: { ":v": { NS: ["1"] } } })],
  },
  "between-bounds": {
    breaks: [
      {
        request: filter("a BETWEEN :b AND :a", { ":a": s("a"), ":b": s("b") }),
        message:
          "Invalid FilterExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}",
      },
      {
        request: filter("a BETWEEN :a AND :b", { ":a": n("10"), ":b": n("9") }),
        message:
          "Invalid FilterExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:10}, upper bound operand: AttributeValue: {N:9}",
      },
      {
        request: filter("a BETWEEN :a AND :b", { ":a": n("1"), ":b": s("2") }),
        message:
          "Invalid FilterExpression: The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:2}",
      },
    ],
    keeps: [
      filter("a BETWEEN :a AND :b", { ":a": n("9"), ":b": n("10") }),
      filter("a BETWEEN :a AND :a", { ":a": s("a") }),
    ],
  },
  "sections-once": {
    breaks: [
      {
        request: update("SET a = :v SET c = :v", { ExpressionAttributeValues: { ":v": s("x") } }),
        message: 'Invalid UpdateExpression: The "SET" section can only be used once in an update expression;',
      },
    ],
    keeps: [update("SET a = :v, c = :v REMOVE d", { ExpressionAttributeValues: { ":v": s("x") } })],
  },
  "updated-paths-apart": {
    breaks: [
      {
        request: update("SET a = :v REMOVE a", { ExpressionAttributeValues: { ":v": s("x") } }),
        message:
          "Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]",
      },
      {
        request: update("REMOVE a.b, a[1]"),
        message:
          "Invalid UpdateExpression: Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a, [1]]",
      },
    ],
    keeps: [update("SET a = :v, c = :v REMOVE ab", { ExpressionAttributeValues: { ":v": s("x") } })],
  },
  "projected-paths-apart": {
    breaks: [
      {
        request: get({ ProjectionExpression: "a, a.b" }),
        message:
          "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]",
      },
      {
        request: get({ ProjectionExpression: "#a, #b", ExpressionAttributeNames: { "#a": "a", "#b": "a" } }),
        message:
          "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]",
      },
      {
        request: get({ ProjectionExpression: "a.b, a[1]" }),
        message:
          "Invalid ProjectionExpression: Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a, [1]]",
      },
    ],
    keeps: [get({ ProjectionExpression: "a.b, a.c, l[0], l[1]" })],
  },
};
