import { drawInteger } from "./draw.ts";

const HOUR_MS = 3_600_000;
const PARTS = 10_000;

/** Waves of a price: how long each is, and how far it moves the price at most, in ten-thousandths. */
const WAVES = [
  { lengthMs: 480 * HOUR_MS, parts: 1_200 },
  { lengthMs: 48 * HOUR_MS, parts: 500 },
  { lengthMs: 5 * HOUR_MS, parts: 150 },
  { lengthMs: HOUR_MS / 2, parts: 40 },
] as const;

/**
 * The price of a market at an instant, in the smallest unit: a walk that is the same whenever it is begun, because each
 * wave of it goes from one drawn height to the next on a grid of absolute time.
 */
export function priceAt(symbol: string, typical: number, instantMs: number): number {
  const moved = WAVES.reduce((sum, { lengthMs, parts }) => {
    const from = Math.floor(instantMs / lengthMs);
    const height = (step: number) => drawInteger(`price/${symbol}/${lengthMs}/${step}`, -parts, parts);
    const way = (instantMs - from * lengthMs) / lengthMs;
    return sum + height(from) + (height(from + 1) - height(from)) * way * way * (3 - 2 * way);
  }, 0);
  return Math.round(typical * (1 + moved / PARTS));
}
