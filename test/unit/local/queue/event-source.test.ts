import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EventSource, type EventSourceOptions } from "../../../../local/queue/event-source.ts";
import { messageCount } from "../../../../local/queue/local-queues.ts";
import { sendMessage } from "../../../../local/queue/queue-actions.ts";
import type { InvocationOutcome } from "../../../../local/runtime/execution-environment.ts";
import type { EventSourceDefinition } from "../../../../local/template/template-queue.ts";
import { queueDefinitions, queueOf, testQueues } from "../../../support/local-queues.ts";

// The clock of the queues, too: their times of visibility and their long polls.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Event {
  readonly Records: readonly {
    readonly messageId: string;
    readonly body: string;
    readonly attributes: object;
  }[];
}

type Answer = (event: Event, invocation: number) => Promise<InvocationOutcome | "throttled">;

const source: EventSourceDefinition = {
  queueName: queueDefinitions[0]?.name ?? "",
  functionName: "ingest",
  batchSize: 100,
  windowMs: 2_000,
  invocationsMax: 10,
  reportsFailures: true,
};

const result = (value: unknown): InvocationOutcome => ({ kind: "result", payload: JSON.stringify(value) });
const good: Answer = async () => result({ batchItemFailures: [] });

/** An event source whose function a test writes. */
function start(answer: Answer = good, changes: Partial<EventSourceDefinition> = {}, retryS?: number) {
  const queues = testQueues();
  const queue = queueOf(queues, "records");
  const events: Event[] = [];
  const invoke: EventSourceOptions["invoke"] = (text) => {
    const event = JSON.parse(text) as Event;
    events.push(event);
    return answer(event, events.length);
  };
  const running = new EventSource({
    source: { ...source, ...changes },
    queue,
    queues,
    invoke,
    retryS,
    log: () => {},
  });
  const send = (...bodies: readonly string[]) =>
    bodies.map((MessageBody) => sendMessage(queue, { MessageBody }).MessageId);
  const bodies = () => events.map(({ Records }) => Records.map(({ body }) => body));
  return { queues, queue, events, bodies, send, running };
}

const numbers = (count: number): string[] => Array.from({ length: count }, (_, at) => `${at}`);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("a batch", () => {
  it("is delivered when its window is over, and not before", async () => {
    const { send, bodies } = start();
    send("a");
    await pass(1_900);
    send("b");
    expect(bodies()).toEqual([]);
    await pass(100);
    expect(bodies()).toEqual([["a", "b"]]);
  });

  it("is delivered at once when it is full, joined from several receives of ten", async () => {
    const { send, bodies } = start();
    send(...numbers(100));
    await pass(0);
    expect(bodies()).toEqual([numbers(100)]);
  });

  it("holds at most as many messages as the mapping says; the others come in the next", async () => {
    const { send, bodies } = start(good, { batchSize: 25 });
    send(...numbers(60));
    await pass(2_000);
    expect(bodies().map((batch) => batch.length)).toEqual([25, 25, 10]);
    expect(bodies().flat()).toEqual(numbers(60));
  });

  it("is at most 6 MiB of event; the message above waits for the next, and none is lost", async () => {
    const { send, events } = start();
    const body = '"'.repeat(120_000);
    send(...numbers(40).map((number) => `${number}${body}`));
    await pass(4_000);
    expect(events.length).toBeGreaterThan(1);
    for (const event of events)
      expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThanOrEqual(6 * 2 ** 20);
    expect(
      events.flatMap(({ Records }) => Records.map(({ body: text }) => text.replaceAll('"', ""))),
    ).toEqual(numbers(40));
  });

  it("has the messages in the form that Lambda gives them", async () => {
    const { queue, events } = start();
    const MessageAttributes = { reason: { DataType: "String", StringValue: "why" } };
    const { MessageId } = sendMessage(queue, {
      MessageBody: "{}",
      MessageAttributes,
      MessageGroupId: "transaction/acme",
    });
    await pass(2_000);
    expect(events[0]?.Records[0]).toMatchObject({
      messageId: MessageId,
      receiptHandle: expect.any(String),
      body: "{}",
      attributes: {
        ApproximateReceiveCount: "1",
        SentTimestamp: expect.stringMatching(/^\d{13}$/),
        MessageGroupId: "transaction/acme",
      },
      messageAttributes: {
        reason: { stringValue: "why", stringListValues: [], binaryListValues: [], dataType: "String" },
      },
      md5OfBody: "99914b932bd37a50b983c5e7c90ae93b",
      eventSource: "aws:sqs",
      eventSourceARN: queue.arn,
      awsRegion: "eu-west-1",
    });
  });
});

it("no more invocations run at once than the mapping allows", async () => {
  const ends: (() => void)[] = [];
  const slow: Answer = () => new Promise((resolve) => ends.push(() => resolve(result(null))));
  const { send, events } = start(slow, { batchSize: 1, windowMs: 0, invocationsMax: 2 });
  send("a", "b", "c");
  await pass(10_000);
  expect(events).toHaveLength(2);
  ends[0]?.();
  await pass(0);
  expect(events).toHaveLength(3);
});

describe("what the function answers decides which messages are deleted", () => {
  const named = (...ids: readonly unknown[]) =>
    result({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) });

  it.each<[string, Answer, number]>([
    ["nothing", async () => result(null), 0],
    ["an empty object", async () => result({}), 0],
    ["no failures", good, 0],
    ["null for the failures", async () => result({ batchItemFailures: null }), 0],
    ["one message", async ({ Records }) => named(Records[1]?.messageId), 1],
    ["a message twice", async ({ Records }) => named(Records[1]?.messageId, Records[1]?.messageId), 1],
    ["an id that was not in the event", async ({ Records }) => named(Records[0]?.messageId, "other"), 3],
    ["an empty id", async () => named(""), 3],
    ["no id", async () => named(undefined), 3],
    ["something that is not a list", async () => result({ batchItemFailures: "x" }), 3],
    ["an error", async () => ({ kind: "failure", message: "Error: no" }), 3],
    ["too many invocations", async () => "throttled", 3],
  ])("%s: %#", async (_, answer, left) => {
    const { send, queue } = start(answer);
    send("a", "b", "c");
    await pass(2_000);
    expect(messageCount(queue)).toBe(left);
  });

  it("of a mapping that takes no partial answers, a result deletes all", async () => {
    const { send, queue } = start(async ({ Records }) => named(Records[0]?.messageId), {
      reportsFailures: false,
    });
    send("a", "b");
    await pass(2_000);
    expect(messageCount(queue)).toBe(0);
  });
});

describe("a message that failed", () => {
  const failing: Answer = async () => ({ kind: "failure", message: "killed" });

  it("is received again once its queue's visibility timeout is over, and not before", async () => {
    const { send, bodies, events } = start(failing);
    send("a");
    await pass(359_000);
    expect(bodies()).toEqual([["a"]]);
    await pass(4_000);
    expect(bodies()).toEqual([["a"], ["a"]]);
    expect(events[1]?.Records[0]?.attributes).toMatchObject({ ApproximateReceiveCount: "2" });
  });

  it("is in the dead queue after the receives that the redrive policy allows, with its id, body and group", async () => {
    const { queue, queues, bodies } = start(failing);
    const { MessageId: id } = sendMessage(queue, { MessageBody: "a", MessageGroupId: "pass" });
    await pass(6 * 363_000);
    expect(bodies()).toHaveLength(5);
    const [message] = queueOf(queues, "dead").inspectMessages().ready;
    expect(message).toMatchObject({ messageId: id, body: "a", messageGroupId: "pass" });
    expect(messageCount(queueOf(queues, "records"))).toBe(0);
  });

  it("comes again after the time that an option says, in place of the queue's", async () => {
    const { send, bodies } = start(failing, {}, 0);
    send("a");
    await pass(12_000);
    expect(bodies()).toHaveLength(5);
  });
});

it("an end waits for the batch under way, and begins none", async () => {
  let finish = (): void => {};
  const slow: Answer = () =>
    new Promise((resolve) => {
      finish = () => resolve(result(null));
    });
  const { send, running, queue, events } = start(slow, { windowMs: 0 });
  send("a");
  await pass(0);
  const closing = running.close(2_000);
  send("b");
  await pass(500);
  finish();
  await closing;
  expect(events).toHaveLength(1);
  expect(queue.inspectMessages()).toMatchObject({ ready: [{ body: "b" }], inflight: [] });
});

it("a batch that does not end in time is left undone, and its messages stay", async () => {
  const { send, running, queue } = start(() => new Promise(() => {}), { windowMs: 0 });
  send("a");
  await pass(0);
  const closing = running.close(2_000);
  await pass(2_000);
  await closing;
  expect(messageCount(queue)).toBe(1);
});
