import { LOCAL_REGION } from "../store/local-account.ts";
import type { MessageAttributeValue, ReceivedMessage, SqsQueue } from "./fauxqs.ts";

/** One received message as Lambda passes it to functions, as JSON text. */
export function recordTextOf(message: ReceivedMessage, { arn }: Pick<SqsQueue, "arn">): string {
  const { MD5OfMessageAttributes: md5OfMessageAttributes } = message;
  return JSON.stringify({
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes,
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [name, attributeOf(value)]),
    ),
    md5OfBody: message.MD5OfBody,
    ...(md5OfMessageAttributes !== undefined && { md5OfMessageAttributes }),
    eventSource: "aws:sqs",
    eventSourceARN: arn,
    awsRegion: LOCAL_REGION,
  });
}

const attributeOf = ({ DataType, StringValue, BinaryValue }: MessageAttributeValue): object => ({
  ...(StringValue !== undefined && { stringValue: StringValue }),
  ...(BinaryValue !== undefined && { binaryValue: BinaryValue }),
  stringListValues: [],
  binaryListValues: [],
  dataType: DataType,
});

/** The event of one invocation, as JSON text. */
export const eventOf = (recordTexts: readonly string[]): string => `{"Records":[${recordTexts.join(",")}]}`;

/**
 * The messages that a function did not deal with, by its answer to an event source that takes partial answers. An answer
 * that Lambda cannot understand, or that names a message which was not in the event, fails all of them.
 *
 * @param payload the function's result as JSON text.
 * @param ids of the messages of the event.
 */
export function failedIds(payload: string, ids: readonly string[]): ReadonlySet<string> {
  const { batchItemFailures } = (JSON.parse(payload) ?? {}) as { batchItemFailures?: unknown };
  if (batchItemFailures === undefined || batchItemFailures === null) return new Set();
  if (!Array.isArray(batchItemFailures)) return new Set(ids);
  const named = batchItemFailures.map(
    (item: unknown) => (item as { readonly itemIdentifier?: unknown } | null)?.itemIdentifier,
  );
  const known = new Set<unknown>(ids);
  return named.every((id) => known.has(id)) ? new Set(named as string[]) : new Set(ids);
}
