import { BatchWriteItemCommand, type BatchWriteItemCommandOutput } from "@aws-sdk/client-dynamodb";
import { unavailable } from "../errors.ts";
import { ownMember } from "../own-member.ts";
import { priced, provenWrite } from "./proven.ts";
import type { Table } from "./table.ts";

/** The most items that DynamoDB takes in one batch. */
const BATCH_MAX = 25;
const ATTEMPTS_MAX = 8;
const FIRST_PAUSE_MS = 50;

type WriteRequests = NonNullable<BatchWriteItemCommandOutput["UnprocessedItems"]>;

/** An item to put, or the key of one to delete. */
export type WriteRequest = WriteRequests[string][number];

/** The table that batches go to, and how to wait between attempts. */
export interface BatchTarget {
  readonly table: Table;
  readonly pause: (ms: number) => Promise<unknown>;
}

/**
 * Writes to one table without conditions, 25 items at a time, and repeats what DynamoDB leaves undone, after growing
 * pauses. When it throws, some items are written and some are not; it is always safe to repeat the call.
 *
 * @throws {Failure} `temporarily_unavailable` when the store throttles for longer than some seconds, or on `signal`.
 */
export async function writeBatches(
  target: BatchTarget,
  requests: readonly WriteRequest[],
  signal?: AbortSignal,
): Promise<void> {
  for (let at = 0; at < requests.length; at += BATCH_MAX)
    await writeBatch(target, requests.slice(at, at + BATCH_MAX), signal);
}

async function writeBatch(
  { table, pause }: BatchTarget,
  batch: WriteRequest[],
  signal?: AbortSignal,
): Promise<void> {
  let requests: WriteRequests = { [table.name]: batch };
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const command = new BatchWriteItemCommand({ RequestItems: requests, ...priced });
    const { UnprocessedItems = {} } = await provenWrite(({ abortSignal }) =>
      table.client.send(command, untilEither(signal, abortSignal)),
    );
    if ((ownMember(UnprocessedItems, table.name)?.length ?? 0) === 0) return;
    requests = UnprocessedItems;
    await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1));
  }
  throw unavailable("The store left writes undone.");
}

/** The option of a call that ends with the first of two signals. */
function untilEither(
  one: AbortSignal | undefined,
  other: AbortSignal | undefined,
): { readonly abortSignal?: AbortSignal } {
  const given = [one, other].filter((signal) => signal !== undefined);
  return given.length === 0 ? {} : { abortSignal: AbortSignal.any(given) };
}
