import { Failure } from "../errors.ts";
import { callStore } from "./client.ts";

const RETRY_AFTER_MS = 1_000;

/** Asks for the price of a call: an answer with one shows that the store did what it was asked. */
export const priced = { ReturnConsumedCapacity: "TOTAL" } as const;

/** What an answer without a price is worth, such as an empty body from something in between: nothing at all. */
export const unproven = (): Failure =>
  new Failure("temporarily_unavailable", "The store's answer does not show that it did what it was asked.", {
    retryAfterMs: RETRY_AFTER_MS,
  });

/**
 * Sends a {@link priced} write, and takes it for done only when its answer shows it. Everything else is as with
 * `callStore`.
 *
 * @throws {Failure} `temporarily_unavailable` when the store does not answer, or with something that shows nothing.
 */
export async function provenWrite<Answer extends { readonly ConsumedCapacity?: unknown }>(
  write: () => Promise<Answer>,
): Promise<Answer> {
  const answer = await callStore(write);
  if ([answer.ConsumedCapacity ?? []].flat().length === 0) throw unproven();
  return answer;
}
