import { describe, expect, test } from "vitest";
import type { SqsQueue } from "../../../../local/queue/fauxqs.ts";
import { faultOf, type GivenMessage } from "../../../../local/queue/message-rules.ts";

const queue = { attributes: { MaximumMessageSize: "262144" } } as unknown as SqsQueue;
const faultIn = (given: GivenMessage) => faultOf({ MessageBody: "a", ...given }, queue)?.message;
const withAttribute = (name: string, value: object) => faultIn({ MessageAttributes: { [name]: value } });
const text = (StringValue: string) => ({ DataType: "String", StringValue });
const number = (StringValue: string) => ({ DataType: "Number", StringValue });

/** Tests a rule with values that SQS takes, and with others that it refuses in these words. */
function rule<Value>(
  what: string,
  fault: (value: Value) => string | undefined,
  { taken, refused, words }: Readonly<Record<"taken" | "refused", readonly Value[]>> & { words: string },
): void {
  test.each(taken)(`${what} %j`, (value) => expect(fault(value)).toBeUndefined());
  test.each(refused)(`no ${what} %j`, (value) => expect(fault(value)).toContain(words));
}

describe("the local queue takes what SQS takes, and refuses what SQS refuses", () => {
  rule("delay", (DelaySeconds: number) => faultIn({ DelaySeconds }), {
    taken: [0, 900],
    refused: [-1, 901],
    words: "DelaySeconds must be >= 0 and <= 900",
  });
  rule("name of an attribute", (name: string) => withAttribute(name, text("a")), {
    taken: ["a", "A_b-c.d9", "aws", "awsx.a", "a".repeat(256)],
    refused: ["", ".a", "a.", "a..b", "a b", "é", "aws.a", "AmaZon.a", "a".repeat(257)],
    words: "attribute name",
  });
  rule("type", (type: object) => withAttribute("a", { StringValue: "1", BinaryValue: "YQ==", ...type }), {
    taken: ["String", "String.json", "Number.int", "Binary.png"].map((DataType) => ({ DataType })),
    refused: [{}, ...["", "string", "Strings", "String.", "Text"].map((DataType) => ({ DataType }))],
    words: "attribute type",
  });
  const texts = {
    taken: ["\t\n\r ~é", "\u{d7ff}\u{e000}\u{fffd}\u{1f680}\u{1ffff}"],
    refused: ["a\u0000", "a\u000b", "a\u001b", "a\ud800", "a\udc00a", "a\ufffe", "a\uffff"],
    words: "Invalid characters",
  };
  rule("value", (value: string) => withAttribute("a", text(value)), texts);
  rule("body", (MessageBody: string) => faultIn({ MessageBody }), texts);
  rule("number", (value: string) => withAttribute("a", number(value)), {
    taken: ["0", "-1.5", "+.5e-10", `0.${"1".repeat(38)}`, "1e126", "-1e128"],
    refused: ["nope", "0x1", " 1", "1,5", "Infinity", "1".repeat(39), "1e127", "-1e129"],
    words: "as a number",
  });

  test("no empty value", () => {
    expect(withAttribute("a", text(""))).toContain("non-empty value of type String");
    expect(withAttribute("a", number(""))).toContain("non-empty value of type Number");
    expect(withAttribute("a", { DataType: "Binary", StringValue: "a" })).toContain("in BinaryValue");
    expect(withAttribute("a", { DataType: "Number", BinaryValue: "YQ==" })).toContain("in StringValue");
  });

  test("ten attributes, and no more", () => {
    const named = (_: unknown, at: number) => [`a${at}`, text("b")];
    const many = (length: number) =>
      faultIn({ MessageAttributes: Object.fromEntries(Array.from({ length }, named)) });
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
