import { isDenied, whyNot } from "../status/why-not.ts";

export const verdicts = ["ok", "warn", "fail", "not checked"] as const;
export type Verdict = (typeof verdicts)[number];

/** What one check found. */
export interface Finding {
  readonly check: string;
  readonly verdict: Verdict;
  /** What was found, without a full stop. */
  readonly text: string;
  /** What to do about it: sentences, and commands. */
  readonly todo?: string;
}

/** What a check found, whose name is known elsewhere. */
export type Found = Omit<Finding, "check">;

export const ok = (text: string): Found => ({ verdict: "ok", text });
export const warn = (text: string, todo: string): Found => ({ verdict: "warn", text, todo });
export const fail = (text: string, todo: string): Found => ({ verdict: "fail", text, todo });
export const notChecked = (text: string, todo?: string): Found => ({
  verdict: "not checked",
  text,
  ...(todo !== undefined && { todo }),
});

/** One check. What it throws is why it could not be made. */
export interface Check {
  readonly name: string;
  readonly run: () => Promise<Found | readonly Found[]>;
}

/**
 * Makes checks side by side. One that cannot be made keeps no other back.
 *
 * @param permissions what to do where a permission is missing.
 */
export async function runChecks(checks: readonly Check[], permissions: string): Promise<readonly Finding[]> {
  const made = await Promise.all(
    checks.map(async ({ name, run }) => {
      const found = await run().catch((error: unknown) =>
        notChecked(whyNot(error), isDenied(error) ? permissions : undefined),
      );
      return [found].flat().map((one) => ({ check: name, ...one }));
    }),
  );
  return made.flat();
}

/** What findings mean together, and for the exit code: `attention` where something is to be done. */
export function stateOf(findings: readonly Finding[]): "well" | "attention" | "unknown" {
  if (findings.some(({ verdict }) => verdict === "warn" || verdict === "fail")) return "attention";
  return findings.some(({ verdict }) => verdict === "not checked") ? "unknown" : "well";
}
