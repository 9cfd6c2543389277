import type { StoreInput } from "../../../local/store/wire.ts";
import {
  batchGet,
  filter,
  get,
  n,
  partsItem,
  plainKey,
  project,
  put,
  type RuleSamples,
  remove,
  s,
  scan,
  update,
} from "./requests.ts";

const legacy = (name: string) =>
  `${name} is legal on DynamoDB, but the local store does not hold it to DynamoDB's rules; use expressions.`;
const forgotten =
  "An attribute called __proto__ is legal on DynamoDB, but the embedded engine would forget it.";
const ending = (name: string) =>
  `${name} with an operand that is not a value is legal on DynamoDB, but it ends the embedded engine when an item lacks the attribute; use a value.`;
const fraction =
  "A fraction is legal on DynamoDB, but the local store does not round it; send a whole number.";
const word =
  "A word for true or false is legal on DynamoDB, but the local store does not read it; send true or false.";

/** Members, one of them with the name `__proto__`. */
const withProto = (value: object) => JSON.parse(`{"__proto__":${JSON.stringify(value)}}`) as StoreInput;

/** Samples of the rules that only the local store has. */
export const ownSamples: Readonly<Record<string, RuleSamples>> = {
  "no-legacy-parameters": {
    breaks: {
      [legacy("AttributesToGet")]: [
        get({ AttributesToGet: ["a"] }),
        batchGet({ plain: { Keys: [plainKey], AttributesToGet: ["a"] } }),
      ],
      [legacy("Expected")]: [
        put({}, { Expected: { zz: { Exists: false } } }),
        remove({ Expected: { zz: { Exists: false } } }),
      ],
      [legacy("AttributeUpdates")]: update(undefined, undefined, {
        AttributeUpdates: { a: { Action: "DELETE" } },
      }),
      [legacy("ConditionalOperator")]: put(
        {},
        { ConditionExpression: "attribute_not_exists(zz)", ConditionalOperator: "OR" },
      ),
      [legacy("KeyConditions")]: {
        operation: "Query",
        input: {
          TableName: "wide",
          KeyConditions: { pk: { ComparisonOperator: "EQ", AttributeValueList: [s("k")] } },
        },
      },
      [legacy("ScanFilter")]: scan({ ScanFilter: { a: { ComparisonOperator: "NULL" } } }),
    },
    keeps: [get({ AttributesToGet: null, ConditionalOperator: "OR" }), scan({ QueryFilter: {} })],
  },
  "exact-scalars": {
    breaks: {
      [fraction]: [scan({ Limit: 1.5 }), scan({ Segment: 0.5, TotalSegments: 2 })],
      [word]: [get({ ConsistentRead: "true" }), put({ a: { BOOL: "No" } })],
    },
    keeps: [scan({ Limit: 2.0 }), get({ ConsistentRead: true })],
  },
  "no-attribute-called-proto": {
    breaks: {
      [forgotten]: [
        put(withProto(s("x"))),
        put({ a: { M: withProto(s("x")) } }),
        update("SET a = :v", { ":v": { M: withProto(s("x")) } }),
        project("#a", { "#a": "__proto__" }),
      ],
    },
    keeps: [put({ __proto: s("x"), constructor: s("x"), toString: s("x") })],
  },
  "values-to-compare-with": {
    breaks: {
      [ending("IN")]: [
        filter("pk IN (:v, gone)", { ":v": s("x") }),
        put(
          {},
          {
            ConditionExpression: "attribute_exists(pk) OR :v IN (size(a))",
            ExpressionAttributeValues: { ":v": n("1") },
          },
        ),
      ],
      [ending("BETWEEN")]: filter("pk BETWEEN :v AND gone", { ":v": s("") }),
      [ending("begins_with")]: remove({ ConditionExpression: "NOT begins_with(gone, lost)" }),
    },
    keeps: [
      filter("gone IN (:v, :v)", { ":v": s("x") }),
      filter("gone BETWEEN lost AND :v", { ":v": s("x") }),
      filter("begins_with(:v, gone) OR begins_with(gone, :v) OR contains(gone, lost)", {
        ":v": s("x"),
      }),
    ],
  },
  "no-copy-of-what-changes": {
    breaks: {
      "A copy of a value that changes is legal on DynamoDB, but the embedded engine keeps one value for both; use two updates.":
        [
          "SET parts[0] = parts",
          "SET #p[0][0] = if_not_exists(parts[0], :l)",
          "SET copied = list_append(:l, parts) REMOVE #p[0]",
        ].map((expression) =>
          update(expression, undefined, {
            Key: { pk: partsItem.pk },
            ...(expression.includes("#p") && { ExpressionAttributeNames: { "#p": "parts" } }),
            ...(expression.includes(":l") && { ExpressionAttributeValues: { ":l": { L: [] } } }),
          }),
        ),
    },
    keeps: [
      update("SET parts[0] = parts[0], copied = :l", { ":l": { L: [] } }, { Key: { pk: partsItem.pk } }),
      update("SET copied = parts", undefined, { Key: { pk: partsItem.pk } }),
    ],
  },
};
