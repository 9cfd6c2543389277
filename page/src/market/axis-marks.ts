import { decimalText } from "../../../lib/trades/decimal.ts";

/** A mark of an axis: where it is, and what it says. */
export interface Mark {
  readonly at: number;
  readonly text: string;
}

const STEPS = [1, 2, 5] as const;

/**
 * The marks of a range, from its lowest, `most` of them, from 2: multiples of a round step, each with all of its digits,
 * so that no two say the same however near they are.
 */
export function marksIn(from: number, to: number, most: number): readonly Mark[] {
  const least = (to - from) / (most - 1);
  if (!(least > 0)) return [];
  const tens = Math.ceil(Math.log10(least / 5));
  // A power of ten is exact, and its inverse is not.
  const [times, parts] = tens < 0 ? [1, 10 ** -tens] : [10 ** tens, 1];
  const step = STEPS.find((each) => (each * times) / parts >= least) ?? 5;
  const first = Math.ceil((from / step / times) * parts);
  const last = Math.floor((to / step / times) * parts);
  return Array.from({ length: Math.min(most, last - first + 1) }, (_, index) => {
    const count = (first + index) * step;
    return {
      at: (count * times) / parts,
      text: decimalText(BigInt(count) * BigInt(times), Math.max(0, -tens)),
    };
  });
}
