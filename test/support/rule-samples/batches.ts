import { batchGet, batchWrite, detected, many, plainKey, type RuleSamples, s, wideKey } from "./requests.ts";

/** Samples of the rules for batches. */
export const batchSamples: Readonly<Record<string, RuleSamples>> = {
  "batch-not-empty": {
    breaks: [
      { request: batchGet({}), message: "The requestItems parameter is required for BatchGetItem" },
      { request: batchWrite({}), message: "The requestItems parameter is required for BatchWriteItem" },
    ],
    keeps: [batchGet({ plain: { Keys: [plainKey] } })],
  },
  "batch-tables-not-empty": {
    breaks: [
      {
        request: batchGet({ plain: { Keys: [] } }),
        message: detected(
          "'[]'",
          "requestItems.plain.member.keys",
          "Member must have length greater than or equal to 1",
        ),
      },
      {
        request: batchWrite({ plain: [] }),
        message: detected(
          "'{plain=[]}'",
          "requestItems",
          "Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]",
        ),
      },
    ],
    keeps: [batchWrite({ plain: [{ DeleteRequest: { Key: plainKey } }] })],
  },
  "batch-size-of-reads": {
    breaks: [
      {
        request: batchGet({ plain: { Keys: many(101, (index) => ({ pk: s(`${index}`) })) } }),
        message:
          "1 validation error detected: Value at 'RequestItems.plain.member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100",
      },
      {
        request: batchGet({
          plain: { Keys: many(100, (index) => ({ pk: s(`${index}`) })) },
          wide: { Keys: [wideKey] },
        }),
        message: "Too many items requested for the BatchGetItem call",
      },
    ],
    keeps: [
      batchGet({
        plain: { Keys: many(99, (index) => ({ pk: s(`${index}`) })) },
        wide: { Keys: [wideKey] },
      }),
    ],
  },
  "batch-size-of-writes": {
    breaks: [
      {
        request: batchWrite({
          plain: many(26, (index) => ({ PutRequest: { Item: { pk: s(`${index}`) } } })),
        }),
        message: "Too many items requested for the BatchWriteItem call",
      },
    ],
    keeps: [batchWrite({ plain: many(25, (index) => ({ PutRequest: { Item: { pk: s(`${index}`) } } })) })],
  },
  "batch-write-not-empty": {
    breaks: [
      {
        request: batchWrite({ plain: [{}] }),
        message:
          "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
      },
    ],
    keeps: [batchWrite({ plain: [{ DeleteRequest: { Key: plainKey } }] })],
  },
  "batch-write-not-both": {
    breaks: [
      {
        request: batchWrite({
          plain: [{ PutRequest: { Item: plainKey }, DeleteRequest: { Key: { pk: s("other") } } }],
        }),
        message:
          "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
      },
    ],
    keeps: [
      batchWrite({
        plain: [{ PutRequest: { Item: plainKey } }, { DeleteRequest: { Key: { pk: s("other") } } }],
      }),
    ],
  },
  "batch-keys-differ": {
    breaks: [
      {
        request: batchGet({ plain: { Keys: [plainKey, plainKey] } }),
        message: "Provided list of item keys contains duplicates",
      },
      {
        request: batchWrite({
          plain: [{ PutRequest: { Item: { ...plainKey, a: s("x") } } }, { DeleteRequest: { Key: plainKey } }],
        }),
        message: "Provided list of item keys contains duplicates",
      },
    ],
    keeps: [
      batchGet({ plain: { Keys: [plainKey, { pk: s("K") }] } }),
      batchGet({ wide: { Keys: [wideKey, { ...wideKey, sk: s("other") }] }, plain: { Keys: [plainKey] } }),
    ],
  },
};
