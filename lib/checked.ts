/** A checked value, or the reason for its refusal: a sentence that names the member and repeats no value. */
export type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: string };

/** A check that failed. */
export const notOk = (reason: string): { readonly ok: false; readonly reason: string } => ({
  ok: false,
  reason,
});
