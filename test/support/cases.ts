/** How many times as many cases as in each run of the tests: `npm test -- --mode deep` and `npm run mutate` set it. */
const TIMES = Number(process.env.TEST_CASES ?? 1);

/**
 * How many cases a statement about every input is tried on, given the number that each run of the tests can afford. For very
 * many: `TEST_CASES=1000 npx vitest run` and the file.
 */
export const cases = (count: number): number => count * TIMES;
