import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { type Failure, unavailable } from "../errors.ts";
import { type callOptions, callStore } from "./client.ts";
import type { Item } from "./item.ts";

/** Asks for the price of a call: an answer with a price proves that DynamoDB has done what it was asked. */
export const priced = { ReturnConsumedCapacity: "TOTAL" } as const;

/** The failure for an answer without a price, such as an empty body from a proxy, which proves nothing. */
export const unproven = (): Failure =>
  unavailable("The store's answer does not prove that the call took effect.");

/**
 * Sends a {@link priced} write, which counts as done only when its answer proves it. Errors and options are as in `callStore`.
 *
 * @throws {Failure} `temporarily_unavailable` when the store does not answer, or its answer proves nothing.
 */
export async function provenWrite<Answer extends { readonly ConsumedCapacity?: unknown }>(
  write: (options: ReturnType<typeof callOptions>) => Promise<Answer>,
): Promise<Answer> {
  const answer = await callStore(write);
  if ([answer.ConsumedCapacity ?? []].flat().length === 0) throw unproven();
  return answer;
}

/**
 * Sends a conditional write as {@link provenWrite} does. Where its condition fails there is no answer, but the existing item,
 * if there is one and the write asks for it.
 */
export async function orExisting<Answer extends { readonly ConsumedCapacity?: unknown }>(
  write: Parameters<typeof provenWrite<Answer>>[0],
): Promise<{ readonly answer?: Answer; readonly existing?: Item | undefined }> {
  try {
    return { answer: await provenWrite(write) };
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return { existing: error.Item };
    throw error;
  }
}
