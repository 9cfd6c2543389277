import fc from "fast-check";

/**
 * Set up where `npm run mutate` runs the tests: a failed property is not shrunk, because nobody reads by what a mutant
 * was found, and always draws the same values, so that a score can be compared with the one before.
 */
fc.configureGlobal({ endOnFailure: true, seed: 20260301 });
