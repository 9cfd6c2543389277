import type { Clock } from "../../lib/clock.ts";
import { maskSecrets, terminalText } from "../terminal/terminal-text.ts";
import { instantText } from "../terminal/write-table.ts";
import { BODY_BYTES_MAX, NoAnswer, type SeenResponse } from "../wallet/http-exchange.ts";
import { waitMsAfter } from "../wallet/retry-after.ts";
import { isBusy, type Wallet } from "../wallet/wallet.ts";
import { describeChange } from "./describe-change.ts";

export interface PollOptions {
  readonly wallet: Wallet;
  readonly reference: string;
  /** The time from one poll to the next. */
  readonly everyMs: number;
  /** The most polls; unlimited when undefined. */
  readonly pollsMax?: number;
  readonly clock: Clock;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Why polling ended: the pass is gone, `pollsMax` polls were made, or the signal was aborted. */
export type PollEnd = "pass is gone" | "enough polls" | "stopped";

/** The pass as it was last answered. */
interface Known {
  readonly tag: string;
  readonly body: string;
}

/**
 * Polls a pass as the wallet service does: it sends the tag of the last 200, waits as long as a `Retry-After` asks, and
 * stops after a 404 or 410. Prints each answer, and the changes that a customer would see. Other errors do not stop the
 * polling, because the next poll may succeed.
 */
export async function pollPass(options: PollOptions): Promise<PollEnd> {
  const { wallet, reference, everyMs, pollsMax = Number.POSITIVE_INFINITY, clock, print, signal } = options;
  let known: Known | undefined;
  for (let polls = 0; polls < pollsMax && !signal.aborted; polls++) {
    const headers = { ...(known !== undefined && { "If-None-Match": known.tag }) };
    const response = await wallet.send({ reference, headers }).catch(unlessNoAnswer);
    if (signal.aborted) break;
    const waitMs = waitAfter(response, everyMs);
    for (const line of linesOf(response, known, waitMs).map((line) => presentable(line, wallet)))
      print(line.startsWith(" ") ? line : `${instantText(clock())}  ${line}`);
    if (isGone(response)) return "pass is gone";
    if (isPass(response)) known = knownOf(response);
    if (polls + 1 < pollsMax) await wallet.wait(waitMs);
  }
  return signal.aborted ? "stopped" : "enough polls";
}

function unlessNoAnswer(error: unknown): NoAnswer {
  if (error instanceof NoAnswer) return error;
  throw error;
}

const isGone = (response: SeenResponse | NoAnswer): boolean =>
  !(response instanceof NoAnswer) && (response.status === 404 || response.status === 410);

const isPass = (response: SeenResponse | NoAnswer): response is SeenResponse =>
  !(response instanceof NoAnswer) && response.status === 200;

const waitAfter = (response: SeenResponse | NoAnswer, everyMs: number): number =>
  response instanceof NoAnswer || !isBusy(response) ? everyMs : waitMsAfter(response, everyMs);

/** A line that is safe to print: control characters are escaped, and the secrets that were sent are masked. */
const presentable = (line: string, { credentials }: Wallet): string =>
  terminalText(maskSecrets(line, [credentials.token]));

const knownOf = ({ headers, body, isCut }: SeenResponse): Known | undefined =>
  headers.etag === undefined || isCut ? undefined : { tag: headers.etag, body };

function linesOf(response: SeenResponse | NoAnswer, known: Known | undefined, waitMs: number): string[] {
  if (response instanceof NoAnswer) return [`no answer (${response.message})`];
  const { status, body, isCut } = response;
  if (status === 304)
    return [
      known === undefined ? "304  although no tag was sent, so the pass is not known" : "304  unchanged",
    ];
  if (status === 404 || status === 410)
    return [`${status}  the pass is gone: the wallet service stops polling it`];
  if (isBusy(response)) return [`${status}  waiting ${Math.ceil(waitMs / 1000)} s`];
  if (status !== 200) return [`${status}  trying again at the next poll`];
  if (isCut) return [`200  a body of more than ${BODY_BYTES_MAX} bytes, which cannot be a pass`];
  if (known === undefined) return ["200  the pass", ...describeChange("{}", body)];
  const changes = describeChange(known.body, body);
  return [changes.length === 0 ? "200  the same pass again" : "200  changed", ...changes];
}
