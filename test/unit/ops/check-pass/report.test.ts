import { describe, expect, test } from "vitest";
import { junitXml, reportText } from "../../../../ops/checks/report.ts";
import type { Finding } from "../../../../ops/checks/rule.ts";
import { displayWidth } from "../../../../ops/terminal/write-table.ts";

const finding = (verdict: Finding["verdict"], rule: string, more: Partial<Finding> = {}): Finding => ({
  id: rule.toLowerCase().replaceAll(" ", "-"),
  level: "contract",
  rule,
  expected: "200 with a JSON object, which is the pass",
  seen: "200 with a JSON object, which is the pass",
  verdict,
  why: "A 200 is the full current pass (contract, Retrieve a pass), which is more than one line of any terminal.",
  ...more,
});
const findings = [
  finding("pass", "A pass that exists is answered whole"),
  finding("not checked", "A JWS whose signature was changed is refused", { seen: "needs --jws-key" }),
  finding("fail", "A list of tags matches", { seen: "200", curl: `curl -i '${"x".repeat(100)}'` }),
  finding("not checked", "A certificate is refused", { seen: "needs --cert and --key" }),
  finding("not checked", "A JWS of a strange key is refused", { seen: "needs --jws-key" }),
  finding("not checked", "Request-Id is echoed on a 503", { seen: "no 503 was met" }),
  finding("warn", "The ETag is one quoted tag", { level: "RFC", seen: "ETag: a", curl: "curl -i" }),
  finding("fail", "A 304 has no body", { seen: "no answer (ECONNRESET)" }),
];

describe("the report of a check", () => {
  test("begins with what is broken, and ends with the counts", () => {
    const text = reportText(findings);
    const at = (part: string): number => text.indexOf(part);
    expect(at("A list of tags matches")).toBeLessThan(at("A 304 has no body"));
    expect(at("A 304 has no body")).toBeLessThan(at("The ETag is one"));
    expect(at("The ETag is one")).toBeLessThan(at("A pass that exists"));
    expect(text).toMatch(/^fail .*\nlevel +contract\n/);
    expect(text).toMatch(/^warn +The ETag is one quoted tag\nlevel +RFC\n/m);
    expect(text).toMatch(/\n\n1 pass, 1 warn, 2 fail, 4 not checked$/);
  });

  test("folds what was not checked into one line, with the options that are missing", () => {
    expect(reportText(findings)).toContain(
      "\n\n4 not checked: needs --jws-key (2 rules), --cert and --key; no 503 was met\n\n",
    );
    expect(reportText(findings.slice(0, 1))).not.toContain("not checked:");
  });

  test.each([
    [80, "VERDICT  LEVEL .* RULE .* EXPECTED .* SEEN"],
    [79, "VERDICT  RULE .* SEEN"],
    [60, "VERDICT  RULE .* SEEN"],
  ])("keeps its columns on a terminal of %d", (width, head) => {
    expect(reportText(findings, width)).toMatch(new RegExp(`^${head}$`, "m"));
  });

  test.each([120, 80, 60, 40])("fits a terminal of %d columns, except for lines to paste", (width) => {
    const lines = reportText(findings, width).split("\n");
    for (const line of lines.filter((one) => !one.startsWith("  curl ")))
      expect(displayWidth(line)).toBeLessThanOrEqual(width);
    expect(lines.filter((line) => line.startsWith("  curl "))).toHaveLength(2);
  });
});

describe("the report for build servers", () => {
  const about = {
    name: "check-pass" as const,
    url: "https://partner.example/?a=1&b",
    startedAt: Date.UTC(2026, 10, 25),
  };

  test("has a test case for each rule, in the words of XML", () => {
    const [passed, unchecked, failed] = findings as [Finding, Finding, Finding];
    const warned = findings.find(({ verdict }) => verdict === "warn") as Finding;
    const level = (name: string) => `<properties><property name="level" value="${name}"/></properties>`;
    const strange = { ...failed, seen: 'a "tag" <b>&\u0000\ud800', curl: "curl 'x' && y" };
    const xml = junitXml({ ...about, findings: [passed, unchecked, strange, warned] });
    expect(xml).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<testsuites tests="4" failures="1" errors="0" skipped="1">',
        '  <testsuite name="check-pass https://partner.example/?a=1&amp;b" tests="4" failures="1" errors="0" skipped="1" timestamp="2026-11-25T00:00:00.000Z">',
        `    <testcase classname="check-pass.a-pass-that-exists-is-answered-whole" name="A pass that exists is answered whole">${level("contract")}</testcase>`,
        `    <testcase classname="check-pass.a-jws-whose-signature-was-changed-is-refused" name="A JWS whose signature was changed is refused">${level("contract")}<skipped message="needs --jws-key"/></testcase>`,
        `    <testcase classname="check-pass.a-list-of-tags-matches" name="A list of tags matches">${level("contract")}` +
          '<failure message="expected 200 with a JSON object, which is the pass, seen a &quot;tag&quot; &lt;b&gt;&amp;\\u{0}\ufffd" type="a-list-of-tags-matches">' +
          `${strange.why}\ncurl 'x' &amp;&amp; y</failure></testcase>`,
        `    <testcase classname="check-pass.the-etag-is-one-quoted-tag" name="The ETag is one quoted tag">${level("RFC")}` +
          `<system-out>warn: expected ${warned.expected}, seen ETag: a\n${warned.why}\ncurl -i</system-out></testcase>`,
        "  </testsuite>",
        "</testsuites>",
        "",
      ].join("\n"),
    );
  });

  test("has an error for a check that could not be made, which skipped rules would not show", () => {
    const xml = junitXml({ ...about, findings: findings.slice(1, 2), hindrance: "nothing could be checked" });
    expect(xml).toContain('<testsuites tests="2" failures="0" errors="1" skipped="1">');
    expect(xml).toContain('<error message="nothing could be checked"/>');
  });
});
