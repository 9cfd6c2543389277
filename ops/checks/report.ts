import { writeFile } from "node:fs/promises";
import { ownMember } from "../../lib/own-member.ts";
import { codeOf, exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import { tinted } from "../../local/terminal/tint.ts";
import { callersPath } from "../store/store-options.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { type Table, tableText, terminalWidth, wrapText } from "../terminal/write-table.ts";
import { type Finding, NEEDS, type Verdict, verdicts } from "./rule.ts";

/** What a check came to. */
export interface Report {
  /** The command that checked. */
  readonly name: "check-pass" | "check-client";
  /** The address or the program that was checked. */
  readonly url: string;
  /** When the check began, in epoch milliseconds. */
  readonly startedAt: number;
  readonly findings: readonly Finding[];
  /** Why the check could not be made; undefined when it was. */
  readonly hindrance?: string | undefined;
}

/**
 * Prints the findings, and writes them to a file for build servers.
 *
 * @returns the exit code.
 * @throws {OperatorError} when the file cannot be written.
 */
export async function publish(
  report: Report,
  junit: string | undefined,
  print: (json: readonly Finding[], text: string | []) => void,
): Promise<number> {
  const { findings, hindrance } = report;
  const isAnyChecked = findings.some(({ verdict }) => verdict !== "not checked");
  print(findings, isAnyChecked ? reportText(findings, terminalWidth()) : []);
  if (junit !== undefined)
    await writeFile(callersPath(junit), junitXml(report)).catch((error: unknown) => {
      throw new OperatorError(`${junit} cannot be written (${codeOf(error)}).`, error);
    });
  if (hindrance !== undefined) return exitCodes.failed;
  return findingsOf(findings, "fail").length > 0 ? exitCodes.someRefused : exitCodes.done;
}

/** The findings of some verdicts, in their order. */
export const findingsOf = (findings: readonly Finding[], ...wanted: readonly Verdict[]): Finding[] =>
  findings.filter(({ verdict }) => wanted.includes(verdict));

/**
 * The findings of a check, for a person: first the rules that fail it and then those it warns of, each with its reason
 * and a curl line that reproduces the breach; then the rules that hold; then one line on those that were not checked.
 * Only curl lines are wider than `width`.
 */
export function reportText(findings: readonly Finding[], width?: number): string {
  const passed = findingsOf(findings, "pass");
  const unchecked = findingsOf(findings, "not checked");
  return [
    ...findingsOf(findings, "fail").map((finding) => breachText(finding, width)),
    ...findingsOf(findings, "warn").map((finding) => breachText(finding, width)),
    ...(passed.length > 0 ? [tableText(tableOf(passed, width), width)] : []),
    ...(unchecked.length > 0
      ? [wrapText(uncheckedText(unchecked), width ?? Number.POSITIVE_INFINITY).join("\n")]
      : []),
    countsText(findings),
  ].join("\n\n");
}

/** What changed from one check to the next, by the ids of rules, as in `Since the last check: mended 304-any.` */
export function sinceText(before: readonly Finding[], after: readonly Finding[]): string {
  const earlier = findingsOf(before, "fail", "warn").map(({ id }) => id);
  const told = [
    { what: "mended", of: findingsOf(after, "pass").filter(({ id }) => earlier.includes(id)) },
    { what: "broken", of: findingsOf(after, "fail", "warn").filter(({ id }) => !earlier.includes(id)) },
  ].filter(({ of }) => of.length > 0);
  const texts = told.map(({ what, of }) => `${what} ${of.map(({ id }) => id).join(", ")}`);
  return `Since the last check: ${texts.join("; ") || "no difference"}.`;
}

function breachText(finding: Finding, width?: number): string {
  const { level, rule, expected, seen, verdict, why, advice, curl } = finding;
  const rows: Table["rows"] = [
    [
      { text: verdict, tint: verdict === "fail" ? "bad" : "warn" },
      { text: rule, tint: "strong" },
    ],
    ...Object.entries({ level, expected, seen, why, ...(advice !== undefined && { do: advice }) }),
  ];
  // The curl line is pasted into a shell, so it is not wrapped.
  return `${tableText({ rows }, width)}${curl === undefined ? "" : `\n  ${curl}`}`;
}

/** Below this width the columns do not fit side by side, and two are left out: SEEN says enough for a kept rule. */
const ROOMY_COLUMNS = 80;

function tableOf(passed: readonly Finding[], width = ROOMY_COLUMNS): Table {
  const isRoomy = width >= ROOMY_COLUMNS;
  return {
    head: isRoomy ? ["VERDICT", "LEVEL", "RULE", "EXPECTED", "SEEN"] : ["VERDICT", "RULE", "SEEN"],
    rows: passed.map(({ level, rule, expected, seen }) => [
      { text: "pass", tint: "good" },
      ...(isRoomy ? [level, rule, expected] : [rule]),
      seen,
    ]),
  };
}

/** As in `8 not checked: needs --jws-key (2 rules), --burst (5 rules); no 503 was met`. */
function uncheckedText(unchecked: readonly Finding[]): string {
  const groups = Map.groupBy(unchecked, ({ seen }) => seen);
  const counts = Array.from(groups, ([reason, group]) =>
    group.length === 1 ? reason : `${reason} (${group.length} rules)`,
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

/**
 * A check as JUnit XML, which build servers read: a test case for each rule, with its level, skipped where the rule was
 * not checked. JUnit knows no warning: a rule with one passes, and says so in its output. A check that could not be made
 * has one more test case, with an error, because a build does not fail by skipped ones.
 */
export function junitXml({ name, url, startedAt, findings, hindrance }: Report): string {
  const errors = hindrance === undefined ? 0 : 1;
  const counts = {
    tests: findings.length + errors,
    failures: findingsOf(findings, "fail").length,
    errors,
    skipped: findingsOf(findings, "not checked").length,
  };
  const suite = { name: `${name} ${url}`, ...counts, timestamp: new Date(startedAt).toISOString() };
  const error =
    `    <testcase ${attributes({ classname: name, name: "The check can be made" })}>` +
    `<error ${attributes({ message: hindrance ?? "" })}/></testcase>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes(counts)}>`,
    `  <testsuite ${attributes(suite)}>`,
    ...(hindrance === undefined ? [] : [error]),
    ...findings.map((finding) => testCase(name, finding)),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function testCase(suite: string, finding: Finding): string {
  const { id, level, rule } = finding;
  const properties = `<properties><property ${attributes({ name: "level", value: level })}/></properties>`;
  const about = attributes({ classname: `${suite}.${id}`, name: rule });
  return `    <testcase ${about}>${properties}${outcome(finding)}</testcase>`;
}

/** What stands in a test case besides its level. */
function outcome({ id, expected, seen, verdict, why, advice, curl }: Finding): string {
  if (verdict === "pass") return "";
  if (verdict === "not checked") return `<skipped ${attributes({ message: seen })}/>`;
  const message = `expected ${expected}, seen ${seen}`;
  const parts = [why, advice, curl].filter((part) => part !== undefined);
  const text = parts.map(escaped).join("\n");
  return verdict === "warn"
    ? `<system-out>warn: ${escaped(message)}\n${text}</system-out>`
    : `<failure ${attributes({ message, type: id })}>${text}</failure>`;
}

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${escaped(String(value))}"`)
    .join(" ");

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A text escaped for XML. Characters that XML allows in no form (XML 1.0 2.2) are written out or replaced. */
const escaped = (text: string): string =>
  terminalText(text.toWellFormed())
    .replaceAll(/[\ufffe\uffff]/g, "\ufffd")
    .replaceAll(/[&<>"]/g, (character) => ownMember(ENTITIES, character) ?? "");
