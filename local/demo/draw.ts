import { createHash, hash } from "node:crypto";

/**
 * Choices that look random and are always the same. Each is drawn from a label, not from a sequence, so that a
 * record which is added later changes none of the others. Changing the seed renames every demo trade there is.
 */
const SEED = "countinghouse demo 1";

const digest = (label: string): Buffer => hash("sha256", `${SEED}/${label}`, "buffer");

/** A whole number from `low` to `high`, both included. */
export function drawInteger(label: string, low: number, high: number): number {
  return low + (digest(label).readUIntBE(0, 6) % (high - low + 1));
}

/** Lower-case hex digits, at most 64. */
export const drawHex = (label: string, digits: number): string =>
  digest(label).toString("hex").slice(0, digits);

const BLOCK_BYTES = 2_048;
const HEX_BYTES = 16;

/** Choices for records so many that a label for each choice would take long. */
export interface Draws {
  /** A whole number of 32 bits. */
  readonly number: () => number;
  /** As many hex digits as four numbers have, in lower case. */
  readonly hex: () => string;
}

/** A sequence of choices, from one label. */
export function drawMany(label: string): Draws {
  let block = Buffer.alloc(0);
  let blocks = 0;
  let at = 0;
  const number = (): number => {
    if (at === block.length) {
      const drawn = createHash("shake256", { outputLength: BLOCK_BYTES });
      block = drawn.update(`${SEED}/${label}/${blocks}`).digest();
      blocks += 1;
      at = 0;
    }
    at += 4;
    return block.readUInt32BE(at - 4);
  };
  const hex = (): string => {
    const isWhole = at + HEX_BYTES <= block.length;
    if (!isWhole)
      return Array.from({ length: HEX_BYTES / 4 }, () => number().toString(16).padStart(8, "0")).join("");
    at += HEX_BYTES;
    return block.toString("hex", at - HEX_BYTES, at);
  };
  return { number, hex };
}
