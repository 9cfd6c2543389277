import { expect, test } from "vitest";
import { queueName } from "../../../../infra/queues.ts";
import { SqsError } from "../../../../local/queue/fauxqs.ts";
import { makeQueues } from "../../../../local/queue/local-queues.ts";
import { actionNames, actionOf } from "../../../../local/queue/queue-actions.ts";
import { queueDefinitions } from "../../../support/local-queues.ts";

const { store } = makeQueues(queueDefinitions, "http://127.0.0.1:1/");
const name = queueName("local", "records");
const url = store.getQueueByName(name)?.url;

const attribute = { DataType: "String", StringValue: "a", BinaryValue: "YQ==", StringListValues: ["a"] };
const entry = {
  Id: "a",
  MessageBody: "a",
  DelaySeconds: 0,
  MessageAttributes: { a: attribute },
  MessageSystemAttributes: { AWSTraceHeader: attribute },
  MessageGroupId: "a",
  ReceiptHandle: "a",
  VisibilityTimeout: 0,
};
/** Every member that any call has, so that junk comes to each of them in each call. */
const whole = {
  ...entry,
  QueueUrl: url,
  QueueName: name,
  QueueNamePrefix: "a",
  NextToken: "a",
  MaxResults: 1,
  AttributeNames: ["All"],
  MessageAttributeNames: ["All"],
  MessageSystemAttributeNames: ["All"],
  MaxNumberOfMessages: 1,
  WaitTimeSeconds: 0,
  ReceiveRequestAttemptId: "a",
  QueueOwnerAWSAccountId: "a",
  Entries: [entry],
};

const JUNK: readonly unknown[] = JSON.parse(
  `[null, true, -1, 0.5, 901, 1099511627776, 1e308, "", "x", "\\uffff", "\\ud800", "__proto__", "${"a".repeat(300)}",
    [], [null], [[]], ["constructor"], {}, {"a":null}, {"a":1}, {"constructor":{}}, {"__proto__":{"DataType":"String"}}]`,
);

/** A value with junk in place of each of its parts, one at a time. */
function spoiled(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [...JUNK];
  const parts = Object.entries(value).flatMap(([member, part]) =>
    spoiled(part).map((junk) =>
      Array.isArray(value) ? value.with(Number(member), junk) : { ...value, [member]: junk },
    ),
  );
  return [...JUNK, ...parts];
}

test.each(actionNames())(
  "%s answers or refuses whatever stands in its members, and never fails",
  async (action) => {
    const act = actionOf(action);
    for (const input of [...spoiled(whole), ...spoiled({ QueueUrl: url }), 3, "a", undefined]) {
      const answer = (async () => act?.(input, store))();
      const error = await answer.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error === undefined || error instanceof SqsError ? undefined : { input, error }).toBeUndefined();
    }
  },
);

const codeOf = async (action: string, input: object) => {
  const error: unknown = await (async () => actionOf(action)?.({ QueueUrl: url, ...input }, store))().catch(
    (reason: unknown) => reason,
  );
  return error instanceof SqsError ? `${error.code}: ${error.message}` : "answered";
};

test.each([
  ["SendMessage", { MessageBody: 5 }, "MessageBody: NUMBER_VALUE can not be converted to a String"],
  ["SendMessage", { MessageBody: "a", DelaySeconds: "5" }, "DelaySeconds: STRING_VALUE"],
  ["SendMessage", { MessageBody: "a", MessageAttributes: { a: null } }, "MessageAttributes.a: NULL_VALUE"],
  ["SendMessage", { MessageBody: "a", MessageAttributes: { a: { BinaryValue: "?" } } }, "not Base64"],
  ["SendMessageBatch", { Entries: 5 }, "Entries: NUMBER_VALUE can not be converted to a list"],
  ["DeleteMessageBatch", { Entries: [null] }, "Entries[0]: NULL_VALUE"],
  ["ReceiveMessage", { AttributeNames: { a: 1 } }, "AttributeNames: START_OBJECT"],
  ["PurgeQueue", { QueueUrl: [] }, "QueueUrl: START_ARRAY can not be converted to a String"],
])("%s refuses a member of another type: %j", async (action, input, words) => {
  const code = await codeOf(action, input);
  expect(code).toContain("SerializationException: ");
  expect(code).toContain(words);
});

test.each([
  ["ChangeMessageVisibilityBatch", { Entries: [{ Id: "a", ReceiptHandle: "b" }] }, "MissingParameter"],
  ["DeleteMessageBatch", { Entries: [{ ReceiptHandle: "b" }] }, "MissingParameter"],
  ["DeleteMessageBatch", { Entries: [] }, "EmptyBatchRequest"],
  ["GetQueueAttributes", { AttributeNames: ["constructor"] }, "InvalidAttributeName"],
])("%s refuses what SQS does: %j", async (action, input, code) => {
  expect(await codeOf(action, input)).toContain(`${code}: `);
});
