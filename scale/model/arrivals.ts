/** A repeatable stream of numbers from 0 up to 1. */
export type Draw = () => number;

/** How many of many independent events happen, of which `mean` happen on average (Poisson); for means up to some tens. */
export function countOf(draw: Draw, mean: number): number {
  const least = Math.exp(-mean);
  let count = 0;
  for (let product = draw(); product > least; product *= draw()) count += 1;
  return count;
}

/** One of so many, each as likely as the others. */
export const oneOf = (draw: Draw, count: number): number => Math.floor(draw() * count);

/** Hex digits that are drawn. */
export const hexOf = (draw: Draw, digits: number): string =>
  Math.floor(draw() * 16 ** digits)
    .toString(16)
    .padStart(digits, "0");
