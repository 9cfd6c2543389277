import {
  b,
  batchGet,
  batchWrite,
  call,
  get,
  INVALID,
  letters,
  NOT_VALID,
  n,
  plainKey,
  project,
  putWide,
  type RuleSamples,
  remove,
  s,
  scanWide,
  update,
  updateWide,
  wideKey,
} from "./requests.ts";

const MISMATCH = "The provided key element does not match the schema";

/** Samples of the rules for the keys of items. */
export const keySamples: Readonly<Record<string, RuleSamples>> = {
  "key-matches-table": {
    breaks: {
      [MISMATCH]: [
        get({ TableName: "wide" }),
        get({ Key: { ...plainKey, sk: s("s") } }),
        remove({ Key: { pk: n("1") } }),
        batchGet({ plain: { Keys: [{ other: s("k") }] } }),
      ],
    },
    keeps: [
      get({ TableName: "wide", Key: wideKey }),
      get({ TableName: "binary", Key: { pk: b(1), sk: n("1") } }),
    ],
  },
  "item-has-keys": {
    breaks: {
      [`${INVALID}Missing the key sk in the item`]: call("PutItem", {
        TableName: "wide",
        Item: { pk: s("k") },
      }),
      [MISMATCH]: batchWrite({ wide: [{ PutRequest: { Item: { pk: s("k") } } }] }),
    },
    keeps: [putWide()],
  },
  "item-key-types": {
    breaks: {
      [`${INVALID}Type mismatch for key pk expected: S actual: N`]: call("PutItem", {
        TableName: "plain",
        Item: { pk: n("1") },
      }),
      [MISMATCH]: batchWrite({ plain: [{ PutRequest: { Item: { pk: n("1") } } }] }),
    },
    keeps: [call("PutItem", { TableName: "binary", Item: { pk: b(1), sk: n("1") } })],
  },
  "key-not-empty": {
    breaks: {
      [`${NOT_VALID}The AttributeValue for a key attribute cannot contain an empty string value. Key: pk`]:
        get({ Key: { pk: s("") } }),
      [`${NOT_VALID}The AttributeValue for a key attribute cannot contain an empty string value. Key: sk`]:
        putWide({ sk: s("") }),
      [`${NOT_VALID}The AttributeValue for a key attribute cannot contain an empty binary value. Key: pk`]:
        batchGet({ binary: { Keys: [{ pk: b(0), sk: n("1") }] } }),
    },
    keeps: [putWide({ sk: s(" ") })],
  },
  "key-length": {
    breaks: {
      [`${INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes`]: [
        get({ Key: { pk: s(letters(2049)) } }),
        get({ TableName: "binary", Key: { pk: b(2049), sk: n("1") } }),
      ],
      [`${INVALID}Aggregated size of all range keys has exceeded the size limit of 1024 bytes`]: [
        putWide({ sk: s(letters(1025)) }),
        putWide({ sk: s("é".repeat(513)) }),
      ],
    },
    keeps: [
      putWide({ pk: s(letters(2048)), sk: s("é".repeat(512)) }),
      get({ TableName: "binary", Key: { pk: b(2048), sk: n("1") } }),
    ],
  },
  "index-key-types": {
    breaks: {
      [`${INVALID}Type mismatch for Index Key g Expected: S Actual: N IndexName: by-all`]: [
        putWide({ g: n("1") }),
        updateWide("SET g = :v", { ":v": n("1") }),
        updateWide("SET g = if_not_exists(zz, :v)", { ":v": n("1") }),
      ],
      [`${INVALID}Type mismatch for Index Key h Expected: S Actual: NULL IndexName: by-all`]: batchWrite({
        wide: [{ PutRequest: { Item: { ...wideKey, h: { NULL: true } } } }],
      }),
    },
    keeps: [
      putWide({ g: s("x") }),
      putWide(),
      updateWide("SET g = :v, h = if_not_exists(zz, :v)", { ":v": s("x") }),
    ],
  },
  "index-key-not-empty": {
    breaks: {
      [`${NOT_VALID}A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: by-all, IndexKey: g`]:
        putWide({ g: s("") }),
      [`${NOT_VALID}A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty binary value. IndexName: by-mark, IndexKey: m`]:
        call("PutItem", { TableName: "binary", Item: { pk: b(1), sk: n("1"), m: b(0) } }),
      [`${NOT_VALID}The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty string value.`]:
        [
          updateWide("SET g = :v", { ":v": s("") }),
          updateWide("SET g = if_not_exists(zz, if_not_exists(zzz, :v))", { ":v": s("") }),
        ],
    },
    keeps: [putWide({ g: s(" ") }), putWide({ a: s("") })],
  },
  "index-key-length": {
    breaks: {
      [`${INVALID}Size limit exceeded for Index Key g Actual Size: 2049 bytes Max Size: 2048 bytes IndexName: by-all`]:
        putWide({ g: s(letters(2049)), h: s("h") }),
      [`${INVALID}Size limit exceeded for Index Key h Actual Size: 1025 bytes Max Size: 1024 bytes IndexName: by-all`]:
        putWide({ g: s("g"), h: s(letters(1025)) }),
      [`${INVALID}The update expression attempted to update the secondary index key beyond allowed size limits`]:
        [
          updateWide("SET h = :v", { ":v": s(letters(1025)) }),
          updateWide("SET h = if_not_exists(zz, :v)", { ":v": s(letters(1025)) }),
        ],
    },
    keeps: [putWide({ g: s(letters(1024)), h: s(letters(1024)) })],
  },
  "keys-are-scalars": {
    breaks: {
      "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: pk":
        project("pk.a"),
      "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: g":
        [updateWide("REMOVE g.a"), scanWide({ ProjectionExpression: "g[0]" })],
      "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: h":
        scanWide({ FilterExpression: "attribute_exists(h.a)" }),
    },
    keeps: [
      project("pk, a.pk"),
      putWide({}, { ConditionExpression: "attribute_not_exists(pk.a) AND NOT g.a > h[0]" }),
      updateWide("REMOVE a", undefined, { ConditionExpression: "attribute_not_exists(sk[0])" }),
    ],
  },
  "key-not-updated": {
    breaks: {
      [`${INVALID}Cannot update attribute pk. This attribute is part of the key`]: update("SET pk = :v", {
        ":v": s("x"),
      }),
      [`${INVALID}Cannot update attribute sk. This attribute is part of the key`]: updateWide(
        "REMOVE #s",
        undefined,
        { ExpressionAttributeNames: { "#s": "sk" } },
      ),
    },
    keeps: [updateWide("SET a = pk REMOVE g")],
  },
};
