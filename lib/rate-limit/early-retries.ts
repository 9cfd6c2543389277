/**
 * How one owner treats the waits it is told. An owner whose requests keep coming inside them is blocked for a while, which
 * means answered from memory, longer each time: otherwise every instance that serves a flood would try, and fail, to write
 * the same item each time a token comes back. Up to four callers that share an owner, each asking again when it was told
 * to, are never blocked: inside a wait that one of them was told, each of the others comes once at most. More than that
 * cannot be told from a flood.
 */
export interface EarlyRetries {
  /** End of the last wait that the store's answer told, or of the block if that is later; epoch ms. */
  readonly toldUntil: number;
  /** Requests that came inside waits, since the last one that came when no wait was left, or since the block began. */
  readonly count: number;
  /** Whether these were ever more than patient callers make, since the last block began. */
  readonly isFlooded: boolean;
  /** When they last were, or when the block began, epoch ms. */
  readonly floodedAt: number;
  /** How many times the next block is doubled. */
  readonly level: number;
  /** End of the block, epoch ms. */
  readonly blockedUntil: number;
}

/** Of an owner that has kept every wait so far. */
export const noEarlyRetries: EarlyRetries = {
  toldUntil: 0,
  count: 0,
  isFlooded: false,
  floodedAt: 0,
  level: 0,
  blockedUntil: 0,
};

/** Of four patient callers, three come while the fourth waits. */
const EARLY_RETRIES_MAX = 3;
const BLOCK_MS = 50;
const LEVEL_MAX = 5;
const FORGIVEN_AFTER_MS = 10_000;

/** After a wait was told that ends at `toldUntil`. */
export const afterRefusal = (before: EarlyRetries, toldUntil: number): EarlyRetries => ({
  ...before,
  toldUntil,
});

/**
 * After a request came inside a wait or a block. A fourth one in a row starts a block; so does the first one after a
 * block inside which there were four.
 *
 * @param draw a number from 0 to 1, which spreads the block over ±50 %, so that instances do not wake together.
 */
export function afterEarlyRetry(before: EarlyRetries, now: number, draw: number): EarlyRetries {
  const count = before.count + 1;
  const isFlood = count > EARLY_RETRIES_MAX;
  const isFlooded = before.isFlooded || isFlood;
  if (now < before.blockedUntil || !isFlooded)
    return { ...before, count, isFlooded, floodedAt: isFlood ? now : before.floodedAt };
  const blockedUntil = now + Math.round(BLOCK_MS * 2 ** before.level * (0.5 + draw));
  return {
    toldUntil: Math.max(before.toldUntil, blockedUntil),
    count: 0,
    isFlooded: false,
    floodedAt: now,
    level: Math.min(before.level + 1, LEVEL_MAX),
    blockedUntil,
  };
}

/**
 * After a request came when no wait was left to it. A block that was kept is credited once. One kept wait proves little:
 * in a flood over many instances each of them sees some, by chance.
 */
export function afterTimelyRequest(before: EarlyRetries, now: number): EarlyRetries {
  const { toldUntil, floodedAt, isFlooded, blockedUntil, level } = before;
  if (now - floodedAt > FORGIVEN_AFTER_MS) return { ...noEarlyRetries, toldUntil };
  const keptBlock = blockedUntil > 0 && !isFlooded;
  return { ...before, count: 0, level: keptBlock ? Math.max(0, level - 1) : level, blockedUntil: 0 };
}
