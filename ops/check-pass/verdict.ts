/** Where a rule comes from: the contract of the interface, an RFC that says how its parts work, or our own advice. */
export const levels = ["contract", "RFC", "advice"] as const;
export type Level = (typeof levels)[number];

/** What was found of a rule. A `warn` is a breach that fails nothing. */
export const verdicts = ["pass", "warn", "fail", "not checked"] as const;
export type Verdict = (typeof verdicts)[number];

/** The verdict on a rule that is broken: nothing but the contract binds the other side, unless a check is strict. */
export const breachVerdict = (level: Level, isStrict: boolean): Verdict =>
  level === "contract" || isStrict ? "fail" : "warn";
