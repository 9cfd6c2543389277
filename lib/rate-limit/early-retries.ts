/**
 * How far one owner keeps the waits that it is told. An owner whose requests keep coming inside waits is blocked for a
 * while, longer each time: it is answered from memory. Otherwise every instance that serves a flood would try, and
 * fail, to write the same item each time a token comes back.
 *
 * Up to four callers that share an owner, each retrying when it was told to, are never blocked: inside a wait of one of
 * them, each of the others comes at most once. More callers cannot be distinguished from a flood.
 */
export interface EarlyRetries {
  /** End of the last wait that came from an answer of the store, or of the block if that is later; epoch ms. */
  readonly toldUntil: number;
  /** Requests that came inside waits, since the last request outside a wait or since the block began. */
  readonly count: number;
  /** Whether `count` exceeded the number of patient callers at any time since the last block began. */
  readonly isFlooded: boolean;
  /** When `count` last exceeded it, or when the block began; epoch ms. */
  readonly floodedAt: number;
  /** How many times the length of the next block is doubled. */
  readonly level: number;
  /** End of the block, epoch ms. */
  readonly blockedUntil: number;
}

/** The state of an owner that has kept every wait so far. */
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

/** The state after the store refused a request, with a wait that ends at `toldUntil`. */
export const afterRefusal = (before: EarlyRetries, toldUntil: number): EarlyRetries => ({
  ...before,
  toldUntil,
});

/**
 * The state after a request came inside a wait or a block. A fourth one in a row starts a block; so does the first one
 * after a block inside which there were four.
 *
 * @param draw a number from 0 to 1 that spreads the block over ±50 %, so that instances do not end theirs together.
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
 * The state after a request came outside every wait. A block that was kept is credited once. One kept wait proves
 * little: in a flood over many instances, each instance sees some by chance.
 */
export function afterTimelyRequest(before: EarlyRetries, now: number): EarlyRetries {
  const { toldUntil, floodedAt, isFlooded, blockedUntil, level } = before;
  if (now - floodedAt > FORGIVEN_AFTER_MS) return { ...noEarlyRetries, toldUntil };
  const keptBlock = blockedUntil > 0 && !isFlooded;
  return { ...before, count: 0, level: keptBlock ? Math.max(0, level - 1) : level, blockedUntil: 0 };
}
