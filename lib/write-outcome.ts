/**
 * The outcome of a record that was handed to a writer. No text in it ever repeats a card number.
 *
 * - `written`: readers now see the record; `unusual` names the steps that its kind does not usually take, such as
 *   `state declined → completed`.
 * - `corrected`: readers now see the record in place of a version that would otherwise have stayed, named by
 *   `replaced`.
 * - `unchanged`: readers saw exactly this before.
 * - `stale`: the stored version is newer, or was put there by a correction, and stays.
 * - `refused`: the record breaks its contract; `reason` says which member and why.
 */
export type WriteOutcome =
  | { readonly outcome: "written"; readonly unusual?: string }
  | { readonly outcome: "corrected"; readonly replaced: string }
  | { readonly outcome: "unchanged" | "stale" }
  | { readonly outcome: "refused"; readonly reason: string };

/** The outcome of a record that breaks a rule. */
export const refused = (reason: string): WriteOutcome => ({ outcome: "refused", reason });
