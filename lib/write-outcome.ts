/**
 * What became of a record that was handed to a writer. `written`: it is now what readers see. `unchanged`: readers
 * saw exactly this before. `stale`: what is stored is newer, and stays. `refused`: the record breaks its contract or
 * its state rules; `reason` says which member and why, and never repeats a card number.
 */
export type WriteOutcome =
  | { readonly outcome: "written" | "unchanged" | "stale" }
  | { readonly outcome: "refused"; readonly reason: string };

/** The outcome of a record that breaks a rule. */
export const refused = (reason: string): WriteOutcome => ({ outcome: "refused", reason });
