import { describe, expect, test } from "vitest";
import { checkPass, type PassRecord, type StoredPass } from "../../../lib/passes/pass.ts";
import { resolvePass } from "../../../lib/passes/resolve-pass.ts";

function passOf(version: number, changes: Record<string, unknown> = {}): PassRecord {
  const members = {
    partner_reference: "ref-1",
    template_id: "tpl-1",
    type: "event_pass",
    version,
    ...changes,
  };
  const checked = checkPass(JSON.stringify(members));
  if (!checked.ok) throw new Error(checked.reason);
  return checked.value;
}

const order = { at: Date.parse("2026-11-28T12:00:00Z") };
const wrong = passOf(999_999_999_999_999);
const right = passOf(5);
const corrected: StoredPass = {
  ...right,
  corrections: resolvePass(right, wrong, order).replacement?.corrections,
};

describe("a correction of a pass", () => {
  test("puts a lower version in place of a higher one, and reports the replaced version", () => {
    const resolved = resolvePass(right, wrong, order);
    expect(resolved.outcome).toEqual({ outcome: "corrected", replaced: "replaces version 999999999999999" });
    expect(resolved.replacement).toMatchObject({ pass: right, seen: wrong });
    expect(JSON.parse(resolved.replacement?.corrections ?? "null")).toEqual([
      {
        at: "2026-11-28T12:00:00.000Z",
        replaced: expect.stringMatching(/^999999999999999#/),
        by: expect.stringMatching(/^5#/),
      },
    ]);
  });

  test.each([
    ["of the same version with other content", passOf(5, { semantics: { a: 1 } }), right],
    ["of a higher version with another template", passOf(6, { template_id: "tpl-2" }), right],
  ])("puts one in place that would be refused: one %s", (_what, given, stored) => {
    expect(resolvePass(given, stored).outcome).toMatchObject({ outcome: "refused" });
    expect(resolvePass(given, stored, order)).toMatchObject({
      outcome: { outcome: "corrected", replaced: "replaces version 5" },
      replacement: { pass: given },
    });
  });

  test("does not count as one when the pass is stored already, or may be published anyway", () => {
    expect(resolvePass(right, right, order)).toMatchObject({ outcome: { outcome: "unchanged" } });
    expect(resolvePass(passOf(6), right, order)).toMatchObject({
      outcome: { outcome: "written" },
      replacement: { corrections: undefined },
    });
  });

  test("keeps out the replaced version, with its template, and nothing else", () => {
    expect(resolvePass(wrong, corrected)).toEqual({ outcome: { outcome: "stale" } });
    expect(resolvePass(passOf(6), corrected)).toMatchObject({
      outcome: { outcome: "written" },
      replacement: { corrections: corrected.corrections },
    });
    expect(resolvePass(wrong, corrected, order).outcome).toMatchObject({ outcome: "corrected" });
  });

  test("leaves a void pass alone", () =>
    expect(resolvePass(right, { state: "void", goneAt: 1 }, order)).toEqual({
      outcome: { outcome: "refused", reason: expect.stringContaining("voided") },
    }));

  test("is refused after a hundred of them", () => {
    const corrections = JSON.stringify(
      Array.from({ length: 100 }, () => ({ at: "", replaced: "a", by: "b" })),
    );
    expect(resolvePass(right, { ...wrong, corrections }, order)).toEqual({
      outcome: { outcome: "refused", reason: expect.stringContaining("100 times") },
    });
  });
});

describe("a pass that is not put in place", () => {
  test("may still give the stored one its template, unless it was refused", () => {
    expect(resolvePass(passOf(4), right)).toEqual({ outcome: { outcome: "stale" }, isAccepted: true });
    expect(resolvePass(right, right)).toEqual({ outcome: { outcome: "unchanged" }, isAccepted: true });
    expect(resolvePass(passOf(5, { semantics: { a: 1 } }), right)).toMatchObject({
      outcome: { outcome: "refused" },
      isAccepted: false,
    });
  });
});
