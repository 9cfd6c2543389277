import { INVALID, type RuleSamples, read, readIndex, scan, scanWide } from "./requests.ts";

/** Samples of the rules for reads of indexes, and for filters. */
export const indexSamples: Readonly<Record<string, RuleSamples>> = {
  "index-exists": {
    breaks: {
      "The table does not have the specified index: by-none": readIndex("by-none", {}),
      "The table does not have the specified index: by-all": scan({ IndexName: "by-all" }),
    },
    keeps: [readIndex("by-all", {})],
  },
  "no-strong-read-of-an-index": {
    breaks: {
      "Consistent reads are not supported on global secondary indexes": [
        readIndex("by-all", { ConsistentRead: true }),
        scanWide({ IndexName: "by-keys", ConsistentRead: true }),
      ],
    },
    keeps: [readIndex("by-all", { ConsistentRead: false }), read({ ConsistentRead: true })],
  },
  "index-holds-all-attributes": {
    breaks: {
      [`${INVALID}Select type ALL_ATTRIBUTES is not supported for global secondary index by-keys because its projection type is not ALL`]:
        readIndex("by-keys", { Select: "ALL_ATTRIBUTES" }),
      [`${INVALID}Select type ALL_ATTRIBUTES is not supported for global secondary index by-some because its projection type is not ALL`]:
        scanWide({ IndexName: "by-some", Select: "ALL_ATTRIBUTES" }),
    },
    keeps: [readIndex("by-all", { Select: "ALL_ATTRIBUTES" })],
  },
  "index-holds-projected-attributes": {
    breaks: {
      [`${INVALID}Global secondary index by-keys does not project [doc, note]`]: readIndex("by-keys", {
        ProjectionExpression: "doc, g, note.a",
      }),
      [`${INVALID}Global secondary index by-some does not project [doc]`]: scanWide({
        IndexName: "by-some",
        ProjectionExpression: "#d",
        ExpressionAttributeNames: { "#d": "doc" },
      }),
    },
    keeps: [
      readIndex("by-keys", { ProjectionExpression: "g, pk, sk" }),
      readIndex("by-some", { ProjectionExpression: "h, g, pk, sk, note" }),
      readIndex("by-all", { ProjectionExpression: "doc" }),
    ],
  },
  "index-holds-filtered-attributes": {
    breaks: {
      [`${INVALID}Secondary index by-keys does not project one or more filter attributes: [doc, note]`]:
        readIndex("by-keys", { FilterExpression: "doc = :k AND attribute_exists(note)" }),
    },
    keeps: [
      readIndex("by-some", { FilterExpression: "note = :k" }),
      readIndex("by-keys", { FilterExpression: "pk = :k" }),
      scanWide({ IndexName: "by-keys", FilterExpression: "attribute_exists(doc)" }),
    ],
  },
  "no-filter-of-keys": {
    breaks: {
      "Filter Expression can only contain non-primary key attributes: Primary key attribute: pk": read({
        FilterExpression: "pk = :k",
      }),
      "Filter Expression can only contain non-primary key attributes: Primary key attribute: sk": read({
        FilterExpression: "a = :k OR attribute_exists(#s)",
        ExpressionAttributeNames: { "#s": "sk" },
      }),
      "Filter Expression can only contain non-primary key attributes: Primary key attribute: h": readIndex(
        "by-all",
        { FilterExpression: "h = :k" },
      ),
    },
    keeps: [
      readIndex("by-all", { FilterExpression: "sk = :k AND pk = :k" }),
      scanWide({ FilterExpression: "pk = sk" }),
    ],
  },
};
