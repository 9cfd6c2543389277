import {
  batchWrite,
  filter,
  INVALID,
  letters,
  n,
  nested,
  plainKey,
  put,
  type RuleSamples,
  s,
  update,
} from "./requests.ts";

/** Samples of the rules for values. */
export const valueSamples: Readonly<Record<string, RuleSamples>> = {
  "binary-is-base64": {
    breaks: {
      "Base64 encoded length is expected a multiple of 4 bytes but found: 3": put({ a: { B: "abc" } }),
      "Invalid last non-pad Base64 character dectected": put({ a: { B: "ab==" } }),
    },
    keeps: [put({ a: { B: "YQ==" } }), put({ a: { B: "" } })],
  },
  "one-data-type": {
    breaks: {
      "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes": put({ a: {} }),
      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes":
        put({ a: { S: "x", N: "1" } }),
      "ExpressionAttributeValues contains invalid value: Supplied AttributeValue is empty, must contain exactly one of the supported datatypes for key :v":
        filter("a = :v", { ":v": {} }),
    },
    keeps: [put({ a: { S: "" } })],
  },
  "null-is-true": {
    breaks: {
      [`${INVALID}Null attribute value types must have the value of true`]: put({ a: { NULL: false } }),
    },
    keeps: [put({ a: { NULL: true } })],
  },
  "number-form": {
    breaks: {
      "The parameter cannot be converted to a numeric value: one": put({ a: n("one") }),
      "The parameter cannot be converted to a numeric value": put({ a: n("") }),
      "The parameter cannot be converted to a numeric value: 0x1": put({ a: { NS: ["1", "0x1"] } }),
    },
    keeps: [put({ a: n("-1.5e3") }), put({ a: { NS: ["1", "00.10"] } })],
  },
  "number-range": {
    breaks: {
      "Number overflow. Attempting to store a number with magnitude larger than supported range": put({
        a: n("1E126"),
      }),
      "Number underflow. Attempting to store a number with magnitude smaller than supported range": put({
        a: n("-1E-131"),
      }),
    },
    keeps: [put({ a: n("-9.9999999999999999999999999999999999999E+125") }), put({ a: n("1E-130") })],
  },
  "number-digits": {
    breaks: {
      "Attempting to store more than 38 significant digits in a Number": put({ a: n(`1${"2".repeat(38)}`) }),
    },
    keeps: [put({ a: n(`00${"2".repeat(38)}00`) })],
  },
  "set-not-empty": {
    breaks: {
      [`${INVALID}An string set  may not be empty`]: [
        put({ a: { SS: [] } }),
        put({ a: { M: { b: { SS: [] } } } }),
      ],
      [`${INVALID}An number set  may not be empty`]: put({ a: { NS: [] } }),
      [`${INVALID}Binary sets should not be empty`]: put({ a: { BS: [] } }),
    },
    keeps: [put({ a: { SS: ["x"] } }), put({ a: { L: [] } })],
  },
  "set-elements-differ": {
    breaks: {
      [`${INVALID}Input collection [a, a] contains duplicates.`]: put({ a: { SS: ["a", "a"] } }),
      "Input collection contains duplicates": put({ a: { NS: ["1", "1.0"] } }),
      [`${INVALID}Input collection [YQ==, YQ==]of type BS contains duplicates.`]: put({
        a: { BS: ["YQ==", "YQ=="] },
      }),
    },
    keeps: [put({ a: { SS: ["a", "A"] } }), put({ a: { L: [s("a"), s("a")] } })],
  },
  nesting: {
    breaks: {
      "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit":
        [
          put({ a: nested(33) }),
          update("SET m.b = :v", { ":v": nested(32) }),
          update("SET m.b = if_not_exists(m.c, :v)", { ":v": nested(32) }),
          update("SET m.b = list_append(:v, m.c)", { ":v": { L: [nested(31)] } }),
        ],
    },
    keeps: [
      put({ pk: s("l"), a: nested(32) }),
      update("SET m = if_not_exists(m, :m)", { ":m": { M: { b: s("x") } } }),
      update("SET m.b = :v", { ":v": nested(31) }),
    ],
  },
  "item-size": {
    breaks: {
      "Item size has exceeded the maximum allowed size": [
        put({ a: s(letters(409_600 - 3)) }),
        batchWrite({ plain: [{ PutRequest: { Item: { ...plainKey, a: s(letters(409_597)) } } }] }),
        put({ a: s("é".repeat(204_799)) }),
      ],
    },
    keeps: [put({ pk: s("l"), a: s(letters(409_600 - 4)) }), put({ pk: s("l"), a: s("é".repeat(204_798)) })],
  },
};
