import { b, call, INVALID, letters, NOT_VALID, n, query, type RuleSamples, read, s } from "./requests.ts";

/** Samples of the rules for key conditions. */
export const keyConditionSamples: Readonly<Record<string, RuleSamples>> = {
  "key-condition-present": {
    breaks: [
      {
        request: call("Query", { TableName: "wide" }),
        message:
          "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.",
      },
    ],
    keeps: [read({})],
  },
  "key-condition-operators": {
    breaks: [
      {
        request: query("pk = :k OR sk = :k", { ":k": s("k") }),
        message: "Invalid operator used in KeyConditionExpression: OR",
      },
      {
        request: query("pk = :k AND NOT sk = :k", { ":k": s("k") }),
        message: "Invalid operator used in KeyConditionExpression: NOT",
      },
      {
        request: query("pk = :k AND sk IN (:k)", { ":k": s("k") }),
        message: "Invalid operator used in KeyConditionExpression: IN",
      },
      {
        request: query("pk = :k AND sk <> :k", { ":k": s("k") }),
        message: "Invalid operator used in KeyConditionExpression: <>",
      },
      {
        request: query("pk = :k AND attribute_exists(sk)", { ":k": s("k") }),
        message: "Invalid operator used in KeyConditionExpression: attribute_exists",
      },
      {
        request: query("pk = :k AND contains(sk, :k)", { ":k": s("k") }),
        message: "Invalid operator used in KeyConditionExpression: contains",
      },
    ],
    keeps: [
      ...["=", "<", "<=", ">", ">="].map((operator) =>
        query(`pk = :k AND sk ${operator} :k`, { ":k": s("k") }),
      ),
      query("pk = :k AND sk BETWEEN :k AND :k", { ":k": s("k") }),
      query("pk = :k AND begins_with(sk, :k)", { ":k": s("k") }),
    ],
  },
  "key-condition-attributes": {
    breaks: [
      {
        request: query("pk = :k AND sk = h", { ":k": s("k") }),
        message:
          "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition",
      },
      {
        request: query("pk = :k AND :k = :k", { ":k": s("k") }),
        message: "Invalid condition in KeyConditionExpression: No key attribute specified",
      },
      {
        request: query("pk = :k AND sk.a = :k", { ":k": s("k") }),
        message: "KeyConditionExpressions cannot have conditions on nested attributes",
      },
      {
        request: query("pk = :k AND begins_with(:k, sk)", { ":k": s("k") }),
        message:
          "Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute as its first operand",
      },
      {
        request: query("pk = :k AND :k BETWEEN sk AND :k", { ":k": s("k") }),
        message:
          "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as its first operand",
      },
    ],
    keeps: [query(":k = pk AND :k <= sk", { ":k": s("k") })],
  },
  "key-condition-once": {
    breaks: [
      {
        request: query("pk = :k AND pk = :k", { ":k": s("k") }),
        message: "KeyConditionExpressions must only contain one condition per key",
      },
      {
        request: query("pk = :k AND sk > :k AND sk < :l", { ":k": s("k"), ":l": s("l") }),
        message: "KeyConditionExpressions must only contain one condition per key",
      },
    ],
    keeps: [query("sk > :k AND pk = :k", { ":k": s("k") })],
  },
  "key-condition-count": {
    breaks: [
      {
        request: query("pk = :k AND sk = :k AND a = :k", { ":k": s("k") }),
        message: "Conditions can be of length 1 or 2 only",
      },
    ],
    keeps: [query("pk = :k AND sk = :k", { ":k": s("k") })],
  },
  "key-condition-keys": {
    breaks: [
      {
        request: query("sk = :k", { ":k": s("k") }),
        message: "Query condition missed key schema element: pk",
      },
      {
        request: query("a = :k", { ":k": s("k") }),
        message: "Query condition missed key schema element: pk",
      },
      {
        request: query("pk = :k AND a = :k", { ":k": s("k") }),
        message: "Query condition missed key schema element: sk",
      },
      {
        request: query("pk = :k", { ":k": s("k") }, { IndexName: "by-all" }),
        message: "Query condition missed key schema element: g",
      },
      {
        request: query("pk = :k AND sk = :k", { ":k": s("k") }, { TableName: "plain" }),
        message: "Query key condition not supported",
      },
    ],
    keeps: [
      query("g = :k AND h = :k", { ":k": s("k") }, { IndexName: "by-all" }),
      query("pk = :k", { ":k": s("k") }, { TableName: "plain" }),
    ],
  },
  "partition-equality": {
    breaks: [
      { request: query("pk > :k", { ":k": s("k") }), message: "Query key condition not supported" },
      {
        request: query("begins_with(pk, :k) AND sk = :k", { ":k": s("k") }),
        message: "Query key condition not supported",
      },
      {
        request: query("g BETWEEN :k AND :k", { ":k": s("k") }, { IndexName: "by-all" }),
        message: "Query key condition not supported",
      },
    ],
    keeps: [query("pk = :k AND sk > :k", { ":k": s("k") })],
  },
  "key-condition-types": {
    breaks: [
      {
        request: query("pk = :k", { ":k": n("1") }),
        message: `${INVALID}Condition parameter type does not match schema type`,
      },
      {
        request: query("pk = :k AND sk > :n", { ":k": s("k"), ":n": n("1") }),
        message: `${INVALID}Condition parameter type does not match schema type`,
      },
    ],
    keeps: [query("pk = :k AND sk > :n", { ":k": b(1), ":n": n("1") }, { TableName: "binary" })],
  },
  "key-condition-not-empty": {
    breaks: [
      {
        request: query("pk = :k", { ":k": s("") }),
        message: `${NOT_VALID}The AttributeValue for a key attribute cannot contain an empty string value. Key: pk`,
      },
      {
        request: query("g = :k", { ":k": s("") }, { IndexName: "by-all" }),
        message: `${NOT_VALID}The AttributeValue for a key attribute cannot contain an empty string value. Key: g`,
      },
    ],
    keeps: [query("pk = :k", { ":k": s(" ") })],
  },
  "key-condition-length": {
    breaks: [
      {
        request: query("pk = :k", { ":k": s(letters(2049)) }),
        message: `${INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes`,
      },
      {
        request: query("pk = :k AND sk = :s", { ":k": s("k"), ":s": s(letters(1025)) }),
        message: `${INVALID}Aggregated size of all range keys has exceeded the size limit of 1024 bytes`,
      },
      {
        request: query("g = :k", { ":k": s(letters(2049)) }, { IndexName: "by-all" }),
        message: `${INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes`,
      },
    ],
    keeps: [query("pk = :k AND sk = :s", { ":k": s(letters(2048)), ":s": s(letters(1024)) })],
  },
};
