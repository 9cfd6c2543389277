import {
  batchGet,
  batchWrite,
  call,
  get,
  plainKey,
  project,
  put,
  type RuleSamples,
  s,
  scan,
  update,
} from "./requests.ts";

const AVM = "com.amazonaws.dynamodb.v20120810";
const INNER =
  "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of loader 'bootstrap')";

/** A new table, with other members in place of its own. */
const create = (members: object) =>
  call("CreateTable", {
    TableName: "plain",
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    ...members,
  });

/** Samples of the rules for the types of members. */
export const typeSamples: Readonly<Record<string, RuleSamples>> = {
  "member-types": {
    breaks: {
      "NUMBER_VALUE cannot be converted to String": [
        scan({ TableName: 5 }),
        put({ a: { L: [{ M: { b: { S: 1 } } }] } }),
        batchWrite({ plain: [{ DeleteRequest: { Key: { pk: { S: 1 } } } }] }),
        create({ BillingMode: 5 }),
      ],
      "DECIMAL_VALUE cannot be converted to String": scan({ IndexName: 5.5 }),
      "TRUE_VALUE cannot be converted to String": update("SET a = b", undefined, {
        ConditionExpression: true,
      }),
      "STRING_VALUE cannot be converted to Integer": scan({ Limit: "1" }),
      "FALSE_VALUE cannot be converted to Integer": scan({ Segment: false, TotalSegments: 1 }),
      "STRING_VALUE cannot be converted to Long": create({
        ProvisionedThroughput: { ReadCapacityUnits: "5", WriteCapacityUnits: 5 },
      }),
      "NUMBER_VALUE cannot be converted to Boolean": get({ ConsistentRead: 1 }),
      "Unexpected token received from parser": get({ ConsistentRead: "sometimes" }),
      "only base-64-encoded strings are convertible to bytes": put({ a: { BS: [5] } }),
      "Unexpected field type": [get({ Key: "k" }), put({ a: { SS: "x" } }), create({ KeySchema: "pk" })],
      "Start of structure or map found where not expected": [scan({ IndexName: {} }), put({ a: { L: {} } })],
      "Unrecognized collection type class java.lang.String": scan({ IndexName: [] }),
      "Unrecognized collection type class java.nio.ByteBuffer": put({ a: { B: [] } }),
      "Unexpected value type in payload": [get({ Key: { pk: "k" } }), create({ KeySchema: ["pk"] })],
      [`Unrecognized collection type class ${AVM}.AttributeValue`]: get({ Key: { pk: [] } }),
      [`Unrecognized collection type java.util.Map<java.lang.String, ${AVM}.AttributeValue>`]: get({
        Key: [],
      }),
      [INNER]: [batchGet({ plain: { Keys: ["k"] } }), batchWrite({ plain: "k" })],
    },
    keeps: [
      get({ ConsistentRead: false, ProjectionExpression: null }),
      scan({ Limit: 1, Comment: { of: "nothing" } }),
    ],
  },
  "no-null-elements": {
    breaks: {
      "Unexpected value type in payload": [
        batchGet({ plain: null }),
        batchGet({ plain: { Keys: [null] } }),
        batchWrite({ plain: null }),
        batchWrite({ plain: [null] }),
        create({ KeySchema: [null] }),
        create({ AttributeDefinitions: [null] }),
        create({ GlobalSecondaryIndexes: [null] }),
        create({
          GlobalSecondaryIndexes: [
            { IndexName: "by-a", KeySchema: [null], Projection: { ProjectionType: "ALL" } },
          ],
        }),
        project("#a", { "#a": null }),
      ],
    },
    keeps: [batchGet({ plain: { Keys: [plainKey], ProjectionExpression: null } })],
  },
  "set-elements-not-null": {
    breaks: {
      "One or more parameter values were invalid: An string set may not have a null string as a member": [
        put({ a: { SS: ["x", null] } }),
        put({ a: { M: { b: { NS: [null] } } } }),
      ],
    },
    keeps: [put({ a: { SS: [""] } }), put({ a: { L: [{ NULL: true }] } })],
  },
  "attribute-name-not-empty": {
    breaks: { "Empty attribute name": [put({ "": s("x") }), put({ a: { L: [{ M: { "": s("x") } }] } })] },
    keeps: [put({ " ": s("x") }), put({ a: { M: { " ": s("") } } })],
  },
  "attribute-name-length": {
    breaks: {
      "1 validation error detected: Attribute name is too large, must be less than 65536 bytes": [
        put({ ["n".repeat(65_536)]: s("x") }),
        put({ ["é".repeat(32_768)]: s("x") }),
        put({ a: { M: { ["n".repeat(65_536)]: s("x") } } }),
        update("SET a = :v", { ":v": { M: { ["n".repeat(65_536)]: s("x") } } }),
      ],
    },
    keeps: [put({ ["n".repeat(65_535)]: s("x") }), put({ a: { M: { ["é".repeat(32_767)]: s("x") } } })],
  },
};
