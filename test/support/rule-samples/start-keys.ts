import {
  INVALID,
  letters,
  NOT_VALID,
  n,
  plainKey,
  query,
  type RuleSamples,
  read,
  readIndex,
  s,
  scan,
  wideKey,
} from "./requests.ts";

/** Samples of the rules for the key that a read begins after. */
export const startKeySamples: Readonly<Record<string, RuleSamples>> = {
  "start-key-form": {
    breaks: {
      "The provided starting key is invalid": [
        read({ ExclusiveStartKey: { pk: s("k") } }),
        read({ ExclusiveStartKey: { ...wideKey, a: s("x") } }),
        readIndex("by-all", { ExclusiveStartKey: { g: s("k"), h: s("h") } }),
      ],
      "The provided starting key is invalid: The provided key element does not match the schema": [
        scan({ ExclusiveStartKey: { other: s("k") } }),
        scan({ ExclusiveStartKey: { pk: n("1") } }),
      ],
    },
    keeps: [
      read({ ExclusiveStartKey: wideKey }),
      readIndex("by-all", { ExclusiveStartKey: { ...wideKey, g: s("k"), h: s("h") } }),
      scan({ ExclusiveStartKey: plainKey }),
    ],
  },
  "start-key-values": {
    breaks: {
      [`The provided starting key is invalid: ${NOT_VALID}The AttributeValue for a key attribute cannot contain an empty string value. Key: pk`]:
        scan({ ExclusiveStartKey: { pk: s("") } }),
      [`The provided starting key is invalid: ${INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes`]:
        scan({ ExclusiveStartKey: { pk: s(letters(2049)) } }),
    },
    keeps: [scan({ ExclusiveStartKey: { pk: s(letters(2048)) } })],
  },
  "start-key-in-partition": {
    breaks: {
      "The provided starting key is outside query boundaries based on provided conditions": [
        read({ ExclusiveStartKey: { pk: s("other"), sk: s("s") } }),
        readIndex("by-all", { ExclusiveStartKey: { ...wideKey, g: s("other"), h: s("h") } }),
      ],
    },
    keeps: [read({ ExclusiveStartKey: wideKey })],
  },
  "start-key-in-range": {
    breaks: {
      "The provided starting key does not match the range key predicate": [
        query("pk = :k AND sk > :s", { ":k": s("k"), ":s": s("s") }, { ExclusiveStartKey: wideKey }),
        query(
          "pk = :k AND begins_with(sk, :s)",
          { ":k": s("k"), ":s": s("t") },
          { ExclusiveStartKey: wideKey },
        ),
        query(
          "g = :k AND h BETWEEN :a AND :b",
          { ":k": s("k"), ":a": s("a"), ":b": s("b") },
          { IndexName: "by-all", ExclusiveStartKey: { ...wideKey, g: s("k"), h: s("bb") } },
        ),
      ],
    },
    keeps: [
      query("pk = :k AND sk >= :s", { ":k": s("k"), ":s": s("s") }, { ExclusiveStartKey: wideKey }),
      query(
        "pk = :k AND begins_with(sk, :s)",
        { ":k": s("k"), ":s": s("s") },
        { ExclusiveStartKey: { ...wideKey, sk: s("sx") } },
      ),
      query(
        "g = :k AND h BETWEEN :a AND :b",
        { ":k": s("k"), ":a": s("a"), ":b": s("b") },
        { IndexName: "by-all", ExclusiveStartKey: { ...wideKey, g: s("k"), h: s("b") } },
      ),
    ],
  },
};
