import { INVALID, type RuleSamples, read, readIndex, scan, scanWide } from "./requests.ts";

/** Samples of the rules for reads of indexes, and for filters. */
export const indexSamples: Readonly<Record<string, RuleSamples>> = {
  "index-exists": {
    breaks: [
      {
        request: readIndex("by-none", {}),
        message: "The table does not have the specified index: by-none",
      },
      {
        request: scan({ IndexName: "by-all" }),
        message: "The table does not have the specified index: by-all",
      },
    ],
    keeps: [readIndex("by-all", {})],
  },
  "no-strong-read-of-an-index": {
    breaks: [
      {
        request: readIndex("by-all", { ConsistentRead: true }),
        message: "Consistent reads are not supported on global secondary indexes",
      },
      {
        request: scanWide({ IndexName: "by-keys", ConsistentRead: true }),
        message: "Consistent reads are not supported on global secondary indexes",
      },
    ],
    keeps: [readIndex("by-all", { ConsistentRead: false }), read({ ConsistentRead: true })],
  },
  "index-holds-all-attributes": {
    breaks: [
      {
        request: readIndex("by-keys", { Select: "ALL_ATTRIBUTES" }),
        message: `${INVALID}Select type ALL_ATTRIBUTES is not supported for global secondary index by-keys because its projection type is not ALL`,
      },
      {
        request: scanWide({ IndexName: "by-some", Select: "ALL_ATTRIBUTES" }),
        message: `${INVALID}Select type ALL_ATTRIBUTES is not supported for global secondary index by-some because its projection type is not ALL`,
      },
    ],
    keeps: [readIndex("by-all", { Select: "ALL_ATTRIBUTES" })],
  },
  "index-holds-projected-attributes": {
    breaks: [
      {
        request: readIndex("by-keys", { ProjectionExpression: "doc, g, note.a" }),
        message: `${INVALID}Global secondary index by-keys does not project [doc, note]`,
      },
      {
        request: scanWide({
          IndexName: "by-some",
          ProjectionExpression: "#d",
          ExpressionAttributeNames: { "#d": "doc" },
        }),
        message: `${INVALID}Global secondary index by-some does not project [doc]`,
      },
    ],
    keeps: [
      readIndex("by-keys", { ProjectionExpression: "g, pk, sk" }),
      readIndex("by-some", { ProjectionExpression: "h, g, pk, sk, note" }),
      readIndex("by-all", { ProjectionExpression: "doc" }),
    ],
  },
  "index-holds-filtered-attributes": {
    breaks: [
      {
        request: readIndex("by-keys", { FilterExpression: "doc = :k AND attribute_exists(note)" }),
        message: `${INVALID}Secondary index by-keys does not project one or more filter attributes: [doc, note]`,
      },
    ],
    keeps: [
      readIndex("by-some", { FilterExpression: "note = :k" }),
      readIndex("by-keys", { FilterExpression: "pk = :k" }),
      scanWide({ IndexName: "by-keys", FilterExpression: "attribute_exists(doc)" }),
    ],
  },
  "no-filter-of-keys": {
    breaks: [
      {
        request: read({ FilterExpression: "pk = :k" }),
        message: "Filter Expression can only contain non-primary key attributes: Primary key attribute: pk",
      },
      {
        request: read({
          FilterExpression: "a = :k OR attribute_exists(#s)",
          ExpressionAttributeNames: { "#s": "sk" },
        }),
        message: "Filter Expression can only contain non-primary key attributes: Primary key attribute: sk",
      },
      {
        request: readIndex("by-all", { FilterExpression: "h = :k" }),
        message: "Filter Expression can only contain non-primary key attributes: Primary key attribute: h",
      },
    ],
    keeps: [
      readIndex("by-all", { FilterExpression: "sk = :k AND pk = :k" }),
      scanWide({ FilterExpression: "pk = sk" }),
    ],
  },
};
