/**
 * What became of a record that was handed to a writer. `written`: it is now what readers see; `unusual` names the steps
 * that its kind does not usually take, such as `state declined → completed`. `corrected`: it is now what readers see in
 * the place of a version that would have stayed otherwise, which `replaced` names. `unchanged`: readers saw exactly this
 * before. `stale`: what is stored is newer, or was put there by a correction, and stays. `refused`: the record breaks its
 * contract; `reason` says which member and why. None of these texts ever repeats a card number.
 */
export type WriteOutcome =
  | { readonly outcome: "written"; readonly unusual?: string }
  | { readonly outcome: "corrected"; readonly replaced: string }
  | { readonly outcome: "unchanged" | "stale" }
  | { readonly outcome: "refused"; readonly reason: string };

/** The outcome of a record that breaks a rule. */
export const refused = (reason: string): WriteOutcome => ({ outcome: "refused", reason });
