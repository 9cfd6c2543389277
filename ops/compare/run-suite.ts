import type { Clock } from "../../lib/clock.ts";
import { type Difference, differencesOf } from "./compare-answers.ts";
import type { Probe, Sending } from "./probe.ts";
import type { Answer } from "./read-answer.ts";
import type { Seen } from "./send-message.ts";
import { CannotAsk, type Side } from "./side.ts";

/** The outcome of one request of the suite. */
export type Outcome =
  | {
      readonly probe: Probe;
      readonly status: string;
      readonly differences: readonly Difference[];
      /** What differed at first, but no more when both were asked again; absent if nothing did. */
      readonly passing?: readonly Difference[];
    }
  | { readonly probe: Probe; readonly notCompared: string };

export interface SuiteParts {
  readonly probes: readonly Probe[];
  readonly left: Side;
  readonly right: Side;
  readonly send: (side: Side, sending: Sending) => Promise<Seen>;
  /** Resolves when the next request may be sent to both sides. */
  readonly pace: () => Promise<void>;
  /** Whether both sides have the same records. */
  readonly isExact: boolean;
  readonly signal: AbortSignal;
}

/** Sends the suite to both sides and compares the answers, request by request, until the signal is aborted. */
export async function* runSuite(parts: SuiteParts): AsyncGenerator<Outcome> {
  for (const probe of parts.probes) {
    const outcome = await outcomeOf(parts, probe);
    if (parts.signal.aborted) return;
    yield outcome;
  }
}

/** A store that was slow, or a cold start, makes a difference that is gone when the same is asked again. */
const ASKED_MAX = 3;

async function outcomeOf(parts: SuiteParts, probe: Probe): Promise<Outcome> {
  try {
    const first = judge(parts, probe, ...(await askBoth(parts, probe)));
    let last = first;
    for (let asked = 1; asked < ASKED_MAX && isWorthAsking(last); asked += 1)
      last = judge(parts, probe, ...(await askBoth(parts, probe)));
    if (!isDifferent(first) || isDifferent(last) || !("differences" in last)) return last;
    return { ...last, passing: first.differences };
  } catch (error) {
    if (error instanceof CannotAsk) return { probe, notCompared: error.message };
    throw error;
  }
}

/** Asks both sides at the same time, unless one of them cannot be asked. */
async function askBoth(parts: SuiteParts, probe: Probe): Promise<readonly [Seen, Seen]> {
  const { left, right, send, pace } = parts;
  const befores = await askBefore(parts, probe);
  const sendings = [await probe.sending(left, befores[0]), await probe.sending(right, befores[1])] as const;
  if (probe.usesUp !== undefined)
    return await Promise.all([useUp(parts, probe, left), useUp(parts, probe, right)]);
  await pace();
  return await Promise.all([send(left, sendings[0]), send(right, sendings[1])]);
}

async function askBefore(
  { left, right, send, pace }: SuiteParts,
  { before }: Probe,
): Promise<readonly [Answer | undefined, Answer | undefined]> {
  if (before === undefined) return [undefined, undefined];
  const sendings = [await before(left), await before(right)] as const;
  await pace();
  const seen = await Promise.all([send(left, sendings[0]), send(right, sendings[1])]);
  const answers = seen.map((one) => (one.kind === "answer" ? one : undefined));
  return [answers[0], answers[1]];
}

/** More than the burst of any limit, and of what comes back meanwhile. */
const TRIES_MAX = 400;
const AT_ONCE = 16;

/**
 * Repeats a request until it is refused for its limit, or the limit turns out to be larger than expected. The first goes
 * alone, because the limit may be used up already.
 */
async function useUp({ send, signal }: SuiteParts, probe: Probe, side: Side): Promise<Seen> {
  let last: Seen | undefined;
  for (let sent = 0, count = 1; sent < TRIES_MAX && !signal.aborted; sent += count, count = AT_ONCE) {
    const seen = await Promise.all(
      Array.from({ length: count }, async () => await send(side, await probe.sending(side, undefined))),
    );
    const refused = seen.find((one) => one.kind === "answer" && one.status === probe.meant);
    if (refused !== undefined) return refused;
    last = seen[0];
  }
  return last ?? { kind: "none", why: "stopped", isUnreached: false };
}

/** A limit that one side did not reach would not be reached again either, and is not tried twice. */
const isWorthAsking = (outcome: Outcome): boolean =>
  isDifferent(outcome) &&
  (outcome.probe.usesUp === undefined || outcome.differences.every(({ aspect }) => aspect !== "status"));

const isDifferent = (outcome: Outcome): outcome is Extract<Outcome, { readonly status: string }> =>
  "differences" in outcome && outcome.differences.length > 0;

function judge({ left, right, isExact }: SuiteParts, probe: Probe, one: Seen, other: Seen): Outcome {
  const busy = [[left, one] as const, [right, other] as const].find(([, seen]) => isBusy(seen, probe));
  if (busy !== undefined)
    return { probe, notCompared: `${busy[0].label} was busy (429): compare again, with a lower --rate` };
  const differences = differencesOf({ side: left, seen: one }, { side: right, seen: other }, isExact);
  const status = one.kind === "answer" ? String(one.status) : "no answer";
  if (differences.length > 0 || probe.meant === undefined || status === String(probe.meant))
    return { probe, status, differences };
  return { probe, notCompared: `both answered ${status}, alike, where ${probe.meant} is meant` };
}

/** Whether a side refused for a limit what was asked for another reason. */
const isBusy = (seen: Seen, { meant }: Probe): boolean =>
  seen.kind === "answer" && seen.status === 429 && meant !== 429;

/**
 * Returns a function that resolves at most so many times a second, at even distances.
 *
 * @param clock milliseconds by a clock that nobody sets.
 */
export function paceOf(
  perSecond: number,
  clock: Clock,
  wait: (ms: number) => Promise<void>,
): () => Promise<void> {
  let nextMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = clock();
    const leftMs = nextMs - nowMs;
    nextMs = Math.max(nowMs, nextMs) + 1_000 / perSecond;
    if (leftMs > 0) await wait(leftMs);
  };
}
