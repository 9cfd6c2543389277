import {
  call,
  filter,
  get,
  letters,
  n,
  project,
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
    breaks: {
      "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}":
        put({}, { ConditionExpression: "attribute_not_exists(a)", Expected: { a: { Exists: false } } }),
      "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributesToGet} Expression parameters: {KeyConditionExpression}":
        read({ AttributesToGet: ["a"] }),
    },
    keeps: [put({}, { ConditionExpression: "attribute_not_exists(zz)", Expected: null }), get({})],
  },
  "names-need-expression": {
    breaks: {
      "ExpressionAttributeNames can only be specified when using expressions": get({
        ExpressionAttributeNames: { "#a": "a" },
      }),
    },
    keeps: [get({ ExpressionAttributeNames: { "#a": "a" }, ProjectionExpression: "#a" })],
  },
  "values-need-expression": {
    breaks: {
      "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null":
        put({}, { ExpressionAttributeValues: { ":v": s("x") } }),
      "ExpressionAttributeValues can only be specified when using expressions: UpdateExpression and ConditionExpression are null":
        update(undefined, { ":v": s("x") }),
    },
    keeps: [filter("a = :v", { ":v": s("x") })],
  },
  "names-not-empty": {
    breaks: {
      "ExpressionAttributeNames must not be empty": project("a", {}),
    },
    keeps: [project("a")],
  },
  "values-not-empty": {
    breaks: { "ExpressionAttributeValues must not be empty": filter("a = b", {}) },
    keeps: [filter("a = b")],
  },
  "placeholder-length": {
    breaks: {
      "ExpressionAttributeNames contains invalid key: The expression attribute map contains a key that is too long; size of key: 256":
        project(`#${letters(255)}`, { [`#${letters(255)}`]: "a" }),
      "ExpressionAttributeValues contains invalid key: The expression attribute map contains a key that is too long;":
        filter(`a = :${letters(255)}`, { [`:${letters(255)}`]: s("x") }),
    },
    keeps: [
      project(`#${letters(254)}`, { [`#${letters(254)}`]: "a" }),
      filter(`a = :${letters(254)}`, { [`:${letters(254)}`]: s("x") }),
    ],
  },
  "placeholder-form-of-names": {
    breaks: {
      'ExpressionAttributeNames contains invalid key: Syntax error; key: "a"': project("#a", { a: "a" }),
      'ExpressionAttributeNames contains invalid key: Syntax error; key: "#a-b"': project("#a", {
        "#a-b": "a",
      }),
    },
    keeps: [project("#1_a", { "#1_a": "a-b" })],
  },
  "placeholder-form-of-values": {
    breaks: {
      'ExpressionAttributeValues contains invalid key: Syntax error; key: "v"': filter("a = :v", {
        v: s("x"),
      }),
      'ExpressionAttributeValues contains invalid key: Syntax error; key: ":"': filter("a = :v", {
        ":": s("x"),
      }),
    },
    keeps: [filter("a = :1_v", { ":1_v": s("x") })],
  },
  "named-attribute-not-empty": {
    breaks: {
      "ExpressionAttributeNames contains invalid value: Empty attribute name for key #a": project("#a", {
        "#a": "",
      }),
    },
    keeps: [project("#a", { "#a": " " })],
  },
  "named-attribute-length": {
    breaks: {
      "1 validation error detected: Attribute name is too large, must be less than 65536 bytes": project(
        "#a",
        { "#a": letters(65_536) },
      ),
    },
    keeps: [project("#a", { "#a": letters(65_535) })],
  },
  "substitution-total": {
    breaks: {
      "ExpressionAttributeValues exceeds max size": filter("a IN (:a, :b)", {
        ":a": s(letters(1_048_576)),
        ":b": s(letters(1_048_573)),
      }),
    },
    keeps: [filter("a IN (:a, :b)", { ":a": s(letters(1_048_576)), ":b": s(letters(1_048_572)) })],
  },
  "expression-not-empty": {
    breaks: {
      "Invalid ProjectionExpression: The expression can not be empty;": project(""),
      "Invalid UpdateExpression: The expression can not be empty;": update(""),
      "Invalid KeyConditionExpression: The expression can not be empty;": call("Query", {
        TableName: "wide",
        KeyConditionExpression: "",
      }),
    },
    keeps: [project("a"), update(undefined)],
  },
  "expression-length": {
    breaks: {
      "Invalid FilterExpression: Expression size has exceeded the maximum allowed size; expression size: 4097":
        filter(`a ${" ".repeat(4090)} = :v`, { ":v": s("x") }),
      "Invalid ProjectionExpression: Expression size has exceeded the maximum allowed size; expression size: 4097":
        project(letters(4097)),
    },
    keeps: [filter(`a ${" ".repeat(4089)} = :v`, { ":v": s("x") }), project(letters(4096))],
  },
  "expression-syntax": {
    breaks: {
      'Invalid UpdateExpression: Syntax error; token: "INVALID", near: "INVALID SYNTAX"':
        update("INVALID SYNTAX HERE"),
      'Invalid ProjectionExpression: Syntax error; token: "!", near: "!!"': project("!!! INVALID !!!"),
      'Invalid FilterExpression: Syntax error; token: "<EOF>", near: "("': filter("attribute_not_exists("),
      'Invalid FilterExpression: Syntax error; token: "<EOF>", near: "b"': filter("a = :v AND b", {
        ":v": s("x"),
      }),
    },
    keeps: [
      filter("  nOt (a=:v)AND attribute_exists (b.c[1])oR d<>:v", { ":v": s("x") }),
      update(
        "set a=(if_not_exists(b, :v))remove c, e add f :v delete g :w",
        { ":v": n("1"), ":w": { SS: ["x"] } },
        { Key: { pk: s("syntax") } },
      ),
    ],
  },
  "written-names-begin-with-a-letter": {
    breaks: {
      'Invalid UpdateExpression: Syntax error; token: "_", near: "SET _123"': update("SET _123 = :v", {
        ":v": s("x"),
      }),
      'Invalid FilterExpression: Syntax error; token: "_", near: "._b"': filter("attribute_exists(a._b)"),
    },
    keeps: [
      update("SET a_1 = :_v, #_b = :_v", { ":_v": s("x") }, { ExpressionAttributeNames: { "#_b": "_b" } }),
    ],
  },
  "redundant-parentheses": {
    breaks: {
      "Invalid FilterExpression: The expression has redundant parentheses;": filter(
        "((attribute_not_exists(a)))",
      ),
      "Invalid KeyConditionExpression: The expression has redundant parentheses;":
        query("((pk = :k)) AND sk = :k"),
    },
    keeps: [filter("(attribute_not_exists(a))"), query("((pk = :k) AND (sk = :k))")],
  },
  "reserved-words": {
    breaks: {
      "Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: Name":
        project("Name"),
      "Invalid FilterExpression: Attribute name is a reserved keyword; reserved keyword: zone": filter(
        "a.zone = :v",
        { ":v": s("x") },
      ),
    },
    keeps: [project("#n", { "#n": "name" }), project("nam, zonee")],
  },
  "defined-names": {
    breaks: {
      "Invalid FilterExpression: An expression attribute name used in the document path is not defined; attribute name: #missing":
        filter("#missing = :v", { ":v": s("x") }),
      "Invalid ProjectionExpression: An expression attribute name used in the document path is not defined; attribute name: #b":
        project("a.#b", { "#a": "a" }),
    },
    keeps: [project("a.#b", { "#b": "b" })],
  },
  "defined-values": {
    breaks: {
      "Invalid FilterExpression: An expression attribute value used in expression is not defined; attribute value: :missing":
        filter("a = :missing"),
      "Invalid UpdateExpression: An expression attribute value used in expression is not defined; attribute value: :v":
        update("SET a = :v"),
      "Invalid ConditionExpression: An expression attribute value used in expression is not defined; attribute value: :missing":
        put({}, { ConditionExpression: "attribute_not_exists(zz) OR a = :missing" }),
    },
    keeps: [filter("a = :v", { ":v": s("x") })],
  },
  "operator-count": {
    breaks: {
      "Invalid FilterExpression: The expression contains too many operators; operator count: 301": filter(
        `a<b${" or a<b".repeat(150)}`,
      ),
    },
    keeps: [filter(`a<b${" or a<b".repeat(149)}`)],
  },
  "in-operands": {
    breaks: {
      "Invalid FilterExpression: The IN operator is provided with too many operands; number of operands: 101":
        filter(`a IN (${Object.keys(valuesOf(101)).join()})`, valuesOf(101)),
    },
    keeps: [filter(`a IN (${Object.keys(valuesOf(100)).join()})`, valuesOf(100))],
  },
  "used-names": {
    breaks: {
      "Value provided in ExpressionAttributeNames unused in expressions: keys: {#x}": project("a", {
        "#x": "x",
      }),
    },
    keeps: [
      read({
        ProjectionExpression: "#a",
        FilterExpression: "#b = :k",
        ExpressionAttributeNames: { "#a": "a", "#b": "b" },
      }),
    ],
  },
  "used-values": {
    breaks: {
      "Value provided in ExpressionAttributeValues unused in expressions: keys: {:w, :z}": filter("a = :v", {
        ":v": s("x"),
        ":w": s("y"),
        ":z": s("z"),
      }),
    },
    keeps: [
      update("REMOVE a", { ":v": s("x") }, { ConditionExpression: "attribute_not_exists(zz) OR a = :v" }),
    ],
  },
};
