import { createHash } from "node:crypto";

/**
 * Choices that look random and are always the same. Each is drawn from a label, not from a sequence, so that a
 * record which is added later changes none of the others. Changing the seed renames every demo trade there is.
 */
const SEED = "countinghouse demo 1";

const digest = (label: string): Buffer => createHash("sha256").update(`${SEED}/${label}`).digest();

/** A whole number from `low` to `high`, both included. */
export function drawInteger(label: string, low: number, high: number): number {
  return low + (digest(label).readUIntBE(0, 6) % (high - low + 1));
}

/** Lower-case hex digits, at most 64. */
export const drawHex = (label: string, digits: number): string =>
  digest(label).toString("hex").slice(0, digits);

const BLOCK_BYTES = 2_048;

/** Whole numbers of 32 bits, one a call; for records so many that a label for each choice would take long. */
export function drawNumbers(label: string): () => number {
  let block = Buffer.alloc(0);
  let blocks = 0;
  let at = 0;
  return () => {
    if (at === block.length) {
      const hash = createHash("shake256", { outputLength: BLOCK_BYTES });
      block = hash.update(`${SEED}/${label}/${blocks}`).digest();
      blocks += 1;
      at = 0;
    }
    at += 4;
    return block.readUInt32BE(at - 4);
  };
}
