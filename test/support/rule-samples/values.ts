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
    breaks: [
      {
        request: put({ a: { B: "abc" } }),
        message: "Base64 encoded length is expected a multiple of 4 bytes but found: 3",
      },
      { request: put({ a: { B: "ab==" } }), message: "Invalid last non-pad Base64 character dectected" },
    ],
    keeps: [put({ a: { B: "YQ==" } }), put({ a: { B: "" } })],
  },
  "one-data-type": {
    breaks: [
      {
        request: put({ a: {} }),
        message: "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
      },
      {
        request: put({ a: { S: "x", N: "1" } }),
        message:
          "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
      },
      {
        request: filter("a = :v", { ":v": {} }),
        message:
          "ExpressionAttributeValues contains invalid value: Supplied AttributeValue is empty, must contain exactly one of the supported datatypes for key :v",
      },
    ],
    keeps: [put({ a: { S: "" } })],
  },
  "null-is-true": {
    breaks: [
      {
        request: put({ a: { NULL: false } }),
        message: `${INVALID}Null attribute value types must have the value of true`,
      },
    ],
    keeps: [put({ a: { NULL: true } })],
  },
  "number-form": {
    breaks: [
      { request: put({ a: n("one") }), message: "The parameter cannot be converted to a numeric value: one" },
      { request: put({ a: n("") }), message: "The parameter cannot be converted to a numeric value" },
      {
        request: put({ a: { NS: ["1", "0x1"] } }),
        message: "The parameter cannot be converted to a numeric value: 0x1",
      },
    ],
    keeps: [put({ a: n("-1.5e3") }), put({ a: { NS: ["1", "00.10"] } })],
  },
  "number-range": {
    breaks: [
      {
        request: put({ a: n("1E126") }),
        message: "Number overflow. Attempting to store a number with magnitude larger than supported range",
      },
      {
        request: put({ a: n("-1E-131") }),
        message: "Number underflow. Attempting to store a number with magnitude smaller than supported range",
      },
    ],
    keeps: [put({ a: n("-9.9999999999999999999999999999999999999E+125") }), put({ a: n("1E-130") })],
  },
  "number-digits": {
    breaks: [
      {
        request: put({ a: n(`1${"2".repeat(38)}`) }),
        message: "Attempting to store more than 38 significant digits in a Number",
      },
    ],
    keeps: [put({ a: n(`00${"2".repeat(38)}00`) })],
  },
  "set-not-empty": {
    breaks: [
      { request: put({ a: { SS: [] } }), message: `${INVALID}An string set  may not be empty` },
      { request: put({ a: { NS: [] } }), message: `${INVALID}An number set  may not be empty` },
      { request: put({ a: { BS: [] } }), message: `${INVALID}Binary sets should not be empty` },
      {
        request: put({ a: { M: { b: { SS: [] } } } }),
        message: `${INVALID}An string set  may not be empty`,
      },
    ],
    keeps: [put({ a: { SS: ["x"] } }), put({ a: { L: [] } })],
  },
  "set-elements-differ": {
    breaks: [
      {
        request: put({ a: { SS: ["a", "a"] } }),
        message: `${INVALID}Input collection [a, a] contains duplicates.`,
      },
      { request: put({ a: { NS: ["1", "1.0"] } }), message: "Input collection contains duplicates" },
      {
        request: put({ a: { BS: ["YQ==", "YQ=="] } }),
        message: `${INVALID}Input collection [YQ==, YQ==]of type BS contains duplicates.`,
      },
    ],
    keeps: [put({ a: { SS: ["a", "A"] } }), put({ a: { L: [s("a"), s("a")] } })],
  },
  nesting: {
    breaks: [
      {
        request: put({ a: nested(33) }),
        message:
          "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit",
      },
      ...["SET m.b = :v", "SET m.b = if_not_exists(m.c, :v)", "SET m.b = list_append(:v, m.c)"].map(
        (expression) => ({
          request: update(expression, {
            ExpressionAttributeValues: {
              ":v": expression.includes("list") ? { L: [nested(31)] } : nested(32),
            },
          }),
          message:
            "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit",
        }),
      ),
    ],
    keeps: [
      put({ pk: s("l"), a: nested(32) }),
      update("SET m = if_not_exists(m, :m)", { ExpressionAttributeValues: { ":m": { M: { b: s("x") } } } }),
      update("SET m.b = :v", { ExpressionAttributeValues: { ":v": nested(31) } }),
    ],
  },
  "item-size": {
    breaks: [
      {
        request: put({ a: s(letters(409_600 - 3)) }),
        message: "Item size has exceeded the maximum allowed size",
      },
      {
        request: batchWrite({ plain: [{ PutRequest: { Item: { ...plainKey, a: s(letters(409_597)) } } }] }),
        message: "Item size has exceeded the maximum allowed size",
      },
      {
        request: put({ a: s("é".repeat(204_799)) }),
        message: "Item size has exceeded the maximum allowed size",
      },
    ],
    keeps: [put({ pk: s("l"), a: s(letters(409_600 - 4)) }), put({ pk: s("l"), a: s("é".repeat(204_798)) })],
  },
};
