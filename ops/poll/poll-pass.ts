import type { Clock } from "../../lib/clock.ts";
import { maskSecrets, terminalText } from "../terminal/terminal-text.ts";
import { instantText } from "../terminal/write-table.ts";
import { BODY_BYTES_MAX, NoAnswer, type SeenResponse, unlessNoAnswer } from "../wallet/http-exchange.ts";
import { readRetryAfter, waitMsAfter } from "../wallet/retry-after.ts";
import { isBusy, type Wallet } from "../wallet/wallet.ts";
import { describeChange, describePass } from "./describe-change.ts";

/** A day: a longer wait is a mistake, such as milliseconds that are sent as seconds. */
const WAIT_MS_MAX = 86_400_000;

export interface PollOptions {
  readonly wallet: Wallet;
  readonly reference: string;
  /** The time from one poll to the next. */
  readonly everyMs: number;
  /** The most polls; unlimited when undefined. */
  readonly pollsMax?: number;
  readonly clock: Clock;
  /** Receives each answer as it comes. */
  readonly print: (event: PollEvent) => void;
  readonly signal: AbortSignal;
}

/** What a poll may show. */
export const pollEvents = [
  "first",
  "changed",
  "same again",
  "unchanged",
  "gone",
  "busy",
  "failed",
  "too large",
  "no answer",
] as const;

/** One answer, or the lack of one. Its texts are safe to print. */
export interface PollEvent {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly event: (typeof pollEvents)[number];
  /** The status of HTTP; null without an answer. */
  readonly status: number | null;
  /** The event in words. */
  readonly text: string;
  /** Each new, removed or changed value that a customer would see, in words. */
  readonly changes: readonly string[];
  /** How long the next poll waits. */
  readonly waitMs: number;
}

/** An event as lines for people, the first with its time. */
export const pollLines = ({ at, text, changes }: PollEvent): readonly string[] => [
  `${instantText(at)}  ${text}`,
  ...changes,
];

/** Why polling ended: the pass is gone, `pollsMax` polls were made, or the signal was aborted. */
export type PollEnd = "pass is gone" | "enough polls" | "stopped";

/** The pass as it was last answered. */
interface Known {
  readonly tag: string;
  readonly body: string;
}

/**
 * Polls a pass as the wallet service does: it sends the tag of the last 200, waits as long as a `Retry-After` asks, but a
 * day at most, and stops after a 404 or 410. Prints each answer, and the changes that a customer would see. Other errors
 * do not stop the polling, because the contract ends it with these two only.
 */
export async function pollPass(options: PollOptions): Promise<PollEnd> {
  const { wallet, reference, everyMs, pollsMax = Number.POSITIVE_INFINITY, clock, print, signal } = options;
  let known: Known | undefined;
  for (let polls = 0; polls < pollsMax && !signal.aborted; polls++) {
    const headers = { ...(known !== undefined && { "If-None-Match": known.tag }) };
    const response = await wallet.send({ reference, headers }).catch(unlessNoAnswer);
    if (signal.aborted) break;
    const waitMs = waitAfter(response, everyMs);
    const { event, text, changes = [] } = seenIn(response, known, waitMs);
    print({
      at: clock(),
      event,
      status: response instanceof NoAnswer ? null : response.status,
      text: presentable(text, wallet),
      changes: changes.map((change) => presentable(change, wallet)),
      waitMs,
    });
    if (isGone(response)) return "pass is gone";
    if (isPass(response)) known = knownOf(response);
    if (polls + 1 < pollsMax) await wallet.wait(waitMs);
  }
  return signal.aborted ? "stopped" : "enough polls";
}

const isGone = (response: SeenResponse | NoAnswer): boolean =>
  !(response instanceof NoAnswer) && (response.status === 404 || response.status === 410);

const isPass = (response: SeenResponse | NoAnswer): response is SeenResponse =>
  !(response instanceof NoAnswer) && response.status === 200;

const waitAfter = (response: SeenResponse | NoAnswer, everyMs: number): number =>
  response instanceof NoAnswer || !isBusy(response)
    ? everyMs
    : Math.min(WAIT_MS_MAX, waitMsAfter(response, everyMs));

/** A line that is safe to print: control characters are escaped, and the secrets that were sent are masked. */
const presentable = (line: string, { credentials }: Wallet): string =>
  terminalText(maskSecrets(line, [credentials.token]));

const knownOf = ({ headers, body, isCut }: SeenResponse): Known | undefined =>
  headers.etag === undefined || isCut ? undefined : { tag: headers.etag, body };

/** What an answer shows, before it is made safe to print. */
type Seen = Pick<PollEvent, "event" | "text"> & Partial<Pick<PollEvent, "changes">>;

function seenIn(response: SeenResponse | NoAnswer, known: Known | undefined, waitMs: number): Seen {
  if (response instanceof NoAnswer) return { event: "no answer", text: `no answer (${response.message})` };
  const { status } = response;
  if (status === 304) {
    const text = known === undefined ? "although no tag was sent, so the pass is not known" : "unchanged";
    return { event: "unchanged", text: `304  ${text}` };
  }
  if (status === 404 || status === 410)
    return { event: "gone", text: `${status}  the pass is gone: the wallet service stops polling it` };
  if (isBusy(response))
    return { event: "busy", text: `${status}  waiting ${Math.ceil(waitMs / 1000)} s${remarkOn(response)}` };
  if (status !== 200) return { event: "failed", text: `${status}  trying again at the next poll` };
  return passIn(response, known);
}

/** Why a poll does not wait exactly as the header of a refusal has it; nothing where it does. */
function remarkOn(response: SeenResponse): string {
  const { "retry-after": text = "" } = response.headers;
  const isCapped = waitMsAfter(response, 0) > WAIT_MS_MAX;
  const reasons = [readRetryAfter(response)?.fault, isCapped ? "a day is the longest wait" : undefined];
  const given = reasons.filter((reason) => reason !== undefined);
  // Any other text could be long, or a credential that was sent back.
  const shown = /^[-+\d., ]{1,30}$/.test(text) ? ` ${text}` : "";
  return given.length === 0 ? "" : `, with Retry-After${shown}: ${given.join("; ")}`;
}

function passIn({ body, isCut }: SeenResponse, known: Known | undefined): Seen {
  if (isCut)
    return {
      event: "too large",
      text: `200  a body of more than ${BODY_BYTES_MAX} bytes, which cannot be a pass`,
    };
  if (known === undefined) return { event: "first", text: "200  the pass", changes: describePass(body) };
  const changes = describeChange(known.body, body);
  if (changes.length === 0) return { event: "same again", text: "200  the same pass again" };
  return { event: "changed", text: "200  changed", changes };
}
