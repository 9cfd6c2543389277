import type { Clock } from "../../lib/clock.ts";
import { NoAnswer, type SeenResponse } from "../contract-check/http-exchange.ts";
import { isBusy, retryAfterMs, type Wallet } from "../contract-check/wallet.ts";
import { instantText } from "../write-table.ts";
import { describeChange } from "./describe-change.ts";

export interface PollOptions {
  readonly wallet: Wallet;
  readonly reference: string;
  /** From one poll to the next. */
  readonly everyMs: number;
  /** How many polls at most; endless when undefined. */
  readonly pollsMax?: number;
  readonly clock: Clock;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

/** How polling ended: the pass is not there any more, enough polls, or the signal. */
export type PollEnd = "pass is gone" | "enough polls" | "stopped";

/** What is known of the pass so far. */
interface Known {
  readonly tag: string;
  readonly body: string;
}

/**
 * Polls a pass as the wallet service does: with the tag of the last 200, no sooner than a `Retry-After` allows, and no
 * more after a 404 or 410. Prints each answer, and what a customer would see change. Trouble on the way is no reason to
 * stop: the next poll may meet none.
 */
export async function pollPass(options: PollOptions): Promise<PollEnd> {
  const { wallet, reference, everyMs, pollsMax = Number.POSITIVE_INFINITY, clock, print, signal } = options;
  let known: Known | undefined;
  for (let polls = 0; polls < pollsMax && !signal.aborted; polls++) {
    const headers = known === undefined ? {} : { "If-None-Match": known.tag };
    const response = await wallet.send({ reference, headers }).catch(unlessNoAnswer);
    for (const line of linesOf(response, known))
      print(line.startsWith(" ") ? line : `${instantText(clock())}  ${line}`);
    if (response instanceof NoAnswer) await wallet.wait(everyMs);
    else if (response.status === 404 || response.status === 410) return "pass is gone";
    else {
      if (response.status === 200) known = knownOf(response);
      const askedMs = isBusy(response) ? (retryAfterMs(response) ?? everyMs) : everyMs;
      if (polls + 1 < pollsMax) await wallet.wait(askedMs);
    }
  }
  return signal.aborted ? "stopped" : "enough polls";
}

function unlessNoAnswer(error: unknown): NoAnswer {
  if (error instanceof NoAnswer) return error;
  throw error;
}

const knownOf = ({ headers, body }: SeenResponse): Known | undefined =>
  headers.etag === undefined ? undefined : { tag: headers.etag, body };

function linesOf(response: SeenResponse | NoAnswer, known: Known | undefined): string[] {
  if (response instanceof NoAnswer) return [`no answer (${response.message})`];
  const { status, body } = response;
  if (status === 304) return ["304  unchanged"];
  if (status === 404 || status === 410)
    return [`${status}  the pass is gone: the wallet service stops polling here`];
  if (isBusy(response)) {
    const waitMs = retryAfterMs(response);
    return [
      `${status}  ${waitMs === undefined ? "no Retry-After in seconds" : `waiting ${waitMs / 1000} s`}`,
    ];
  }
  if (status !== 200) return [`${status}  trying again at the next poll`];
  if (known === undefined) return ["200  the pass", ...describeChange("{}", body)];
  const changes = describeChange(known.body, body);
  return [changes.length === 0 ? "200  the same pass again" : "200  changed", ...changes];
}
