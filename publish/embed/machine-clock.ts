import { runInNewContext } from "node:vm";

/**
 * The machine's clock, in milliseconds since the Unix epoch. It is taken from a context of its own, because a test may
 * have replaced the dates of its own context before this module was loaded.
 */
export const machineClock: () => number = runInNewContext("Date.now");
