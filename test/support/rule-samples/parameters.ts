import {
  call,
  detected,
  enumerated,
  get,
  letters,
  pattern,
  plainKey,
  put,
  type RuleSamples,
  read,
  readIndex,
  remove,
  sampleTables,
  scan,
  scanWide,
  update,
} from "./requests.ts";

/** Samples of the rules for single members of a request. */
export const parameterSamples: Readonly<Record<string, RuleSamples>> = {
  "table-name-present": {
    breaks: {
      [detected("null", "tableName", "Member must not be null")]: call("GetItem", { Key: plainKey }),
    },
    keeps: [call("DescribeTable", { TableName: "plain" })],
  },
  "table-name-form": {
    breaks: {
      [detected("'plain!'", "tableName", pattern)]: get({ TableName: "plain!" }),
      [detected("''", "tableName", "Member must have length greater than or equal to 1")]: get({
        TableName: "",
      }),
      [detected(`'${letters(256)}'`, "tableName", "Member must have length less than or equal to 255")]: get({
        TableName: letters(256),
      }),
      [detected("'ab'", "tableName", "Member must have length greater than or equal to 3")]: call(
        "CreateTable",
        { ...sampleTables[0], TableName: "ab" },
      ),
    },
    keeps: [
      call("CreateTable", { ...sampleTables[0], TableName: "a_b" }),
      call("CreateTable", { ...sampleTables[0], TableName: letters(255) }),
    ],
  },
  "index-name-form": {
    breaks: {
      [detected("'by all'", "indexName", pattern)]: scanWide({ IndexName: "by all" }),
      [detected("'by'", "indexName", "Member must have length greater than or equal to 3")]: scanWide({
        IndexName: "by",
      }),
    },
    keeps: [scanWide({ IndexName: "by-all" })],
  },
  "key-present": {
    breaks: { [detected("null", "key", "Member must not be null")]: call("GetItem", { TableName: "plain" }) },
    keeps: [get({})],
  },
  "item-present": {
    breaks: {
      [detected("null", "item", "Member must not be null")]: call("PutItem", { TableName: "plain" }),
    },
    keeps: [put()],
  },
  "select-values": {
    breaks: {
      [enumerated("select", "SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES")]: scan({
        Select: "WRONG",
      }),
    },
    keeps: [scan({ Select: "COUNT" }), scan({ Select: "ALL_ATTRIBUTES" })],
  },
  "capacity-values": {
    breaks: {
      [enumerated("returnConsumedCapacity", "INDEXES, TOTAL, NONE")]: get({
        ReturnConsumedCapacity: "WRONG",
      }),
    },
    keeps: ["INDEXES", "TOTAL", "NONE"].map((value) => get({ ReturnConsumedCapacity: value })),
  },
  "metrics-values": {
    breaks: {
      [enumerated("returnItemCollectionMetrics", "SIZE, NONE")]: put(
        {},
        { ReturnItemCollectionMetrics: "WRONG" },
      ),
    },
    keeps: ["SIZE", "NONE"].map((value) => put({}, { ReturnItemCollectionMetrics: value })),
  },
  "return-values": {
    breaks: {
      [enumerated("returnValues", "ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW")]: update(
        "SET a = a0",
        undefined,
        { ReturnValues: "WRONG" },
      ),
    },
    keeps: ["ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"].map((value) =>
      update("REMOVE a", undefined, { ReturnValues: value }),
    ),
  },
  "failure-values": {
    breaks: {
      [enumerated("returnValuesOnConditionCheckFailure", "ALL_OLD, NONE")]: put(
        {},
        { ReturnValuesOnConditionCheckFailure: "WRONG" },
      ),
    },
    keeps: ["ALL_OLD", "NONE"].map((value) => put({}, { ReturnValuesOnConditionCheckFailure: value })),
  },
  "return-values-of-put": {
    breaks: { "ReturnValues can only be ALL_OLD or NONE": put({}, { ReturnValues: "ALL_NEW" }) },
    keeps: [put({}, { ReturnValues: "ALL_OLD" }), put({}, { ReturnValues: "NONE" })],
  },
  "return-values-of-delete": {
    breaks: { "ReturnValues can only be ALL_OLD or NONE": remove({ ReturnValues: "UPDATED_OLD" }) },
    keeps: [remove({ ReturnValues: "ALL_OLD" }), remove({ ReturnValues: "NONE" })],
  },
  "limit-at-least-one": {
    breaks: {
      [detected("'0'", "limit", "Member must have value greater than or equal to 1")]: scan({ Limit: 0 }),
      "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1":
        read({ Limit: 0 }),
    },
    keeps: [scan({ Limit: 1 }), read({ Limit: 1 })],
  },
  "segment-limits": {
    breaks: {
      [detected("'1000001'", "totalSegments", "Member must have value less than or equal to 1000000")]: scan({
        Segment: 0,
        TotalSegments: 1_000_001,
      }),
    },
    keeps: [scan({ Segment: 0, TotalSegments: 1 }), scan({ Segment: 999_999, TotalSegments: 1_000_000 })],
  },
  "segment-numbers": {
    breaks: {
      [detected("'-1'", "segment", "Member must have value greater than or equal to 0")]: scan({
        Segment: -1,
        TotalSegments: 1,
      }),
      [detected("'0'", "totalSegments", "Member must have value greater than or equal to 1")]: scan({
        Segment: 0,
        TotalSegments: 0,
      }),
    },
    keeps: [scan({ Segment: 0, TotalSegments: 1 })],
  },
  "segments-together": {
    breaks: {
      "The TotalSegments parameter is required but was not present in the request when Segment parameter is present":
        scan({ Segment: 1 }),
      "The Segment parameter is required but was not present in the request when parameter TotalSegments is present":
        scan({ TotalSegments: 2 }),
    },
    keeps: [scan({ Segment: 1, TotalSegments: 2 })],
  },
  "segment-in-range": {
    breaks: {
      "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 2 is not less than TotalSegments: 2":
        scan({ Segment: 2, TotalSegments: 2 }),
    },
    keeps: [scan({ Segment: 1, TotalSegments: 2 })],
  },
  "select-excludes-projection": {
    breaks: {
      "Cannot specify the ProjectionExpression when choosing to get only the Count": scan({
        Select: "COUNT",
        ProjectionExpression: "a",
      }),
      "Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES": read({
        Select: "ALL_ATTRIBUTES",
        ProjectionExpression: "a",
      }),
      "Cannot specify the ProjectionExpression when choosing to get ALL_PROJECTED_ATTRIBUTES": readIndex(
        "by-all",
        { Select: "ALL_PROJECTED_ATTRIBUTES", ProjectionExpression: "a" },
      ),
    },
    keeps: [
      scan({ Select: "SPECIFIC_ATTRIBUTES", ProjectionExpression: "a" }),
      scan({ ProjectionExpression: "a" }),
      scan({ Select: "COUNT" }),
    ],
  },
  "select-specific-needs-projection": {
    breaks: {
      "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES":
        scan({ Select: "SPECIFIC_ATTRIBUTES" }),
    },
    keeps: [scan({ Select: "SPECIFIC_ATTRIBUTES", ProjectionExpression: "a" })],
  },
  "select-projected-needs-index": {
    breaks: {
      "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName": scan({
        Select: "ALL_PROJECTED_ATTRIBUTES",
      }),
    },
    keeps: [scanWide({ Select: "ALL_PROJECTED_ATTRIBUTES", IndexName: "by-keys" })],
  },
};
