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
    breaks: [
      {
        request: call("GetItem", { Key: plainKey }),
        message: detected("null", "tableName", "Member must not be null"),
      },
    ],
    keeps: [call("DescribeTable", { TableName: "plain" })],
  },
  "table-name-form": {
    breaks: [
      {
        request: get({ TableName: "plain!" }),
        message: detected("'plain!'", "tableName", pattern),
      },
      {
        request: get({ TableName: "" }),
        message: detected("''", "tableName", "Member must have length greater than or equal to 1"),
      },
      {
        request: get({ TableName: letters(256) }),
        message: detected(
          `'${letters(256)}'`,
          "tableName",
          "Member must have length less than or equal to 255",
        ),
      },
      {
        request: call("CreateTable", { ...sampleTables[0], TableName: "ab" }),
        message: detected("'ab'", "tableName", "Member must have length greater than or equal to 3"),
      },
    ],
    keeps: [
      call("CreateTable", { ...sampleTables[0], TableName: "a_b" }),
      call("CreateTable", { ...sampleTables[0], TableName: letters(255) }),
    ],
  },
  "index-name-form": {
    breaks: [
      { request: scanWide({ IndexName: "by all" }), message: detected("'by all'", "indexName", pattern) },
      {
        request: scanWide({ IndexName: "by" }),
        message: detected("'by'", "indexName", "Member must have length greater than or equal to 3"),
      },
    ],
    keeps: [scanWide({ IndexName: "by-all" })],
  },
  "key-present": {
    breaks: [
      {
        request: call("GetItem", { TableName: "plain" }),
        message: detected("null", "key", "Member must not be null"),
      },
    ],
    keeps: [get({})],
  },
  "item-present": {
    breaks: [
      {
        request: call("PutItem", { TableName: "plain" }),
        message: detected("null", "item", "Member must not be null"),
      },
    ],
    keeps: [put()],
  },
  "select-values": {
    breaks: [
      {
        request: scan({ Select: "WRONG" }),
        message: enumerated("select", "SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES"),
      },
    ],
    keeps: [scan({ Select: "COUNT" }), scan({ Select: "ALL_ATTRIBUTES" })],
  },
  "capacity-values": {
    breaks: [
      {
        request: get({ ReturnConsumedCapacity: "WRONG" }),
        message: enumerated("returnConsumedCapacity", "INDEXES, TOTAL, NONE"),
      },
    ],
    keeps: ["INDEXES", "TOTAL", "NONE"].map((value) => get({ ReturnConsumedCapacity: value })),
  },
  "metrics-values": {
    breaks: [
      {
        request: put({}, { ReturnItemCollectionMetrics: "WRONG" }),
        message: enumerated("returnItemCollectionMetrics", "SIZE, NONE"),
      },
    ],
    keeps: ["SIZE", "NONE"].map((value) => put({}, { ReturnItemCollectionMetrics: value })),
  },
  "return-values": {
    breaks: [
      {
        request: update("SET a = a0", { ReturnValues: "WRONG" }),
        message: enumerated("returnValues", "ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW"),
      },
    ],
    keeps: ["ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"].map((value) =>
      update("REMOVE a", { ReturnValues: value }),
    ),
  },
  "failure-values": {
    breaks: [
      {
        request: put({}, { ReturnValuesOnConditionCheckFailure: "WRONG" }),
        message: enumerated("returnValuesOnConditionCheckFailure", "ALL_OLD, NONE"),
      },
    ],
    keeps: ["ALL_OLD", "NONE"].map((value) => put({}, { ReturnValuesOnConditionCheckFailure: value })),
  },
  "return-values-of-put": {
    breaks: [
      { request: put({}, { ReturnValues: "ALL_NEW" }), message: "ReturnValues can only be ALL_OLD or NONE" },
    ],
    keeps: [put({}, { ReturnValues: "ALL_OLD" }), put({}, { ReturnValues: "NONE" })],
  },
  "return-values-of-delete": {
    breaks: [
      {
        request: remove({ ReturnValues: "UPDATED_OLD" }),
        message: "ReturnValues can only be ALL_OLD or NONE",
      },
    ],
    keeps: [remove({ ReturnValues: "ALL_OLD" }), remove({ ReturnValues: "NONE" })],
  },
  "limit-at-least-one": {
    breaks: [
      {
        request: scan({ Limit: 0 }),
        message: detected("'0'", "limit", "Member must have value greater than or equal to 1"),
      },
      {
        request: read({ Limit: 0 }),
        message:
          "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
      },
    ],
    keeps: [scan({ Limit: 1 }), read({ Limit: 1 })],
  },
  "segment-limits": {
    breaks: [
      {
        request: scan({ Segment: 0, TotalSegments: 1_000_001 }),
        message: detected(
          "'1000001'",
          "totalSegments",
          "Member must have value less than or equal to 1000000",
        ),
      },
    ],
    keeps: [scan({ Segment: 0, TotalSegments: 1 }), scan({ Segment: 999_999, TotalSegments: 1_000_000 })],
  },
  "segment-numbers": {
    breaks: [
      {
        request: scan({ Segment: -1, TotalSegments: 1 }),
        message: detected("'-1'", "segment", "Member must have value greater than or equal to 0"),
      },
      {
        request: scan({ Segment: 0, TotalSegments: 0 }),
        message: detected("'0'", "totalSegments", "Member must have value greater than or equal to 1"),
      },
    ],
    keeps: [scan({ Segment: 0, TotalSegments: 1 })],
  },
  "segments-together": {
    breaks: [
      {
        request: scan({ Segment: 1 }),
        message:
          "The TotalSegments parameter is required but was not present in the request when Segment parameter is present",
      },
      {
        request: scan({ TotalSegments: 2 }),
        message:
          "The Segment parameter is required but was not present in the request when parameter TotalSegments is present",
      },
    ],
    keeps: [scan({ Segment: 1, TotalSegments: 2 })],
  },
  "segment-in-range": {
    breaks: [
      {
        request: scan({ Segment: 2, TotalSegments: 2 }),
        message:
          "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 2 is not less than TotalSegments: 2",
      },
    ],
    keeps: [scan({ Segment: 1, TotalSegments: 2 })],
  },
  "select-excludes-projection": {
    breaks: [
      {
        request: scan({ Select: "COUNT", ProjectionExpression: "a" }),
        message: "Cannot specify the ProjectionExpression when choosing to get only the Count",
      },
      {
        request: read({ Select: "ALL_ATTRIBUTES", ProjectionExpression: "a" }),
        message: "Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES",
      },
      {
        request: readIndex("by-all", { Select: "ALL_PROJECTED_ATTRIBUTES", ProjectionExpression: "a" }),
        message: "Cannot specify the ProjectionExpression when choosing to get ALL_PROJECTED_ATTRIBUTES",
      },
    ],
    keeps: [
      scan({ Select: "SPECIFIC_ATTRIBUTES", ProjectionExpression: "a" }),
      scan({ ProjectionExpression: "a" }),
      scan({ Select: "COUNT" }),
    ],
  },
  "select-specific-needs-projection": {
    breaks: [
      {
        request: scan({ Select: "SPECIFIC_ATTRIBUTES" }),
        message:
          "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES",
      },
    ],
    keeps: [scan({ Select: "SPECIFIC_ATTRIBUTES", ProjectionExpression: "a" })],
  },
  "select-projected-needs-index": {
    breaks: [
      {
        request: scan({ Select: "ALL_PROJECTED_ATTRIBUTES" }),
        message: "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName",
      },
    ],
    keeps: [scanWide({ Select: "ALL_PROJECTED_ATTRIBUTES", IndexName: "by-keys" })],
  },
};
