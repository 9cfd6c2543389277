import * as z from "zod/mini";

/** Where a rule comes from: the contract of the interface, an RFC that says how its parts work, or our own advice. */
const levels = ["contract", "RFC", "advice"] as const;
export type Level = (typeof levels)[number];

/** What was found of a rule. A `warn` is a breach that fails nothing. */
export const verdicts = ["pass", "warn", "fail", "not checked"] as const;
export type Verdict = (typeof verdicts)[number];

/** An observation, and whether the rule holds by it. */
export interface Observation {
  readonly holds: boolean;
  readonly seen: string;
  /** For a broken rule, a line that reproduces the breach: one curl command, or several where it takes several. */
  readonly curl?: string;
}

/** One rule for a server or a client, and how to see whether it keeps the rule. */
export interface Rule<Subject, Seen extends Observation = Observation> {
  /** Names the rule in machine-readable output. */
  readonly id: string;
  /** The contract unless given. */
  readonly level?: Level;
  readonly rule: string;
  readonly expected: string;
  /** The reason for the rule, in a sentence, with the part of the contract or of an RFC that says so. */
  readonly why: string;
  /** What the author does about a breach. */
  readonly advice?: string;
  /** @throws {NotObservable} when an option is missing, or another rule's breach hides this one. */
  run(subject: Subject): Seen | Promise<Seen>;
}

/** A rule cannot be judged, because something that it depends on is missing. The message says what. */
export class NotObservable extends Error {
  override readonly name = "NotObservable";
}

/** The findings of a check, as JSON. */
const findingsShape = z.array(
  z.object({
    id: z.string(),
    level: z.enum(levels),
    rule: z.string(),
    expected: z.string(),
    /** For a rule that was not checked, what was missing. */
    seen: z.string(),
    verdict: z.enum(verdicts),
    why: z.string(),
    curl: z.optional(z.string()),
    advice: z.optional(z.string()),
  }),
);
export type Finding = Readonly<z.infer<typeof findingsShape>[number]>;

/** The meaning of a check's exit codes. */
export const checkExits = {
  0: "nothing failed (there may be warnings)",
  1: "a rule of the contract is broken, or with --strict any rule",
  2: "the check could not be made",
} as const;

/** What a check prints for programs. */
export const findingsOutput = {
  shape: findingsShape,
  example: [
    {
      id: "304-same-tag",
      level: "contract",
      rule: "The current tag is answered with 304",
      expected: "304",
      seen: "200",
      verdict: "fail",
      why: "When If-None-Match equals the tag of the unchanged pass, the answer is a 304 (contract, Rules 2).",
      curl: "curl -i -H 'If-None-Match: \"abc\"' https://partner.example/passes/demo-1",
    },
  ],
} as const;

/** The beginning of a {@link NotObservable} where an option is missing; its name follows. */
export const NEEDS = "needs ";

export interface RunOptions {
  /** Whether a breach of any rule fails, and not only one of the contract, which alone binds the other side. */
  readonly isStrict?: boolean | undefined;
  /** Told of each finding as soon as it is there. */
  readonly report?: (finding: Finding) => void;
}

/** Judges rules one after the other, so that none disturbs another. */
export async function runRules<Subject>(
  rules: readonly Rule<Subject>[],
  subject: Subject,
  { isStrict = false, report = () => {} }: RunOptions = {},
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const rule of rules) {
    const finding = await findingOn(rule, subject, isStrict);
    report(finding);
    findings.push(finding);
  }
  return findings;
}

async function findingOn<Subject>(
  rule: Rule<Subject>,
  subject: Subject,
  isStrict: boolean,
): Promise<Finding> {
  try {
    const { holds, seen, curl } = await rule.run(subject);
    if (holds) return { ...aboutRule(rule), seen, verdict: "pass" };
    const { level = "contract", advice } = rule;
    const verdict = level === "contract" || isStrict ? "fail" : "warn";
    const help = { ...(curl !== undefined && { curl }), ...(advice !== undefined && { advice }) };
    return { ...aboutRule(rule), seen, verdict, ...help };
  } catch (error) {
    if (error instanceof NotObservable) return unchecked(rule, error.message);
    throw error;
  }
}

/** The finding on a rule that was not checked. */
export const unchecked = (rule: Rule<never>, seen: string): Finding => ({
  ...aboutRule(rule),
  seen,
  verdict: "not checked",
});

const aboutRule = ({ id, level = "contract", rule, expected, why }: Rule<never>) => ({
  id,
  level,
  rule,
  expected,
  why,
});
