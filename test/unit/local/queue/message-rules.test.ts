import { describe, expect, test } from "vitest";
import type { SqsQueue } from "../../../../local/queue/fauxqs.ts";
import { faultOf, type GivenMessage } from "../../../../local/queue/message-rules.ts";

const queue = { attributes: { MaximumMessageSize: "262144" } } as unknown as SqsQueue;
const faultIn = (given: GivenMessage) => faultOf({ MessageBody: "a", ...given }, queue)?.message;
const withAttribute = (name: string, value: object) => faultIn({ MessageAttributes: { [name]: value } });
const text = (StringValue: string) => ({ DataType: "String", StringValue });
const number = (StringValue: string) => ({ DataType: "Number", StringValue });

describe("the local queue takes what SQS takes, and refuses what SQS refuses", () => {
  test.each([0, 900])("a delay of %s s", (DelaySeconds) => {
    expect(faultIn({ DelaySeconds })).toBeUndefined();
  });
  test.each([-1, 901])("no delay of %s s", (DelaySeconds) => {
    expect(faultIn({ DelaySeconds })).toContain("DelaySeconds must be >= 0 and <= 900");
  });

  test.each(["a", "A_b-c.d9", "aws", "awsx.a", "a".repeat(256)])("an attribute called %s", (name) => {
    expect(withAttribute(name, text("a"))).toBeUndefined();
  });
  test.each(["", ".a", "a.", "a..b", "a b", "é", "aws.a", "AmaZon.a", "a".repeat(257)])(
    "no attribute called %j",
    (name) => expect(withAttribute(name, text("a"))).toContain("attribute name"),
  );

  test.each(["String", "String.json", "Number.int", "Binary.png"])(
    "an attribute of the type %s",
    (DataType) => {
      expect(withAttribute("a", { DataType, StringValue: "1", BinaryValue: "YQ==" })).toBeUndefined();
    },
  );
  test.each([undefined, "", "string", "Strings", "String.", "Text"])(
    "no attribute of the type %j",
    (DataType) => {
      expect(withAttribute("a", { StringValue: "1", ...(DataType !== undefined && { DataType }) })).toContain(
        "attribute type",
      );
    },
  );

  test.each(["\t\n\r ~é", "\u{d7ff}\u{e000}\u{fffd}\u{1f680}\u{1ffff}"])("the value %j", (value) => {
    expect(withAttribute("a", text(value))).toBeUndefined();
    expect(faultIn({ MessageBody: value })).toBeUndefined();
  });
  test.each(["\u0000", "\u000b", "\u001b", "\ud800", "\udc00a", "\ufffe", "\uffff"])(
    "no value with %j",
    (value) => {
      expect(withAttribute("a", text(`a${value}`))).toContain("Invalid characters");
      expect(faultIn({ MessageBody: `a${value}` })).toContain("Invalid characters");
    },
  );
  test("no empty value", () => {
    expect(withAttribute("a", text(""))).toContain("non-empty value of type String");
    expect(withAttribute("a", { DataType: "Binary", StringValue: "a" })).toContain("in BinaryValue");
    expect(withAttribute("a", { DataType: "Number", BinaryValue: "YQ==" })).toContain("in StringValue");
  });

  test.each(["0", "-1.5", "+.5e-10", `0.${"1".repeat(38)}`, "1e126", "-1e128"])("the number %s", (value) => {
    expect(withAttribute("a", number(value))).toBeUndefined();
  });
  test.each(["nope", "0x1", "", " 1", "1,5", "Infinity", "1".repeat(39), "1e127", "-1e129"])(
    "no number %j",
    (value) => expect(withAttribute("a", number(value))).toBeDefined(),
  );

  test("ten attributes, and no more", () => {
    const many = (count: number) =>
      faultIn({
        MessageAttributes: Object.fromEntries(
          Array.from({ length: count }, (_, at) => [`a${at}`, text("b")]),
        ),
      });
    expect(many(10)).toBeUndefined();
    expect(many(11)).toContain("exceeds the allowed maximum [10]");
  });

  test("a trace header, and no other system attribute", () => {
    const header = (name: string, value: object) => faultIn({ MessageSystemAttributes: { [name]: value } });
    expect(header("AWSTraceHeader", text("Root=1"))).toBeUndefined();
    expect(header("AWSTraceHeader", number("1"))).toBeDefined();
    expect(header("Other", text("a"))).toBeDefined();
  });

  test("a group, as fair queues have them, and nothing of a queue with an order", () => {
    expect(faultIn({ MessageGroupId: `acme/${"a".repeat(123)}` })).toBeUndefined();
    for (const MessageGroupId of ["", "a b", "é", "a".repeat(129)])
      expect(faultIn({ MessageGroupId })).toContain("MessageGroupId");
    expect(faultIn({ MessageDeduplicationId: "a" })).toContain("MessageDeduplicationId");
  });
});
