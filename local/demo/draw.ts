import { createHash } from "node:crypto";

/**
 * Choices that look random and are always the same. Each is drawn from a label, not from a sequence, so that a
 * record which is added later changes none of the others. Changing the seed renames every demo record there is.
 */
const SEED = "countinghouse demo 1";
const CROCKFORD_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** The instant that every demo ULID claims, 2026-01-01T00:00:00Z, in its ten letters: ids must not move with time. */
const ULID_INSTANT_LETTERS = "01KDVDNA00";

const digest = (label: string): Buffer => createHash("sha256").update(`${SEED}/${label}`).digest();

/** A whole number from `low` to `high`, both included. */
export function drawInteger(label: string, low: number, high: number): number {
  return low + (digest(label).readUIntBE(0, 6) % (high - low + 1));
}

/** One of the choices, each as likely as the others. */
export function drawOne<Choice>(label: string, choices: readonly [Choice, ...Choice[]]): Choice {
  return choices[drawInteger(label, 0, choices.length - 1)] ?? choices[0];
}

/** Lower-case hex digits, at most 64. */
export const drawHex = (label: string, digits: number): string =>
  digest(label).toString("hex").slice(0, digits);

/** A UUID of version 8, the one for values made by a rule of one's own (RFC 9562, section 5.8). */
export function drawUuid(label: string): string {
  const hex = drawHex(label, 32);
  const variant = "89ab"[Number.parseInt(hex.slice(16, 17), 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** A ULID: ten letters of time, the same for all, and sixteen drawn ones. */
export function drawUlid(label: string): string {
  const letters = [...digest(label).subarray(0, 16)].map((byte) => CROCKFORD_LETTERS[byte % 32]);
  return `${ULID_INSTANT_LETTERS}${letters.join("")}`;
}

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
