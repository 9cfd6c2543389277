/**
 * How one owner treats the waits it is told. Who keeps coming back inside them is answered from memory for a while
 * (silence), longer each time: otherwise every instance that serves a flood would try, and fail, to write the same item
 * each time a token comes back. An owner that waits as it is told never meets a silence.
 */
export interface Impatience {
  /** End of the last wait that was told, epoch ms. */
  readonly toldUntil: number;
  /** Requests that came inside such waits, since the last silence began. */
  readonly returns: number;
  /** When the last of them came, epoch ms. */
  readonly returnedAt: number;
  /** How many times the next silence is doubled. */
  readonly level: number;
  /** End of the silence, epoch ms. */
  readonly silentUntil: number;
}

export const patient: Impatience = { toldUntil: 0, returns: 0, returnedAt: 0, level: 0, silentUntil: 0 };

const RETURNS_MAX = 4;
const SILENCE_MS = 50;
const LEVEL_MAX = 5;
const FORGIVEN_AFTER_MS = 10_000;

/** After a wait was told that ends at `toldUntil`. */
export const toldToWait = (before: Impatience, toldUntil: number): Impatience => ({ ...before, toldUntil });

/**
 * After a request came inside the wait that was told: every fourth one starts a silence.
 *
 * @param draw a number from 0 to 1, which spreads the silence over ±50 %, so that instances do not wake together.
 */
export function cameBack(before: Impatience, now: number, draw: number): Impatience {
  const returns = before.returns + 1;
  if (returns < RETURNS_MAX || now < before.silentUntil) return { ...before, returns, returnedAt: now };
  const silentUntil = now + Math.round(SILENCE_MS * 2 ** before.level * (0.5 + draw));
  return {
    toldUntil: Math.max(before.toldUntil, silentUntil),
    returns: 0,
    returnedAt: now,
    level: Math.min(before.level + 1, LEVEL_MAX),
    silentUntil,
  };
}

/**
 * After a request came when no wait was left. A silence that was kept is credited once. One kept wait proves little: in a
 * flood over many instances each of them sees some, by chance.
 */
export function cameInTime(before: Impatience, now: number): Impatience {
  if (now - before.returnedAt > FORGIVEN_AFTER_MS) return patient;
  const keptSilence = before.silentUntil > 0 && before.returns === 0;
  return { ...before, level: keptSilence ? Math.max(0, before.level - 1) : before.level, silentUntil: 0 };
}
