import { b, call, INVALID, letters, NOT_VALID, n, query, type RuleSamples, read, s } from "./requests.ts";

/** Samples of the rules for key conditions. */
export const keyConditionSamples: Readonly<Record<string, RuleSamples>> = {
  "key-condition-present": {
    breaks: {
      "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.": call(
        "Query",
        { TableName: "wide" },
      ),
    },
    keeps: [read({})],
  },
  "key-condition-operators": {
    breaks: {
      "Invalid operator used in KeyConditionExpression: OR": query("pk = :k OR sk = :k"),
      "Invalid operator used in KeyConditionExpression: NOT": query("pk = :k AND NOT sk = :k"),
      "Invalid operator used in KeyConditionExpression: IN": query("pk = :k AND sk IN (:k)"),
      "Invalid operator used in KeyConditionExpression: <>": query("pk = :k AND sk <> :k"),
      "Invalid operator used in KeyConditionExpression: attribute_exists": query(
        "pk = :k AND attribute_exists(sk)",
      ),
      "Invalid operator used in KeyConditionExpression: contains": query("pk = :k AND contains(sk, :k)"),
    },
    keeps: [
      ...["=", "<", "<=", ">", ">="].map((operator) => query(`pk = :k AND sk ${operator} :k`)),
      query("pk = :k AND sk BETWEEN :k AND :k"),
      query("pk = :k AND begins_with(sk, :k)"),
    ],
  },
  "key-condition-attributes": {
    breaks: {
      "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition":
        query("pk = :k AND sk = h"),
      "Invalid condition in KeyConditionExpression: No key attribute specified": query("pk = :k AND :k = :k"),
      "KeyConditionExpressions cannot have conditions on nested attributes": query("pk = :k AND sk.a = :k"),
      "Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute as its first operand":
        query("pk = :k AND begins_with(:k, sk)"),
      "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as its first operand":
        query("pk = :k AND :k BETWEEN sk AND :k"),
    },
    keeps: [query(":k = pk AND :k <= sk")],
  },
  "key-condition-once": {
    breaks: {
      "KeyConditionExpressions must only contain one condition per key": [
        query("pk = :k AND pk = :k"),
        query("pk = :k AND sk > :k AND sk < :l", { ":k": s("k"), ":l": s("l") }),
      ],
    },
    keeps: [query("sk > :k AND pk = :k")],
  },
  "key-condition-count": {
    breaks: {
      "Conditions can be of length 1 or 2 only": query("pk = :k AND sk = :k AND a = :k"),
    },
    keeps: [query("pk = :k AND sk = :k")],
  },
  "key-condition-keys": {
    breaks: {
      "Query condition missed key schema element: pk": [query("sk = :k"), query("a = :k")],
      "Query condition missed key schema element: sk": query("pk = :k AND a = :k"),
      "Query condition missed key schema element: g": query("pk = :k", undefined, { IndexName: "by-all" }),
      "Query key condition not supported": query("pk = :k AND sk = :k", undefined, { TableName: "plain" }),
    },
    keeps: [
      query("g = :k AND h = :k", undefined, { IndexName: "by-all" }),
      query("pk = :k", undefined, { TableName: "plain" }),
    ],
  },
  "partition-equality": {
    breaks: {
      "Query key condition not supported": [
        query("pk > :k"),
        query("begins_with(pk, :k) AND sk = :k"),
        query("g BETWEEN :k AND :k", undefined, { IndexName: "by-all" }),
      ],
    },
    keeps: [query("pk = :k AND sk > :k")],
  },
  "key-condition-types": {
    breaks: {
      [`${INVALID}Condition parameter type does not match schema type`]: [
        query("pk = :k", { ":k": n("1") }),
        query("pk = :k AND sk > :n", { ":k": s("k"), ":n": n("1") }),
      ],
    },
    keeps: [query("pk = :k AND sk > :n", { ":k": b(1), ":n": n("1") }, { TableName: "binary" })],
  },
  "key-condition-not-empty": {
    breaks: {
      [`${NOT_VALID}The AttributeValue for a key attribute cannot contain an empty string value. Key: pk`]:
        query("pk = :k", { ":k": s("") }),
      [`${NOT_VALID}The AttributeValue for a key attribute cannot contain an empty string value. Key: g`]:
        query("g = :k", { ":k": s("") }, { IndexName: "by-all" }),
    },
    keeps: [query("pk = :k", { ":k": s(" ") })],
  },
  "key-condition-length": {
    breaks: {
      [`${INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes`]: [
        query("pk = :k", { ":k": s(letters(2049)) }),
        query("g = :k", { ":k": s(letters(2049)) }, { IndexName: "by-all" }),
      ],
      [`${INVALID}Aggregated size of all range keys has exceeded the size limit of 1024 bytes`]: query(
        "pk = :k AND sk = :s",
        { ":k": s("k"), ":s": s(letters(1025)) },
      ),
    },
    keeps: [query("pk = :k AND sk = :s", { ":k": s(letters(2048)), ":s": s(letters(1024)) })],
  },
};
