/** The time now, in whole milliseconds since the Unix epoch. Passed in wherever time matters, so that tests set it. */
export type Clock = () => number;

/** The machine's clock; the only reader of it in the project's library. */
export const systemClock: Clock = () => Date.now();
