import { ownMember } from "../../lib/own-member.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import type { Finding } from "./check-pass.ts";

export interface JunitReport {
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
 * A check as JUnit XML, which build servers read: a test case for each rule, with its level, skipped where the rule was
 * not checked. JUnit knows no warning: a rule with one passes, and says so in its output. A check that could not be made
 * has one more test case, with an error, because a build does not fail by skipped ones.
 */
export function junitXml({ name, url, startedAt, findings, hindrance }: JunitReport): string {
  const of = (verdict: Finding["verdict"]): number =>
    findings.filter((one) => one.verdict === verdict).length;
  const counts = {
    tests: findings.length + (hindrance === undefined ? 0 : 1),
    failures: of("fail"),
    errors: hindrance === undefined ? 0 : 1,
    skipped: of("not checked"),
  };
  const suite = { name: `${name} ${url}`, ...counts, timestamp: new Date(startedAt).toISOString() };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes(counts)}>`,
    `  <testsuite ${attributes(suite)}>`,
    ...(hindrance === undefined ? [] : [errorCase(name, hindrance)]),
    ...findings.map((finding) => testCase(name, finding)),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

const errorCase = (classname: string, hindrance: string): string =>
  `    <testcase ${attributes({ classname, name: "The check can be made" })}>` +
  `<error ${attributes({ message: hindrance })}/></testcase>`;

function testCase(suite: string, finding: Finding): string {
  const { id, level, rule } = finding;
  return [
    `    <testcase ${attributes({ classname: `${suite}.${id}`, name: rule })}>`,
    `<properties><property ${attributes({ name: "level", value: level })}/></properties>`,
    outcome(finding),
    "</testcase>",
  ].join("");
}

/** What stands in a test case besides its level. */
function outcome({ id, expected, seen, verdict, why, advice, curl }: Finding): string {
  if (verdict === "pass") return "";
  if (verdict === "not checked") return `<skipped ${attributes({ message: seen })}/>`;
  const message = `expected ${expected}, seen ${seen}`;
  const text = [why, advice, curl]
    .filter((part) => part !== undefined)
    .map(escaped)
    .join("\n");
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
