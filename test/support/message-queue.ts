import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { contractBrand } from "../../lib/brand.ts";
import type { Clock } from "../../lib/clock.ts";
import { Failure } from "../../lib/errors.ts";
import { ingestRecords } from "../../lib/ingest/ingest-records.ts";
import type { RejectedQueue } from "../../lib/ingest/rejected-queue.ts";
import { attributesOf, type Rejection, type RejectionAttribute } from "../../lib/ingest/rejection.ts";
import { recordWriters } from "../../lib/ingest/write-records.ts";
import type { Log } from "../../lib/log.ts";
import type { Engine } from "./engine.ts";

/** How often SQS hands out a message before it goes to the dead queue. */
const RECEIVES_MAX = 5;

/** The time that a function has for a batch. */
const REMAINING_MS = 60_000;

/** A message as the model of the queue keeps it. */
interface KeptMessage {
  readonly messageId: string;
  readonly body: string;
  receives: number;
}

export type IngestHandler = ReturnType<typeof ingestRecords>;

/**
 * A standard queue of SQS, as far as the function can tell: it hands out messages in any order, any number of them, and
 * again unless they were done. A test takes out batches one after the other, so no time passes.
 */
export class MessageQueue {
  #waiting: KeptMessage[] = [];
  #dead: KeptMessage[] = [];
  #sent = 0;

  send(...bodies: readonly string[]): void {
    for (const body of bodies) {
      this.#sent += 1;
      this.#waiting.push({ messageId: `message-${this.#sent}`, body, receives: 0 });
    }
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** Moves the dead messages back, as an operator does once the fault is over. */
  redrive(): void {
    for (const message of this.#dead) this.#waiting.push({ ...message, receives: 0 });
    this.#dead = [];
  }

  get dead(): readonly KeptMessage[] {
    return this.#dead;
  }

  /**
   * Hands a batch to a handler, and keeps what it returns; all of it, when the handler fails or `isKilled`.
   *
   * @param choose the messages to hand out, of those that wait; one may be handed out twice.
   */
  async deliver(
    handler: IngestHandler,
    {
      choose = (waiting: readonly KeptMessage[]) => waiting,
      isKilled = false,
    }: {
      readonly choose?: (waiting: readonly KeptMessage[]) => readonly KeptMessage[];
      readonly isKilled?: boolean;
    } = {},
  ): Promise<readonly string[]> {
    const chosen = choose(this.#waiting);
    for (const message of new Set(chosen)) message.receives += 1;
    const Records = chosen.map(({ messageId, body, receives }) => ({
      messageId,
      body,
      attributes: { ApproximateReceiveCount: String(receives) },
    }));
    const context = { awsRequestId: "an id", getRemainingTimeInMillis: () => REMAINING_MS };
    const answer = await handler({ Records }, context).catch(() => undefined);
    const all = chosen.map(({ messageId }) => messageId);
    const failed = isKilled ? all : answer?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    const returned = new Set(failed ?? all);
    const isDone = ({ messageId }: KeptMessage) => all.includes(messageId) && !returned.has(messageId);
    const stays = this.#waiting.filter((message) => !isDone(message));
    this.#dead.push(...stays.filter(({ receives }) => receives >= RECEIVES_MAX));
    this.#waiting = stays.filter(({ receives }) => receives < RECEIVES_MAX);
    return [...returned];
  }
}

/** A message of the rejected queue. */
export interface RejectedMessage {
  readonly body: string;
  readonly attributes: Readonly<Record<RejectionAttribute, string>>;
}

/** The rejected queue in memory. */
export class RejectedMessages implements Pick<RejectedQueue, "send"> {
  readonly messages: RejectedMessage[] = [];
  /** How the next call fails: nothing is taken, only every other one, or all of it while the answer is lost. */
  nextFault: (() => "refused" | "half" | "lost" | undefined) | undefined;

  async send(rejections: readonly Rejection[], now: number) {
    const fault = this.nextFault?.();
    if (fault === "refused") throw new Failure("temporarily_unavailable", "Nothing listens.");
    const taken = rejections.filter((_, at) => fault !== "half" || at % 2 === 0);
    for (const rejection of taken)
      this.messages.push({ body: rejection.body, attributes: attributesOf(rejection, now) });
    if (fault === "lost") throw new Failure("temporarily_unavailable", "The answer was lost.");
    const refusals = [{ code: "InternalError", isLasting: false }];
    return { taken, refusals: taken.length < rejections.length ? refusals : [] };
  }
}

/** How a call of the store fails: before it takes effect or after it; `refused` is not a passing fault. */
export type StoreFault = "before" | "after" | "refused";

/** A client that fails some of its calls. */
export function failingClient(
  client: DynamoDBClient,
  nextFault: () => StoreFault | undefined,
): DynamoDBClient {
  const cut = () => Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  const forward = client.send.bind(client) as (...given: readonly unknown[]) => Promise<unknown>;
  const send = async (...given: readonly unknown[]): Promise<unknown> => {
    const fault = nextFault();
    if (fault === "refused") throw Object.assign(new Error("denied"), { name: "AccessDenied" });
    if (fault === "before") throw cut();
    const answer = await forward(...given).catch((error: unknown) => error);
    if (fault === "after") throw cut();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { send } as unknown as DynamoDBClient;
}

/** A client that never answers some of its calls, until they are given up. */
export function silentClient(
  client: DynamoDBClient,
  isSilent: (command: { readonly input: object }) => boolean,
  onAnswer: (command: { readonly input: object }) => void = () => undefined,
): DynamoDBClient {
  const forward = client.send.bind(client) as (...given: readonly unknown[]) => Promise<unknown>;
  const send = async (
    command: { readonly input: object },
    options?: { readonly abortSignal?: AbortSignal },
  ) => {
    if (!isSilent(command)) {
      const answer = await forward(command, options);
      onAnswer(command);
      return answer;
    }
    const { promise, reject } = Promise.withResolvers<never>();
    const signal = options?.abortSignal;
    const giveUp = () => reject(Object.assign(new Error("aborted"), { name: "AbortError" }));
    signal?.addEventListener("abort", giveUp);
    if (signal?.aborted === true) giveUp();
    return await promise;
  };
  return { send } as unknown as DynamoDBClient;
}

/** The function over an engine's tables, with whatever a test replaces. */
export function ingestOver(
  engine: Pick<Engine, "table">,
  {
    client,
    rejected,
    clock,
    log = () => undefined,
    signalAfter,
  }: {
    readonly client?: DynamoDBClient;
    readonly rejected: Pick<RejectedQueue, "send">;
    readonly clock: Clock;
    readonly log?: Log;
    readonly signalAfter?: (ms: number) => AbortSignal;
  },
): IngestHandler {
  const tableOf = (name: Parameters<Engine["table"]>[0]) => {
    const table = engine.table(name);
    return client === undefined ? table : { ...table, client };
  };
  const tables = {
    transactions: tableOf("Transactions"),
    sellOrders: tableOf("SellOrders"),
    passes: tableOf("Passes"),
    trades: tableOf("Trades"),
    settings: tableOf("Settings"),
  };
  return ingestRecords({
    tables,
    writers: recordWriters(tables, contractBrand, clock),
    venue: contractBrand.venue,
    rejected,
    clock,
    log,
    ...(signalAfter !== undefined && { signalAfter }),
    // Attempts follow each other at once, but not after the time is over.
    wait: async (_ms, signal) => signal.throwIfAborted(),
  });
}
