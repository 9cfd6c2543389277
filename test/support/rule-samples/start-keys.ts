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
    breaks: [
      {
        request: read({ ExclusiveStartKey: { pk: s("k") } }),
        message: "The provided starting key is invalid",
      },
      {
        request: read({ ExclusiveStartKey: { ...wideKey, a: s("x") } }),
        message: "The provided starting key is invalid",
      },
      {
        request: readIndex("by-all", { ExclusiveStartKey: { g: s("k"), h: s("h") } }),
        message: "The provided starting key is invalid",
      },
      {
        request: scan({ ExclusiveStartKey: { other: s("k") } }),
        message: "The provided starting key is invalid: The provided key element does not match the schema",
      },
      {
        request: scan({ ExclusiveStartKey: { pk: n("1") } }),
        message: "The provided starting key is invalid: The provided key element does not match the schema",
      },
    ],
    keeps: [
      read({ ExclusiveStartKey: wideKey }),
      readIndex("by-all", { ExclusiveStartKey: { ...wideKey, g: s("k"), h: s("h") } }),
      scan({ ExclusiveStartKey: plainKey }),
    ],
  },
  "start-key-values": {
    breaks: [
      {
        request: scan({ ExclusiveStartKey: { pk: s("") } }),
        message: `The provided starting key is invalid: ${NOT_VALID}The AttributeValue for a key attribute cannot contain an empty string value. Key: pk`,
      },
      {
        request: scan({ ExclusiveStartKey: { pk: s(letters(2049)) } }),
        message: `The provided starting key is invalid: ${INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes`,
      },
    ],
    keeps: [scan({ ExclusiveStartKey: { pk: s(letters(2048)) } })],
  },
  "start-key-in-partition": {
    breaks: [
      {
        request: read({ ExclusiveStartKey: { pk: s("other"), sk: s("s") } }),
        message: "The provided starting key is outside query boundaries based on provided conditions",
      },
      {
        request: readIndex("by-all", { ExclusiveStartKey: { ...wideKey, g: s("other"), h: s("h") } }),
        message: "The provided starting key is outside query boundaries based on provided conditions",
      },
    ],
    keeps: [read({ ExclusiveStartKey: wideKey })],
  },
  "start-key-in-range": {
    breaks: [
      {
        request: query("pk = :k AND sk > :s", { ":k": s("k"), ":s": s("s") }, { ExclusiveStartKey: wideKey }),
        message: "The provided starting key does not match the range key predicate",
      },
      {
        request: query(
          "pk = :k AND begins_with(sk, :s)",
          { ":k": s("k"), ":s": s("t") },
          { ExclusiveStartKey: wideKey },
        ),
        message: "The provided starting key does not match the range key predicate",
      },
      {
        request: query(
          "g = :k AND h BETWEEN :a AND :b",
          { ":k": s("k"), ":a": s("a"), ":b": s("b") },
          { IndexName: "by-all", ExclusiveStartKey: { ...wideKey, g: s("k"), h: s("bb") } },
        ),
        message: "The provided starting key does not match the range key predicate",
      },
    ],
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
