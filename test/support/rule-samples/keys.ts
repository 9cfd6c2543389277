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
    breaks: [
      { request: get({ TableName: "wide" }), message: MISMATCH },
      { request: get({ Key: { ...plainKey, sk: s("s") } }), message: MISMATCH },
      { request: remove({ Key: { pk: n("1") } }), message: MISMATCH },
      { request: batchGet({ plain: { Keys: [{ other: s("k") }] } }), message: MISMATCH },
    ],
    keeps: [
      get({ TableName: "wide", Key: wideKey }),
      get({ TableName: "binary", Key: { pk: b(1), sk: n("1") } }),
    ],
  },
  "item-has-keys": {
    breaks: [
      {
        request: call("PutItem", { TableName: "wide", Item: { pk: s("k") } }),
        message: `${INVALID}Missing the key sk in the item`,
      },
      { request: batchWrite({ wide: [{ PutRequest: { Item: { pk: s("k") } } }] }), message: MISMATCH },
    ],
    keeps: [putWide()],
  },
  "item-key-types": {
    breaks: [
      {
        request: call("PutItem", { TableName: "plain", Item: { pk: n("1") } }),
        message: `${INVALID}Type mismatch for key pk expected: S actual: N`,
      },
      { request: batchWrite({ plain: [{ PutRequest: { Item: { pk: n("1") } } }] }), message: MISMATCH },
    ],
    keeps: [call("PutItem", { TableName: "binary", Item: { pk: b(1), sk: n("1") } })],
  },
  "key-not-empty": {
    breaks: [
      {
        request: get({ Key: { pk: s("") } }),
        message: `${NOT_VALID}The AttributeValue for a key attribute cannot contain an empty string value. Key: pk`,
      },
      {
        request: putWide({ sk: s("") }),
        message: `${NOT_VALID}The AttributeValue for a key attribute cannot contain an empty string value. Key: sk`,
      },
      {
        request: batchGet({ binary: { Keys: [{ pk: b(0), sk: n("1") }] } }),
        message: `${NOT_VALID}The AttributeValue for a key attribute cannot contain an empty binary value. Key: pk`,
      },
    ],
    keeps: [putWide({ sk: s(" ") })],
  },
  "key-length": {
    breaks: [
      {
        request: get({ Key: { pk: s(letters(2049)) } }),
        message: `${INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes`,
      },
      {
        request: putWide({ sk: s(letters(1025)) }),
        message: `${INVALID}Aggregated size of all range keys has exceeded the size limit of 1024 bytes`,
      },
      {
        request: get({ TableName: "binary", Key: { pk: b(2049), sk: n("1") } }),
        message: `${INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes`,
      },
      {
        request: putWide({ sk: s("é".repeat(513)) }),
        message: `${INVALID}Aggregated size of all range keys has exceeded the size limit of 1024 bytes`,
      },
    ],
    keeps: [
      putWide({ pk: s(letters(2048)), sk: s("é".repeat(512)) }),
      get({ TableName: "binary", Key: { pk: b(2048), sk: n("1") } }),
    ],
  },
  "index-key-types": {
    breaks: [
      {
        request: putWide({ g: n("1") }),
        message: `${INVALID}Type mismatch for Index Key g Expected: S Actual: N IndexName: by-all`,
      },
      {
        request: batchWrite({ wide: [{ PutRequest: { Item: { ...wideKey, h: { NULL: true } } } }] }),
        message: `${INVALID}Type mismatch for Index Key h Expected: S Actual: NULL IndexName: by-all`,
      },
      {
        request: updateWide("SET g = :v", { ExpressionAttributeValues: { ":v": n("1") } }),
        message: `${INVALID}Type mismatch for Index Key g Expected: S Actual: N IndexName: by-all`,
      },
      {
        request: updateWide("SET g = if_not_exists(zz, :v)", { ExpressionAttributeValues: { ":v": n("1") } }),
        message: `${INVALID}Type mismatch for Index Key g Expected: S Actual: N IndexName: by-all`,
      },
    ],
    keeps: [
      putWide({ g: s("x") }),
      putWide(),
      updateWide("SET g = :v, h = if_not_exists(zz, :v)", { ExpressionAttributeValues: { ":v": s("x") } }),
    ],
  },
  "index-key-not-empty": {
    breaks: [
      {
        request: putWide({ g: s("") }),
        message: `${NOT_VALID}A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: by-all, IndexKey: g`,
      },
      {
        request: call("PutItem", { TableName: "binary", Item: { pk: b(1), sk: n("1"), m: b(0) } }),
        message: `${NOT_VALID}A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty binary value. IndexName: by-mark, IndexKey: m`,
      },
      {
        request: updateWide("SET g = :v", { ExpressionAttributeValues: { ":v": s("") } }),
        message: `${NOT_VALID}The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty string value.`,
      },
      {
        request: updateWide("SET g = if_not_exists(zz, if_not_exists(zzz, :v))", {
          ExpressionAttributeValues: { ":v": s("") },
        }),
        message: `${NOT_VALID}The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty string value.`,
      },
    ],
    keeps: [putWide({ g: s(" ") }), putWide({ a: s("") })],
  },
  "index-key-length": {
    breaks: [
      {
        request: putWide({ g: s(letters(2049)), h: s("h") }),
        message: `${INVALID}Size limit exceeded for Index Key g Actual Size: 2049 bytes Max Size: 2048 bytes IndexName: by-all`,
      },
      {
        request: putWide({ g: s("g"), h: s(letters(1025)) }),
        message: `${INVALID}Size limit exceeded for Index Key h Actual Size: 1025 bytes Max Size: 1024 bytes IndexName: by-all`,
      },
      {
        request: updateWide("SET h = :v", { ExpressionAttributeValues: { ":v": s(letters(1025)) } }),
        message: `${INVALID}The update expression attempted to update the secondary index key beyond allowed size limits`,
      },
      {
        request: updateWide("SET h = if_not_exists(zz, :v)", {
          ExpressionAttributeValues: { ":v": s(letters(1025)) },
        }),
        message: `${INVALID}The update expression attempted to update the secondary index key beyond allowed size limits`,
      },
    ],
    keeps: [putWide({ g: s(letters(1024)), h: s(letters(1024)) })],
  },
  "keys-are-scalars": {
    breaks: [
      {
        request: get({ ProjectionExpression: "pk.a" }),
        message:
          "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: pk",
      },
      {
        request: updateWide("REMOVE g.a"),
        message:
          "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: g",
      },
      {
        request: scanWide({ FilterExpression: "attribute_exists(h.a)" }),
        message:
          "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: h",
      },
      {
        request: scanWide({ ProjectionExpression: "g[0]" }),
        message:
          "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: g",
      },
    ],
    keeps: [
      get({ ProjectionExpression: "pk, a.pk" }),
      putWide({}, { ConditionExpression: "attribute_not_exists(pk.a) AND NOT g.a > h[0]" }),
      updateWide("REMOVE a", { ConditionExpression: "attribute_not_exists(sk[0])" }),
    ],
  },
  "key-not-updated": {
    breaks: [
      {
        request: update("SET pk = :v", { ExpressionAttributeValues: { ":v": s("x") } }),
        message: `${INVALID}Cannot update attribute pk. This attribute is part of the key`,
      },
      {
        request: updateWide("REMOVE #s", { ExpressionAttributeNames: { "#s": "sk" } }),
        message: `${INVALID}Cannot update attribute sk. This attribute is part of the key`,
      },
    ],
    keeps: [updateWide("SET a = pk REMOVE g")],
  },
};
