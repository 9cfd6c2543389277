import {
  SendMessageBatchCommand,
  type SendMessageBatchCommandOutput,
  type SendMessageBatchRequestEntry,
  type SQSClient,
  SQSServiceException,
} from "@aws-sdk/client-sqs";
import { unavailable } from "../errors.ts";
import { attributesOf, type Rejection } from "./rejection.ts";

/** The most messages that SQS takes in one call. */
const CALL_MESSAGES_MAX = 10;
/** A call may have 1 MiB; a larger body than this goes alone. */
const CALL_BYTES_MAX = 256 * 1024;
/** The most calls under way at once. */
export const CALLS_AT_ONCE = 8;

/** A message that SQS did not take, by its code, and whether repeating it would change nothing. */
export interface Refusal {
  readonly code: string;
  readonly isLasting: boolean;
}

/** What SQS took of a call, and what it refused. */
export interface Sent {
  readonly taken: readonly Rejection[];
  readonly refusals: readonly Refusal[];
}

/** The queue for records that can never be stored. */
export class RejectedQueue {
  readonly #client: Pick<SQSClient, "send">;
  readonly #url: string;

  constructor(client: Pick<SQSClient, "send">, url: string) {
    this.#client = client;
    this.#url = url;
  }

  /**
   * Sends rejections in one call of SQS, as many as {@link inCalls} puts together.
   *
   * @param now epoch milliseconds.
   * @throws {Failure} `temporarily_unavailable` when SQS does not answer, throttles, or fails.
   */
  async send(rejections: readonly Rejection[], now: number, abortSignal: AbortSignal): Promise<Sent> {
    const Entries = rejections.map((rejection, at) => entryOf(rejection, at, now));
    const command = new SendMessageBatchCommand({ QueueUrl: this.#url, Entries });
    const answer = await callQueue(() => this.#client.send(command, { abortSignal }));
    const taken = new Set(answer.Successful?.map(({ Id }) => Id));
    return {
      taken: rejections.filter((_, at) => taken.has(String(at))),
      refusals: (answer.Failed ?? []).map(({ Code: code = "", SenderFault: isLasting = false }) => ({
        code,
        isLasting,
      })),
    };
  }
}

/** Runs a call of SQS, whose transient errors become a failure that passes. */
async function callQueue(
  call: () => Promise<SendMessageBatchCommandOutput>,
): Promise<SendMessageBatchCommandOutput> {
  try {
    return await call();
  } catch (error) {
    if (!isTransient(error)) throw error;
    throw unavailable("The queue of rejected records did not answer.", { cause: error });
  }
}

const THROTTLES: ReadonlySet<string> = new Set(["KmsThrottled", "RequestThrottled", "ThrottlingException"]);

/** SQS refuses what is wrong with a call. Without its word, the connection failed, the time was over, or others answered. */
const isTransient = (error: unknown): boolean =>
  error instanceof SQSServiceException
    ? error.$fault === "server" || THROTTLES.has(error.name)
    : error instanceof Error;

function entryOf(rejection: Rejection, at: number, now: number): SendMessageBatchRequestEntry {
  const attributes = Object.entries(attributesOf(rejection, now)).map(([name, StringValue]) => [
    name,
    { DataType: "String", StringValue },
  ]);
  return {
    Id: String(at),
    MessageBody: rejection.body,
    ...(rejection.group !== undefined && { MessageGroupId: rejection.group }),
    MessageAttributes: Object.fromEntries(attributes) as SendMessageBatchRequestEntry["MessageAttributes"],
  };
}

const bytesOf = ({ body, detail }: Rejection): number => Buffer.byteLength(body) + Buffer.byteLength(detail);

/** Puts rejections together that one call may send. */
export function inCalls(rejections: readonly Rejection[]): Rejection[][] {
  const calls: Rejection[][] = [];
  let bytes = 0;
  for (const rejection of rejections) {
    const call = calls.at(-1);
    bytes += bytesOf(rejection);
    if (call !== undefined && call.length < CALL_MESSAGES_MAX && bytes <= CALL_BYTES_MAX)
      call.push(rejection);
    else {
      calls.push([rejection]);
      bytes = bytesOf(rejection);
    }
  }
  return calls;
}
