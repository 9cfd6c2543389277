import type { Clock } from "../../lib/clock.ts";
import { type Difference, differencesOf } from "./compare-answers.ts";
import type { Probe, Sending } from "./probe.ts";
import { Receipt } from "./receipt.ts";
import type { Seen } from "./send-message.ts";
import { CannotAsk, Side } from "./side.ts";

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
  readonly left: Side | Receipt;
  readonly right: Side | Receipt;
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

/** A request of the suite that was recorded, or why it was not. */
export interface Recorded {
  readonly probe: Probe;
  readonly why?: string;
}

/** Sends the suite to one side and keeps each answer, the last of three where the request does not get what it is for. */
export async function* recordSuite(
  asking: Asking & { readonly probes: readonly Probe[]; readonly side: Side },
  keep: (probe: Probe, sending: Sending, seen: Seen) => Promise<void>,
): AsyncGenerator<Recorded> {
  const { probes, side, signal } = asking;
  for (const probe of probes) {
    const why = await recordOne(asking, probe, side, keep).catch((error: unknown) => {
      if (error instanceof CannotAsk) return error.message;
      throw error;
    });
    if (signal.aborted) return;
    yield { probe, ...(why !== undefined && { why }) };
  }
}

async function recordOne(
  asking: Asking,
  probe: Probe,
  side: Side,
  keep: Parameters<typeof recordSuite>[1],
): Promise<string | undefined> {
  let sent: Sending | undefined;
  const send: Asking["send"] = (to, sending) => {
    sent = sending;
    return asking.send(to, sending);
  };
  let seen: Seen | undefined;
  for (let asked = 0; asked < ASKED_MAX && !isMeant(seen, probe); asked += 1)
    [seen] = await askAll({ ...asking, send }, probe, [side]);
  if (seen === undefined || sent === undefined || asking.signal.aborted) return "stopped";
  if (isBusy(seen, probe)) return `${side.label} was busy (429): record again, with a lower --rate`;
  if (seen.kind === "none" && seen.isUnreached) return `${side.label} was not reached: ${seen.why}`;
  await keep(probe, sent, seen);
  return undefined;
}

/** Whether an answer is what its request is for; any is where the status is the question. */
const isMeant = (seen: Seen | undefined, { meant }: Probe): boolean =>
  seen !== undefined && (meant === undefined || (seen.kind === "answer" && seen.status === meant));

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

const askBoth = async (parts: SuiteParts, probe: Probe): Promise<readonly [Seen, Seen]> =>
  (await askAll(parts, probe, [parts.left, parts.right])) as [Seen, Seen];

type Asking = Pick<SuiteParts, "send" | "pace" | "signal">;

/** Asks sides at the same time, unless one of them cannot be asked. A receipt has its answer already. */
async function askAll(
  asking: Asking,
  probe: Probe,
  sides: readonly (Side | Receipt)[],
): Promise<readonly Seen[]> {
  const kept = sides.map((side) => (side instanceof Receipt ? side.seen(probe) : undefined));
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
  const { before } = probe;
  const befores = before === undefined ? [] : await sendToAll(await each(sides, before));
  const sendings = await each(sides, (side, at) => {
    const seen = befores[at];
    return probe.sending(side, seen?.kind === "answer" ? seen : undefined);
  });
  if (probe.usesUp === undefined) return await sendToAll(sendings);
  return await Promise.all(sides.map((side) => useUp(asking, probe, side)));
}

/** Makes something of each side, in turn: nothing is sent where one side lacks something. */
async function each<Made>(
  sides: readonly Side[],
  make: (side: Side, at: number) => Made | Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = [];
  for (const [at, side] of sides.entries()) made.push(await make(side, at));
  return made;
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
