import { randomUUID } from "node:crypto";
import { BoundedTasks } from "../../lib/bounded-tasks.ts";
import { within } from "../process/within.ts";
import type { InvocationOutcome } from "../runtime/execution-environment.ts";
import { LOCAL_REGION } from "../store/local-account.ts";
import type { EventSourceDefinition } from "../template/template-queue.ts";
import { type MessageAttributeValue, type ReceivedMessage, receiveMessage, type SqsQueue } from "./fauxqs.ts";
import type { LocalQueues } from "./local-queues.ts";

/** One call of SQS returns so many messages at most. */
const RECEIVED_MAX = 10;
/** The longest wait of one call of SQS for a message. */
const LONG_POLL_S = 20;
/** The most bytes of an event. */
const EVENT_BYTES_MAX = 6 * 1_048_576;
/** Where the template sets no limit, as many invocations as Lambda begins with. */
const INVOCATIONS_DEFAULT = 5;

export interface EventSourceOptions {
  readonly source: EventSourceDefinition;
  readonly queue: SqsQueue;
  readonly queues: LocalQueues;
  /** Runs the function once. */
  readonly invoke: (event: string, requestId: string) => Promise<InvocationOutcome | "throttled">;
  /**
   * Seconds after which a message that failed can be received again. Absent for Lambda's way: the rest of the queue's
   * visibility timeout.
   */
  readonly retryS?: number | undefined;
  readonly log: (line: string) => void;
}

/** A received message with its text in the event. */
interface Taken {
  readonly message: ReceivedMessage;
  readonly text: string;
}

/**
 * Takes messages from a queue to a function, as Lambda does: it gathers a batch until the batch is full, the window is
 * over or the event would be too large, and runs up to `invocationsMax` batches at once. Messages are deleted once the
 * function has returned and did not name them as failed. After an error, a timeout or a crash none is deleted.
 */
export class EventSource {
  readonly #options: EventSourceOptions;
  readonly #batches: BoundedTasks;
  readonly #ended: Promise<void>;
  /** Received, and too large for the batch before. */
  #held: Taken[] = [];
  #isEnding = false;

  /** Starts at once. */
  constructor(options: EventSourceOptions) {
    this.#options = options;
    this.#batches = new BoundedTasks(options.source.invocationsMax ?? INVOCATIONS_DEFAULT);
    this.#ended = this.#run();
  }

  /** Receives no more, and waits for the batches under way, for a time at most. */
  async close(endingMs: number): Promise<void> {
    this.#isEnding = true;
    this.#options.queue.cancelWaiters();
    await within(
      endingMs,
      this.#ended.then(() => this.#batches.end()),
    );
  }

  async #run(): Promise<void> {
    const { log } = this.#options;
    const report = (error: unknown): void => log(error instanceof Error ? `${error.stack}` : String(error));
    while (!this.#isEnding) {
      const batch = await this.#gather();
      if (this.#isEnding) this.#giveBack([...batch, ...this.#held]);
      else if (batch.length > 0) await this.#batches.run(() => this.#serve(batch).catch(report));
    }
  }

  async #gather(): Promise<readonly Taken[]> {
    const { batchSize, windowMs } = this.#options.source;
    const batch = this.#held.length > 0 ? this.#held : await this.#receive(batchSize, LONG_POLL_S);
    this.#held = [];
    const endsAtMs = performance.now() + windowMs;
    let isFull = this.#holdBack(batch);
    for (let leftMs = windowMs; leftMs > 0 && batch.length > 0; leftMs = endsAtMs - performance.now()) {
      if (isFull || batch.length >= batchSize || this.#isEnding) break;
      batch.push(...(await this.#receive(batchSize - batch.length, Math.min(leftMs / 1_000, LONG_POLL_S))));
      isFull = this.#holdBack(batch);
    }
    return batch;
  }

  /** Keeps the messages that no longer fit into an event for the next one. @returns whether there are any. */
  #holdBack(batch: Taken[]): boolean {
    let bytes = 0;
    const fitting = batch.findIndex(({ text }) => {
      bytes += Buffer.byteLength(text) + 1;
      return bytes > EVENT_BYTES_MAX;
    });
    // One message always fits: a queue takes a MiB at most.
    if (fitting > 0) this.#held.push(...batch.splice(fitting));
    return fitting > 0;
  }

  async #receive(most: number, waitS: number): Promise<Taken[]> {
    if (this.#isEnding) return [];
    const { queue, queues } = this.#options;
    const call = {
      QueueUrl: queue.url,
      MaxNumberOfMessages: Math.min(most, RECEIVED_MAX),
      WaitTimeSeconds: waitS,
      MessageAttributeNames: ["All"],
      MessageSystemAttributeNames: ["All"],
    };
    const { Messages = [] } = await receiveMessage(call, queues.store);
    queues.journal?.flush();
    return (Messages as unknown as ReceivedMessage[]).map((message) => ({
      message,
      text: recordTextOf(message, queue),
    }));
  }

  /** Makes messages visible again that were received and will not be worked on. */
  #giveBack(batch: readonly Taken[]): void {
    const { queue, queues } = this.#options;
    for (const { message } of batch) queue.changeVisibility(message.ReceiptHandle, 0);
    queues.journal?.flush();
  }

  async #serve(batch: readonly Taken[]): Promise<void> {
    const { source, invoke, log } = this.#options;
    const outcome = await invoke(eventOf(batch.map(({ text }) => text)), randomUUID());
    const ids = batch.map(({ message }) => message.MessageId);
    const failed = this.#failed(outcome, ids);
    if (failed.size > 0)
      log(`${source.queueName}: ${failed.size} of ${ids.length} messages failed: ${causeOf(outcome)}`);
    this.#settle(batch, failed);
  }

  #failed(outcome: InvocationOutcome | "throttled", ids: readonly string[]): ReadonlySet<string> {
    if (outcome === "throttled" || outcome.kind === "failure") return new Set(ids);
    return this.#options.source.reportsFailures ? failedIds(outcome.payload, ids) : new Set();
  }

  #settle(batch: readonly Taken[], failed: ReadonlySet<string>): void {
    const { queue, queues, retryS } = this.#options;
    for (const { message } of batch)
      if (!failed.has(message.MessageId)) queue.deleteMessage(message.ReceiptHandle);
      else if (retryS !== undefined) queue.changeVisibility(message.ReceiptHandle, retryS);
    queues.journal?.flush();
  }
}

const causeOf = (outcome: InvocationOutcome | "throttled"): string => {
  if (outcome === "throttled") return "too many invocations at once";
  return outcome.kind === "failure" ? (outcome.message.split("\n")[0] ?? "") : "the function named them";
};

/** One received message as Lambda passes it to functions, as JSON text. */
function recordTextOf(message: ReceivedMessage, { arn }: Pick<SqsQueue, "arn">): string {
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
const eventOf = (recordTexts: readonly string[]): string => `{"Records":[${recordTexts.join(",")}]}`;

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
