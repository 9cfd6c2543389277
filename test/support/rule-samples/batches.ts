import { batchGet, batchWrite, detected, many, plainKey, type RuleSamples, s, wideKey } from "./requests.ts";

/** Samples of the rules for batches. */
export const batchSamples: Readonly<Record<string, RuleSamples>> = {
  "batch-not-empty": {
    breaks: {
      "The requestItems parameter is required for BatchGetItem": batchGet({}),
      "The requestItems parameter is required for BatchWriteItem": batchWrite({}),
    },
    keeps: [batchGet({ plain: { Keys: [plainKey] } })],
  },
  "batch-tables-not-empty": {
    breaks: {
      [detected(
        "'[]'",
        "requestItems.plain.member.keys",
        "Member must have length greater than or equal to 1",
      )]: batchGet({ plain: { Keys: [] } }),
      [detected(
        "'{plain=[]}'",
        "requestItems",
        "Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]",
      )]: batchWrite({ plain: [] }),
    },
    keeps: [batchWrite({ plain: [{ DeleteRequest: { Key: plainKey } }] })],
  },
  "batch-size-of-reads": {
    breaks: {
      "1 validation error detected: Value at 'RequestItems.plain.member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100":
        batchGet({ plain: { Keys: many(101, (index) => ({ pk: s(`${index}`) })) } }),
      "Too many items requested for the BatchGetItem call": batchGet({
        plain: { Keys: many(100, (index) => ({ pk: s(`${index}`) })) },
        wide: { Keys: [wideKey] },
      }),
    },
    keeps: [
      batchGet({
        plain: { Keys: many(99, (index) => ({ pk: s(`${index}`) })) },
        wide: { Keys: [wideKey] },
      }),
    ],
  },
  "batch-size-of-writes": {
    breaks: {
      "Too many items requested for the BatchWriteItem call": batchWrite({
        plain: many(26, (index) => ({ PutRequest: { Item: { pk: s(`${index}`) } } })),
      }),
    },
    keeps: [batchWrite({ plain: many(25, (index) => ({ PutRequest: { Item: { pk: s(`${index}`) } } })) })],
  },
  "batch-write-not-empty": {
    breaks: {
      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes":
        batchWrite({ plain: [{}] }),
    },
    keeps: [batchWrite({ plain: [{ DeleteRequest: { Key: plainKey } }] })],
  },
  "batch-write-not-both": {
    breaks: {
      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes":
        batchWrite({
          plain: [{ PutRequest: { Item: plainKey }, DeleteRequest: { Key: { pk: s("other") } } }],
        }),
    },
    keeps: [
      batchWrite({
        plain: [{ PutRequest: { Item: plainKey } }, { DeleteRequest: { Key: { pk: s("other") } } }],
      }),
    ],
  },
  "batch-keys-differ": {
    breaks: {
      "Provided list of item keys contains duplicates": [
        batchGet({ plain: { Keys: [plainKey, plainKey] } }),
        batchWrite({
          plain: [{ PutRequest: { Item: { ...plainKey, a: s("x") } } }, { DeleteRequest: { Key: plainKey } }],
        }),
      ],
    },
    keeps: [
      batchGet({ plain: { Keys: [plainKey, { pk: s("K") }] } }),
      batchGet({ wide: { Keys: [wideKey, { ...wideKey, sk: s("other") }] }, plain: { Keys: [plainKey] } }),
    ],
  },
};
