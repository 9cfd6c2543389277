import type { Clock } from "../../lib/clock.ts";
import { type Difference, differencesOf } from "./compare-answers.ts";
import type { Probe, Sending } from "./probe.ts";
import type { Keep, Receipt } from "./receipt.ts";
import type { Seen } from "./send-message.ts";
import { CannotAsk, Side } from "./side.ts";

/** The outcome of one request of the suite, which was compared or recorded. */
export type Outcome =
  | {
      readonly probe: Probe;
      readonly status: string;
      readonly differences: readonly Difference[];
      /** What differed at first, but no more when both were asked again; absent if nothing did. */
      readonly passing?: readonly Difference[];
    }
  | { readonly probe: Probe; readonly notCompared: string };

/** What is asked, and how. */
export interface Asking {
  readonly probes: readonly Probe[];
  readonly send: (side: Side, sending: Sending) => Promise<Seen>;
  /** Resolves when the next request may be sent to both sides. */
  readonly pace: () => Promise<void>;
  readonly signal: AbortSignal;
}

export interface SuiteParts extends Asking {
  readonly left: Side | Receipt;
  readonly right: Side | Receipt;
  /** Whether both sides have the same records. */
  readonly isExact: boolean;
}

/** Sends the suite to both sides and compares the answers, request by request, until the signal is aborted. */
export const runSuite = (parts: SuiteParts): AsyncGenerator<Outcome> =>
  outcomes(parts, (probe) => compareOne(parts, probe));

interface RecordParts extends Asking {
  readonly side: Side;
  readonly keep: Keep;
}

/** Sends the suite to one side and keeps each answer that it gives twice in a row. */
export const recordSuite = (parts: RecordParts): AsyncGenerator<Outcome> =>
  outcomes(parts, (probe) => recordOne(parts, probe));

async function* outcomes(
  { probes, signal }: Asking,
  work: (probe: Probe) => Promise<Outcome>,
): AsyncGenerator<Outcome> {
  for (const probe of probes) {
    const outcome = await work(probe).catch((error: unknown): Outcome => {
      if (error instanceof CannotAsk) return { probe, notCompared: error.message };
      throw error;
    });
    if (signal.aborted) return;
    yield outcome;
  }
}

/** A store that was slow, or a cold start, makes a difference that is gone when the same is asked again. */
const ASKED_MAX = 3;

/** Such an answer in a receipt would differ for good, so that only one that came again is kept. */
async function recordOne(parts: RecordParts, probe: Probe): Promise<Outcome> {
  const { side, keep, signal } = parts;
  const sent: Sending[] = [];
  const send: Asking["send"] = (to, sending) => {
    sent.push(sending);
    return parts.send(to, sending);
  };
  const ask = async (): Promise<Seen> => (await askAll({ ...parts, send }, probe, [side]))[0] as Seen;
  let seen = await ask();
  let changed: readonly Difference[] = [];
  for (let repeated = 0; repeated < ASKED_MAX && probe.usesUp === undefined; repeated += 1) {
    const before = seen;
    seen = await ask();
    changed = differencesOf({ side, seen: before }, { side, seen }, false);
    if (changed.length === 0 && isMeant(seen, probe)) break;
  }
  refuseBusy(side, seen, probe);
  if (seen.kind === "none" && seen.isUnreached)
    throw new CannotAsk(`${side.label} was not reached: ${seen.why}`);
  if (changed[0]) throw new CannotAsk(`${side.label} answered otherwise each time: ${changed[0].aspect}`);
  if (!signal.aborted) await keep(probe, side, sent.at(-1) as Sending, seen);
  return { probe, status: statusText(seen), differences: [] };
}

const statusText = (seen: Seen): string => (seen.kind === "answer" ? String(seen.status) : "no answer");

/** Whether an answer is what its request is for; any is where the status is the question. */
const isMeant = (seen: Seen, { meant }: Probe): boolean =>
  meant === undefined || statusText(seen) === String(meant);

async function compareOne(parts: SuiteParts, probe: Probe): Promise<Outcome> {
  const ask = async (): Promise<Outcome> => {
    const [one, other] = await askAll(parts, probe, [parts.left, parts.right]);
    return judge(parts, probe, one as Seen, other as Seen);
  };
  const first = await ask();
  let last = first;
  for (let asked = 1; asked < ASKED_MAX && isWorthAsking(last); asked += 1) last = await ask();
  if (!isDifferent(first) || isDifferent(last) || !("differences" in last)) return last;
  return { ...last, passing: first.differences };
}

/** Asks sides at the same time, unless one of them cannot be asked. A receipt has its answer already. */
async function askAll(
  asking: Asking,
  probe: Probe,
  sides: readonly (Side | Receipt)[],
): Promise<readonly Seen[]> {
  const kept = sides.map((side) => (side instanceof Side ? undefined : side.seen(probe)));
  const live = sides.filter((side) => side instanceof Side);
  const asked = live.length === 0 ? [] : await askLive(asking, probe, live);
  return kept.map((seen) => seen ?? (asked.shift() as Seen));
}

async function askLive(asking: Asking, probe: Probe, sides: readonly Side[]): Promise<Seen[]> {
  const { send, pace } = asking;
  const sendToAll = async (sendings: readonly Sending[]): Promise<Seen[]> => {
    await pace();
    return await Promise.all(sides.map((side, at) => send(side, sendings[at] as Sending)));
  };
  // Made before any is sent: nothing goes out where one side lacks something.
  const makeAll = (make: (side: Side, at: number) => Sending | Promise<Sending>): Promise<Sending[]> =>
    Promise.all(sides.map(async (side, at) => await make(side, at)));
  const { before } = probe;
  const befores = before === undefined ? [] : await sendToAll(await makeAll(before));
  const sendings = await makeAll((side, at) => {
    const seen = befores[at];
    return probe.sending(side, seen?.kind === "answer" ? seen : undefined);
  });
  if (probe.usesUp === undefined) return await sendToAll(sendings);
  return await Promise.all(sides.map((side) => useUp(asking, probe, side)));
}

/** More than the burst of any limit, and of what comes back meanwhile. */
const TRIES_MAX = 400;
const AT_ONCE = 16;

/**
 * Repeats a request until it is refused for its limit, or the limit turns out to be larger than expected. The first goes
 * alone, because the limit may be used up already.
 */
async function useUp({ send, signal }: Asking, probe: Probe, side: Side): Promise<Seen> {
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
  refuseBusy(left, one, probe);
  refuseBusy(right, other, probe);
  const differences = differencesOf({ side: left, seen: one }, { side: right, seen: other }, isExact);
  const status = statusText(one);
  if (differences.length > 0 || isMeant(one, probe)) return { probe, status, differences };
  return { probe, notCompared: `both answered ${status}, alike, where ${probe.meant} is meant` };
}

/** Refuses to judge what a side refused for a limit, where that is not the question. */
function refuseBusy({ label }: Side | Receipt, seen: Seen, { meant }: Probe): void {
  if (statusText(seen) === "429" && meant !== 429)
    throw new CannotAsk(`${label} was busy (429): ask again, with a lower --rate`);
}

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
