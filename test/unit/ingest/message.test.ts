import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isOwnerId } from "../../../lib/id.ts";
import { cutElements, cutMembers } from "../../../lib/ingest/cut-json.ts";
import {
  MESSAGE_BYTES_MAX,
  MESSAGE_RECORDS_MAX,
  type MessageHead,
  readMessage,
} from "../../../lib/ingest/message.ts";
import { writeMessage } from "../../../lib/ingest/write-message.ts";

const reasonOf = (body: string) => {
  const read = readMessage(body);
  return read.ok ? undefined : `${read.reason}: ${read.detail}`;
};

const bothOrNone = "invalid_message: exactly one of record and records must be given";

describe("a message", () => {
  test.each([
    ['{"kind":"transaction","owner":"acme","record":{"id":"a"}}', "transaction", "acme"],
    ['{"kind":"sell_order","owner":"ramp","records":[{"id":"a"}]}', "sell_order", "ramp"],
    ['{"kind":"trade","owner":"BTC-USD","revision":2,"record":{"id":"a"}}', "trade", "BTC-USD"],
    ['{"kind":"pass","record":{"id":"a"}}', "pass", undefined],
    ['{"kind":"market","record":{"id":"a"}}', "market", undefined],
  ])("of each kind is read: %s", (body, kind, owner) => {
    const read = readMessage(body);
    expect(read).toMatchObject({ ok: true, message: { kind, records: ['{"id":"a"}'] } });
    expect(read.ok && read.message.owner).toBe(owner);
  });

  test("keeps each record to the letter, with its digits, white space and escapes", () => {
    const records = ['{ "a" : 1.50, "b":"}],\\"\\u0041" }', "-0.00", '[1e400,  {"x":[]}]', "null", '""'];
    const body = ` {"records" : [ ${records.join(" ,\n")} ], "kind":"pass" } `;
    expect(readMessage(body)).toEqual({ ok: true, message: { kind: "pass", records } });
  });

  test.each<[string, string | RegExp]>([
    ["{", "not_json: the message must be one JSON object"],
    ["[]", /^not_json/],
    ["null", /^not_json/],
    [
      '{"kind":"order","record":{}}',
      "unknown_kind: kind must be one of transaction, sell_order, trade, pass, market",
    ],
    ['{"record":{}}', /^unknown_kind/],
    ['{"kind":"transaction","record":{}}', "invalid_message: owner is required"],
    [
      '{"kind":"trade","owner":"btc","record":{}}',
      "invalid_message: owner must be a market's symbol, such as BTC-USD",
    ],
    [
      '{"kind":"pass","owner":"a","record":{}}',
      "invalid_message: owner is not a member that the contract knows",
    ],
    ['{"kind":"pass","revision":1,"record":{}}', /^invalid_message: revision/],
    // A kind that we know counts as one, whatever members of wrappers there are.
    ['{"kind":"pass","record":{},"detail-type":"a","detail":{}}', /^invalid_message: /],
    ['{"kind":"pass"}', bothOrNone],
    ['{"kind":"pass","record":{},"records":[{}]}', bothOrNone],
    ['{"kind":"pass","record":1,"r\\u0065cord":2}', "invalid_message: record is given twice"],
    ['{"kind":"pass","records":[]}', "invalid_message: records must have a record"],
    ['{"kind":"pass","records":{"0":{}}}', "invalid_message: records must be an array"],
  ])("%s is told apart: %s", (body, reason) => {
    if (typeof reason === "string") expect(reasonOf(body)).toBe(reason);
    else expect(reasonOf(body)).toMatch(reason);
  });

  test.each(["\ufeff", "\ufeff \n", "\u00a0\t"])(
    "may have %j around it, as a line of an import may",
    (around) => {
      const body = `${around}{"kind":"pass","record":{"a":1.0}}${around}`;
      expect(readMessage(body)).toEqual({ ok: true, message: { kind: "pass", records: ['{"a":1.0}'] } });
    },
  );

  const bare = '{"kind":"pass","record":{}}';
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  test.each([
    ["unknown_kind", "SNS", "RawMessageDelivery", { Type: "Notification", Message: bare }],
    ["unknown_kind", "EventBridge", "InputPath", { "detail-type": "record", detail: { kind: "pass" } }],
    ["unknown_kind", "CloudEvents", "data alone", { specversion: "1.0", type: "t", data: {} }],
    [
      "not_json",
      "extended client",
      "alwaysThroughS3",
      ["software.amazon.payloadoffloading.PayloadS3Pointer", {}],
    ],
    ["not_json", "extended client", "240 KiB", ["com.amazon.sqs.javamessaging.MessageS3Pointer", {}]],
    ["not_json", "a second encoding", "once", bare],
  ])("is rejected as %s when it comes wrapped by %s, with the setting that sends it bare", (...row) => {
    const [reason, wrapper, setting, document] = row;
    const told = reasonOf(JSON.stringify(document)) ?? "";
    expect(told.startsWith(`${reason}: the message is wrapped by `)).toBe(true);
    expect([told.includes(wrapper), told.includes(setting)]).toEqual([true, true]);
  });

  test.each([bare, `{ ${bare.slice(1)}`, `{\n${bare.slice(1)}`])("is recognised in Base64: %j", (text) => {
    expect(reasonOf(base64(text))).toMatch(/^not_json: the message is wrapped by an encoding in Base64/);
  });

  test.each([0, 1_000_000])("takes the revision %s of trades", (revision) => {
    const head: MessageHead = { kind: "trade", owner: "BTC-USD", revision };
    expect(readMessage(writeMessage(head, ["{}"]))).toMatchObject({ ok: true, message: { revision } });
  });

  test.each([-1, 0.5, 1_000_001])("refuses the revision %s", (revision) => {
    const head: MessageHead = { kind: "trade", owner: "BTC-USD", revision };
    expect(reasonOf(writeMessage(head, ["{}"]))).toMatch(/^invalid_message: revision must be a whole/);
  });

  test("has 1,000 records and 240 KiB at most", () => {
    const ofCount = (count: number) => writeMessage({ kind: "pass" }, Array<string>(count).fill("1"));
    expect(reasonOf(ofCount(MESSAGE_RECORDS_MAX))).toBeUndefined();
    expect(reasonOf(ofCount(MESSAGE_RECORDS_MAX + 1))).toMatch(/^invalid_message: records must have at most/);
    const frame = writeMessage({ kind: "pass" }, ['""']);
    const ofBytes = (bytes: number) => frame.replace('""', `"${"é".repeat((bytes - frame.length) / 2)}"`);
    const even = frame.length % 2;
    expect(reasonOf(ofBytes(MESSAGE_BYTES_MAX - even))).toBeUndefined();
    expect(reasonOf(ofBytes(MESSAGE_BYTES_MAX + 2 - even))).toMatch(/^too_large/);
  });

  test("never tells a value or a long number of the message", () => {
    const card = "4111111111111111";
    for (const body of [
      `{"kind":"${card}","record":{}}`,
      `{"kind":"pass","${card}":1,"record":{}}`,
      `{"kind":"trade","owner":"${card}","record":{}}`,
      `{"kind":"pass","record":{},"record":${card}}`,
      `{"kind":${card}`,
    ])
      expect(reasonOf(body)).not.toContain("411");
  });
});

const json = fc.json({ maxDepth: 4 });
const spaces = fc.stringMatching(/^[ \t\r\n]{0,2}$/);

describe("texts are cut out of JSON as they are", () => {
  test("elements, whatever they are and stand between", () => {
    fc.assert(
      fc.property(fc.array(json), spaces, (texts, space) => {
        const trimmed = texts.map((text) => text.trim());
        const array = `${space}[${space}${texts.join(`${space},${space}`)}${space}]${space}`;
        expect(cutElements(array)).toEqual(trimmed);
      }),
    );
  });

  test("members, whatever their names", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), json)), spaces, (members, space) => {
        const texts = members.map(([name, value]) => `${JSON.stringify(name)}${space}:${space}${value}`);
        expect(cutMembers(`{${space}${texts.join(",")}${space}}`)).toEqual(
          members.map(([name, value]) => [name, value.trim()]),
        );
      }),
    );
  });
});

/** Whether SQS takes a character in a body (its quotas of messages). */
function isTaken(character: string): boolean {
  const point = character.codePointAt(0) ?? 0;
  return [0x9, 0xa, 0xd].includes(point) || (point >= 0x20 && point !== 0xfffe && point !== 0xffff);
}

test("what is written is read again with the same head and texts, in characters that SQS takes", () => {
  const owner = fc.string({ unit: "binary", minLength: 1, maxLength: 60 }).filter(isOwnerId);
  const text = fc.oneof(
    json,
    fc.string({ unit: "binary" }).map((value) => JSON.stringify(value)),
  );
  fc.assert(
    fc.property(owner, fc.array(text, { minLength: 1, maxLength: 5 }), (name, texts) => {
      const body = writeMessage({ kind: "transaction", owner: name }, texts);
      expect(Array.from(body).filter((character) => !isTaken(character))).toEqual([]);
      const read = readMessage(body);
      expect(read).toMatchObject({ ok: true, message: { kind: "transaction", owner: name } });
      const records: readonly string[] = read.ok ? read.message.records : [];
      expect(records.map((record): unknown => JSON.parse(record))).toEqual(
        texts.map((record): unknown => JSON.parse(record)),
      );
    }),
  );
});
