/**
 * How one owner treats the waits it is told. Who keeps coming back inside them is answered from memory for a while
 * (silence), longer each time: otherwise every instance that serves a flood would try, and fail, to write the same item
 * each time a token comes back. Up to four callers that share an owner, each asking again when it was told to, never meet
 * a silence: inside a wait that one of them was told, each of the others comes once at most. More than that cannot be told
 * from a flood.
 */
export interface Impatience {
  /** End of the last wait that the store's answer told, or of the silence if that is later; epoch ms. */
  readonly toldUntil: number;
  /** Requests that came inside waits, since the last one that came when no wait was left, or since the silence began. */
  readonly returns: number;
  /** Whether these were ever more than patient callers make, since the last silence began. */
  readonly isFlooded: boolean;
  /** When they last were, or when the silence began, epoch ms. */
  readonly floodedAt: number;
  /** How many times the next silence is doubled. */
  readonly level: number;
  /** End of the silence, epoch ms. */
  readonly silentUntil: number;
}

export const patient: Impatience = {
  toldUntil: 0,
  returns: 0,
  isFlooded: false,
  floodedAt: 0,
  level: 0,
  silentUntil: 0,
};

/** Of four patient callers, three come while the fourth waits. */
const PATIENT_RETURNS_MAX = 3;
const SILENCE_MS = 50;
const LEVEL_MAX = 5;
const FORGIVEN_AFTER_MS = 10_000;

/** After a wait was told that ends at `toldUntil`. */
export const toldToWait = (before: Impatience, toldUntil: number): Impatience => ({ ...before, toldUntil });

/**
 * After a request came inside a wait or a silence. A fourth one in a row starts a silence; so does the first one after a
 * silence inside which there were four.
 *
 * @param draw a number from 0 to 1, which spreads the silence over ±50 %, so that instances do not wake together.
 */
export function cameBack(before: Impatience, now: number, draw: number): Impatience {
  const returns = before.returns + 1;
  const isFlood = returns > PATIENT_RETURNS_MAX;
  const isFlooded = before.isFlooded || isFlood;
  if (now < before.silentUntil || !isFlooded)
    return { ...before, returns, isFlooded, floodedAt: isFlood ? now : before.floodedAt };
  const silentUntil = now + Math.round(SILENCE_MS * 2 ** before.level * (0.5 + draw));
  return {
    toldUntil: Math.max(before.toldUntil, silentUntil),
    returns: 0,
    isFlooded: false,
    floodedAt: now,
    level: Math.min(before.level + 1, LEVEL_MAX),
    silentUntil,
  };
}

/**
 * After a request came when no wait was left to it. A silence that was kept is credited once. One kept wait proves little:
 * in a flood over many instances each of them sees some, by chance.
 */
export function cameInTime(before: Impatience, now: number): Impatience {
  const { toldUntil, floodedAt, isFlooded, silentUntil, level } = before;
  if (now - floodedAt > FORGIVEN_AFTER_MS) return { ...patient, toldUntil };
  const keptSilence = silentUntil > 0 && !isFlooded;
  return { ...before, returns: 0, level: keptSilence ? Math.max(0, level - 1) : level, silentUntil: 0 };
}
