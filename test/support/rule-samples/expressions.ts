import {
  call,
  filter,
  get,
  letters,
  n,
  put,
  query,
  type RuleSamples,
  read,
  s,
  update,
  valuesOf,
} from "./requests.ts";

/** Samples of the rules for the text of expressions, and for the names and values that they refer to. */
export const expressionSamples: Readonly<Record<string, RuleSamples>> = {
  "expressions-exclude-legacy-parameters": {
    breaks: [
      {
        request: put(
          {},
          { ConditionExpression: "attribute_not_exists(a)", Expected: { a: { Exists: false } } },
        ),
        message:
          "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}",
      },
      {
        request: read({ AttributesToGet: ["a"] }),
        message:
          "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributesToGet} Expression parameters: {KeyConditionExpression}",
      },
    ],
    keeps: [put({}, { ConditionExpression: "attribute_not_exists(zz)", Expected: null }), get({})],
  },
  "names-need-expression": {
    breaks: [
      {
        request: get({ ExpressionAttributeNames: { "#a": "a" } }),
        message: "ExpressionAttributeNames can only be specified when using expressions",
      },
    ],
    keeps: [get({ ExpressionAttributeNames: { "#a": "a" }, ProjectionExpression: "#a" })],
  },
  "values-need-expression": {
    breaks: [
      {
        request: put({}, { ExpressionAttributeValues: { ":v": s("x") } }),
        message:
          "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null",
      },
      {
        request: update(undefined, { ExpressionAttributeValues: { ":v": s("x") } }),
        message:
          "ExpressionAttributeValues can only be specified when using expressions: UpdateExpression and ConditionExpression are null",
      },
    ],
    keeps: [filter("a = :v", { ":v": s("x") })],
  },
  "names-not-empty": {
    breaks: [
      {
        request: get({ ProjectionExpression: "a", ExpressionAttributeNames: {} }),
        message: "ExpressionAttributeNames must not be empty",
      },
    ],
    keeps: [get({ ProjectionExpression: "a" })],
  },
  "values-not-empty": {
    breaks: [{ request: filter("a = b", {}), message: "ExpressionAttributeValues must not be empty" }],
    keeps: [filter("a = b")],
  },
  "placeholder-length": {
    breaks: [
      {
        request: get({
          ProjectionExpression: `#${letters(255)}`,
          ExpressionAttributeNames: { [`#${letters(255)}`]: "a" },
        }),
        message:
          "ExpressionAttributeNames contains invalid key: The expression attribute map contains a key that is too long; size of key: 256",
      },
      {
        request: filter(`a = :${letters(255)}`, { [`:${letters(255)}`]: s("x") }),
        message:
          "ExpressionAttributeValues contains invalid key: The expression attribute map contains a key that is too long;",
      },
    ],
    keeps: [
      get({
        ProjectionExpression: `#${letters(254)}`,
        ExpressionAttributeNames: { [`#${letters(254)}`]: "a" },
      }),
      filter(`a = :${letters(254)}`, { [`:${letters(254)}`]: s("x") }),
    ],
  },
  "placeholder-form-of-names": {
    breaks: [
      {
        request: get({ ProjectionExpression: "#a", ExpressionAttributeNames: { a: "a" } }),
        message: 'ExpressionAttributeNames contains invalid key: Syntax error; key: "a"',
      },
      {
        request: get({ ProjectionExpression: "#a", ExpressionAttributeNames: { "#a-b": "a" } }),
        message: 'ExpressionAttributeNames contains invalid key: Syntax error; key: "#a-b"',
      },
    ],
    keeps: [get({ ProjectionExpression: "#1_a", ExpressionAttributeNames: { "#1_a": "a-b" } })],
  },
  "placeholder-form-of-values": {
    breaks: [
      {
        request: filter("a = :v", { v: s("x") }),
        message: 'ExpressionAttributeValues contains invalid key: Syntax error; key: "v"',
      },
      {
        request: filter("a = :v", { ":": s("x") }),
        message: 'ExpressionAttributeValues contains invalid key: Syntax error; key: ":"',
      },
    ],
    keeps: [filter("a = :1_v", { ":1_v": s("x") })],
  },
  "named-attribute-not-empty": {
    breaks: [
      {
        request: get({ ProjectionExpression: "#a", ExpressionAttributeNames: { "#a": "" } }),
        message: "ExpressionAttributeNames contains invalid value: Empty attribute name for key #a",
      },
    ],
    keeps: [get({ ProjectionExpression: "#a", ExpressionAttributeNames: { "#a": " " } })],
  },
  "named-attribute-length": {
    breaks: [
      {
        request: get({ ProjectionExpression: "#a", ExpressionAttributeNames: { "#a": letters(65_536) } }),
        message: "1 validation error detected: Attribute name is too large, must be less than 65536 bytes",
      },
    ],
    keeps: [get({ ProjectionExpression: "#a", ExpressionAttributeNames: { "#a": letters(65_535) } })],
  },
  "substitution-total": {
    breaks: [
      {
        request: filter("a IN (:a, :b)", { ":a": s(letters(1_048_576)), ":b": s(letters(1_048_573)) }),
        message: "ExpressionAttributeValues exceeds max size",
      },
    ],
    keeps: [filter("a IN (:a, :b)", { ":a": s(letters(1_048_576)), ":b": s(letters(1_048_572)) })],
  },
  "expression-not-empty": {
    breaks: [
      {
        request: get({ ProjectionExpression: "" }),
        message: "Invalid ProjectionExpression: The expression can not be empty;",
      },
      { request: update(""), message: "Invalid UpdateExpression: The expression can not be empty;" },
      {
        request: call("Query", { TableName: "wide", KeyConditionExpression: "" }),
        message: "Invalid KeyConditionExpression: The expression can not be empty;",
      },
    ],
    keeps: [get({ ProjectionExpression: "a" }), update(undefined)],
  },
  "expression-length": {
    breaks: [
      {
        request: filter(`a ${" ".repeat(4090)} = :v`, { ":v": s("x") }),
        message:
          "Invalid FilterExpression: Expression size has exceeded the maximum allowed size; expression size: 4097",
      },
      {
        request: get({ ProjectionExpression: letters(4097) }),
        message:
          "Invalid ProjectionExpression: Expression size has exceeded the maximum allowed size; expression size: 4097",
      },
    ],
    keeps: [
      filter(`a ${" ".repeat(4089)} = :v`, { ":v": s("x") }),
      get({ ProjectionExpression: letters(4096) }),
    ],
  },
  "expression-syntax": {
    breaks: [
      {
        request: update("INVALID SYNTAX HERE"),
        message: 'Invalid UpdateExpression: Syntax error; token: "INVALID", near: "INVALID SYNTAX"',
      },
      {
        request: get({ ProjectionExpression: "!!! INVALID !!!" }),
        message: 'Invalid ProjectionExpression: Syntax error; token: "!", near: "!!"',
      },
      {
        request: filter("attribute_not_exists("),
        message: 'Invalid FilterExpression: Syntax error; token: "<EOF>", near: "("',
      },
      {
        request: filter("a = :v AND b", { ":v": s("x") }),
        message: 'Invalid FilterExpression: Syntax error; token: "<EOF>", near: "b"',
      },
    ],
    keeps: [
      filter("  nOt (a=:v)AND attribute_exists (b.c[1])oR d<>:v", { ":v": s("x") }),
      update("set a=(if_not_exists(b, :v))remove c, e add f :v delete g :w", {
        Key: { pk: s("syntax") },
        ExpressionAttributeValues: { ":v": n("1"), ":w": { SS: ["x"] } },
      }),
    ],
  },
  "written-names-begin-with-a-letter": {
    breaks: [
      {
        request: update("SET _123 = :v", { ExpressionAttributeValues: { ":v": s("x") } }),
        message: 'Invalid UpdateExpression: Syntax error; token: "_", near: "SET _123"',
      },
      {
        request: filter("attribute_exists(a._b)"),
        message: 'Invalid FilterExpression: Syntax error; token: "_", near: "._b"',
      },
    ],
    keeps: [
      update("SET a_1 = :_v, #_b = :_v", {
        ExpressionAttributeNames: { "#_b": "_b" },
        ExpressionAttributeValues: { ":_v": s("x") },
      }),
    ],
  },
  "redundant-parentheses": {
    breaks: [
      {
        request: filter("((attribute_not_exists(a)))"),
        message: "Invalid FilterExpression: The expression has redundant parentheses;",
      },
      {
        request: query("((pk = :k)) AND sk = :k", { ":k": s("k") }),
        message: "Invalid KeyConditionExpression: The expression has redundant parentheses;",
      },
    ],
    keeps: [filter("(attribute_not_exists(a))"), query("((pk = :k) AND (sk = :k))", { ":k": s("k") })],
  },
  "reserved-words": {
    breaks: [
      {
        request: get({ ProjectionExpression: "Name" }),
        message: "Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: Name",
      },
      {
        request: filter("a.zone = :v", { ":v": s("x") }),
        message: "Invalid FilterExpression: Attribute name is a reserved keyword; reserved keyword: zone",
      },
    ],
    keeps: [
      get({ ProjectionExpression: "#n", ExpressionAttributeNames: { "#n": "name" } }),
      get({ ProjectionExpression: "nam, zonee" }),
    ],
  },
  "defined-names": {
    breaks: [
      {
        request: filter("#missing = :v", { ":v": s("x") }),
        message:
          "Invalid FilterExpression: An expression attribute name used in the document path is not defined; attribute name: #missing",
      },
      {
        request: get({ ProjectionExpression: "a.#b", ExpressionAttributeNames: { "#a": "a" } }),
        message:
          "Invalid ProjectionExpression: An expression attribute name used in the document path is not defined; attribute name: #b",
      },
    ],
    keeps: [get({ ProjectionExpression: "a.#b", ExpressionAttributeNames: { "#b": "b" } })],
  },
  "defined-values": {
    breaks: [
      {
        request: filter("a = :missing"),
        message:
          "Invalid FilterExpression: An expression attribute value used in expression is not defined; attribute value: :missing",
      },
      {
        request: update("SET a = :v"),
        message:
          "Invalid UpdateExpression: An expression attribute value used in expression is not defined; attribute value: :v",
      },
      {
        request: put({}, { ConditionExpression: "attribute_not_exists(zz) OR a = :missing" }),
        message:
          "Invalid ConditionExpression: An expression attribute value used in expression is not defined; attribute value: :missing",
      },
    ],
    keeps: [filter("a = :v", { ":v": s("x") })],
  },
  "operator-count": {
    breaks: [
      {
        request: filter(`a<b${" or a<b".repeat(150)}`),
        message: "Invalid FilterExpression: The expression contains too many operators; operator count: 301",
      },
    ],
    keeps: [filter(`a<b${" or a<b".repeat(149)}`)],
  },
  "in-operands": {
    breaks: [
      {
        request: filter(`a IN (${Object.keys(valuesOf(101)).join()})`, valuesOf(101)),
        message:
          "Invalid FilterExpression: The IN operator is provided with too many operands; number of operands: 101",
      },
    ],
    keeps: [filter(`a IN (${Object.keys(valuesOf(100)).join()})`, valuesOf(100))],
  },
  "used-names": {
    breaks: [
      {
        request: get({ ProjectionExpression: "a", ExpressionAttributeNames: { "#x": "x" } }),
        message: "Value provided in ExpressionAttributeNames unused in expressions: keys: {#x}",
      },
    ],
    keeps: [
      read({
        ProjectionExpression: "#a",
        FilterExpression: "#b = :k",
        ExpressionAttributeNames: { "#a": "a", "#b": "b" },
      }),
    ],
  },
  "used-values": {
    breaks: [
      {
        request: filter("a = :v", { ":v": s("x"), ":w": s("y"), ":z": s("z") }),
        message: "Value provided in ExpressionAttributeValues unused in expressions: keys: {:w, :z}",
      },
    ],
    keeps: [
      update("REMOVE a", {
        ConditionExpression: "attribute_not_exists(zz) OR a = :v",
        ExpressionAttributeValues: { ":v": s("x") },
      }),
    ],
  },
};
