import { type Tint, tinted } from "../../local/terminal/tint.ts";
import { type Table, tableText, wrapText } from "../terminal/write-table.ts";
import { type Finding, NEEDS } from "./check-pass.ts";
import { type Verdict, verdicts } from "./verdict.ts";

/** The findings of one verdict, in their order. */
export const findingsOf = (findings: readonly Finding[], verdict: Verdict): Finding[] =>
  findings.filter((finding) => finding.verdict === verdict);

/**
 * The findings of a check, for a person: first the rules that fail it and then those it warns of, each with its reason
 * and a curl line that reproduces the breach; then the rules that hold; then one line on those that were not checked.
 * Only curl lines are wider than `width`.
 */
export function reportText(findings: readonly Finding[], width?: number): string {
  const broken = (["fail", "warn"] as const).flatMap((verdict) =>
    findingsOf(findings, verdict).map((finding) => breachText(finding, verdict, width)),
  );
  const passed = findingsOf(findings, "pass");
  const unchecked = findingsOf(findings, "not checked");
  const parts = [
    ...broken,
    ...(passed.length > 0 ? [tableText(tableOf(passed, width), width)] : []),
    ...(unchecked.length > 0
      ? [wrapText(uncheckedText(unchecked), width ?? Number.POSITIVE_INFINITY).join("\n")]
      : []),
    countsText(findings),
  ];
  return parts.join("\n\n");
}

/** What changed from one check to the next, by the ids of rules, as in `Since the last check: mended 304-any.` */
export function sinceText(before: readonly Finding[], after: readonly Finding[]): string {
  const idsOf = (findings: readonly Finding[], ...verdicts: readonly Verdict[]) =>
    verdicts.flatMap((verdict) => findingsOf(findings, verdict).map(({ id }) => id));
  const earlier = idsOf(before, "fail", "warn");
  const parts = [
    ["mended", idsOf(after, "pass").filter((id) => earlier.includes(id))] as const,
    ["broken", idsOf(after, "fail", "warn").filter((id) => !earlier.includes(id))] as const,
  ];
  const told = parts.filter(([, ids]) => ids.length > 0).map(([what, ids]) => `${what} ${ids.join(", ")}`);
  return told.length === 0
    ? "Since the last check: no difference."
    : `Since the last check: ${told.join("; ")}.`;
}

const TINTS = { fail: "bad", warn: "warn" } as const satisfies Partial<Record<Verdict, Tint>>;

function breachText(finding: Finding, verdict: keyof typeof TINTS, width?: number): string {
  const { level, rule, expected, seen, why, advice, curl } = finding;
  const rows: Table["rows"] = [
    [
      { text: verdict, tint: TINTS[verdict] },
      { text: rule, tint: "strong" },
    ],
    ["level", level],
    ["expected", expected],
    ["seen", seen],
    ["why", why],
    ...(advice === undefined ? [] : [["do", advice]]),
  ];
  const lines = [tableText({ rows }, width)];
  // The curl line is pasted into a shell, so it is not wrapped.
  return curl === undefined ? lines.join("\n") : [...lines, `  ${curl}`].join("\n");
}

/** Below this width the columns do not fit side by side, and two are left out: SEEN says enough for a kept rule. */
const ROOMY_COLUMNS = 80;

function tableOf(passed: readonly Finding[], width = ROOMY_COLUMNS): Table {
  const isRoomy = width >= ROOMY_COLUMNS;
  return {
    head: ["VERDICT", ...(isRoomy ? ["LEVEL"] : []), "RULE", ...(isRoomy ? ["EXPECTED"] : []), "SEEN"],
    rows: passed.map(({ level, rule, expected, seen }) => [
      { text: "pass", tint: "good" },
      ...(isRoomy ? [level] : []),
      rule,
      ...(isRoomy ? [expected] : []),
      seen,
    ]),
  };
}

/** As in `9 not checked: needs --jws-key (2), --burst (5); no 503 was met (2)`. */
function uncheckedText(unchecked: readonly Finding[]): string {
  const counts = Array.from(
    Map.groupBy(unchecked, ({ seen }) => seen),
    ([reason, group]) => `${reason} (${group.length})`,
  );
  const options = counts.filter((count) => count.startsWith(NEEDS)).map((count) => count.slice(NEEDS.length));
  const others = counts.filter((count) => !count.startsWith(NEEDS));
  const reasons = options.length > 0 ? [`${NEEDS}${options.join(", ")}`, ...others] : others;
  return `${unchecked.length} not checked: ${reasons.join("; ")}`;
}

function countsText(findings: readonly Finding[]): string {
  const count = (verdict: Verdict): number => findingsOf(findings, verdict).length;
  const text = verdicts.map((verdict) => `${count(verdict)} ${verdict}`).join(", ");
  return tinted(count("fail") > 0 ? "bad" : count("warn") > 0 ? "warn" : "good", text);
}
