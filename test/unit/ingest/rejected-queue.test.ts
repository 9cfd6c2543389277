import type { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contractBrand } from "../../../lib/brand.ts";
import { Delivery } from "../../../lib/ingest/delivery.ts";
import { MESSAGE_BYTES_MAX } from "../../../lib/ingest/message.ts";
import { inCalls, RejectedQueue } from "../../../lib/ingest/rejected-queue.ts";
import type { Rejection } from "../../../lib/ingest/rejection.ts";
import { checkPass } from "../../../lib/passes/pass.ts";
import { checkTransaction } from "../../../lib/transactions/transaction.ts";

/** The characters of SQS's messages and attributes, by its API reference. */
const TAKEN = /^[\t\n\r\u{20}-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]+$/u;

const NOW = Date.UTC(2026, 10, 29);
const never = new AbortController().signal;

const rejection = (position: number, body = "{}"): Rejection => ({
  body,
  reason: "invalid_record",
  detail: "version must be a whole number",
  position,
  messageId: "m-1",
});

/** A queue whose calls are answered by a function, and those calls. */
function queueOver(answer: (ids: readonly string[]) => object) {
  const sent: SendMessageBatchCommand["input"][] = [];
  const send = async ({ input }: SendMessageBatchCommand) => {
    sent.push(input);
    return answer((input.Entries ?? []).map(({ Id = "" }) => Id));
  };
  const client = { send } as unknown as SQSClient;
  return { sent, queue: new RejectedQueue(client, "https://sqs.test/1/rejected") };
}

describe("a rejection", () => {
  test("is sent with its reason, its rule and its place as attributes", async () => {
    const { sent, queue } = queueOver((ids) => ({ Successful: ids.map((Id) => ({ Id })) }));
    const one = rejection(3, '{"kind":"pass","record":{}}');
    expect(await queue.send([one], NOW, never)).toEqual({ taken: [one], refusals: [] });
    const attribute = (StringValue: string) => ({ DataType: "String", StringValue });
    expect(sent).toEqual([
      {
        QueueUrl: "https://sqs.test/1/rejected",
        Entries: [
          {
            Id: "0",
            MessageBody: '{"kind":"pass","record":{}}',
            MessageAttributes: {
              reason: attribute("invalid_record"),
              detail: attribute("version must be a whole number"),
              position: attribute("3"),
              message_id: attribute("m-1"),
              rejected_at: attribute("2026-11-29T00:00:00.000Z"),
            },
          },
        ],
      },
    ]);
  });

  test("has its message's group, and characters that SQS takes, whatever names its message and its record have", async () => {
    const strange = fc.constantFrom("\ufffe", "\uffff", "\u0000", "\u001b", "\ud800", "\u{1ffff}");
    const name = fc.string({
      unit: fc.oneof(strange, fc.string({ unit: "binary", maxLength: 1 })),
      maxLength: 20,
    });
    // A message comes in characters that SQS takes; the others are escapes in it.
    const spell = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    const spelled = name.map((text) => JSON.stringify(text).replace(/[^ -~]/g, spell));
    const message = fc.oneof(
      spelled.map((member) => `{"kind":"transaction","owner":"a",${member}:1,"record":{}}`),
      spelled.map((member) => `{"kind":"transaction","owner":"a","record":{${member}:1}}`),
      spelled.map((member) => `{"kind":"transaction","owner":"a","record":{"merchant":{${member}:{}}}}`),
      spelled.map((member) => `{"kind":"pass","record":{${member}:1,${member}:2}}`),
    );
    await fc.assert(
      fc.asyncProperty(message, async (body) => {
        const { sent, queue } = queueOver((ids) => ({ Successful: ids.map((Id) => ({ Id })) }));
        const attributes = { ApproximateReceiveCount: "1", MessageGroupId: "transaction/a" };
        const delivery = new Delivery({ messageId: "m", body, attributes });
        for (const record of delivery.records) {
          const checked =
            record.head.kind === "pass"
              ? checkPass(record.text)
              : checkTransaction(contractBrand, "a", record.text);
          if (!checked.ok) delivery.reject(record, "invalid_record", checked.reason);
        }
        expect(delivery.rejections).toHaveLength(1);
        await queue.send(delivery.rejections, NOW, never);
        const texts = (sent[0]?.Entries ?? []).flatMap(({ MessageAttributes = {}, MessageBody = "" }) => [
          MessageBody,
          ...Object.values(MessageAttributes).map(({ StringValue = "" }) => StringValue),
        ]);
        for (const text of texts) expect(text).toMatch(TAKEN);
        expect(sent[0]?.Entries?.[0]?.MessageGroupId).toBe("transaction/a");
      }),
    );
  });

  test("counts as sent only if SQS says so: not one that it refuses, and not one that its answer leaves out", async () => {
    const { queue } = queueOver(() => ({
      Successful: [{ Id: "1" }],
      Failed: [{ Id: "0", Code: "InternalError", Message: "a body" }],
    }));
    const three = [1, 2, 3].map((position) => rejection(position));
    const refusals = [{ code: "InternalError", isLasting: false }];
    expect(await queue.send(three, NOW, never)).toEqual({ taken: [three[1]], refusals });
    const { queue: silent } = queueOver(() => ({}));
    expect(await silent.send(three, NOW, never)).toEqual({ taken: [], refusals: [] });
  });
});

describe("rejections share calls", () => {
  const sizesOf = (rejections: readonly Rejection[]) => inCalls(rejections).map((call) => call.length);

  test("of ten messages at most", () => {
    expect(sizesOf(Array.from({ length: 21 }, (_, at) => rejection(at)))).toEqual([10, 10, 1]);
    expect(sizesOf([])).toEqual([]);
  });

  test("of few bytes at most, in the order in which they came; the largest one goes alone", () => {
    const large = rejection(1, "x".repeat(MESSAGE_BYTES_MAX));
    const half = rejection(2, "é".repeat(60_000));
    expect(sizesOf([large, large])).toEqual([1, 1]);
    expect(sizesOf([half, half, half])).toEqual([2, 1]);
    expect(inCalls([large, half, half]).flat()).toEqual([large, half, half]);
  });
});
