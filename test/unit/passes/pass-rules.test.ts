import { describe, expect, test } from "vitest";
import type { CorrectionOrder } from "../../../lib/corrections.ts";
import type { Item } from "../../../lib/dynamo/item.ts";
import { resolveVersion } from "../../../lib/dynamo/resolve-version.ts";
import { checkPass } from "../../../lib/passes/pass.ts";
import { versionOf } from "../../../lib/passes/pass-register.ts";

/** A published pass of a version, or a document in its place. */
function pass(version: number, changes: Record<string, unknown> = {}): Item {
  const members = { partner_reference: "ref-1", template_id: "tpl-1", type: "event_pass", version };
  return published(JSON.stringify({ ...members, ...changes }));
}

function published(text: string): Item {
  const checked = checkPass(text);
  if (!checked.ok) throw new Error(checked.reason);
  return versionOf(checked.value).item;
}

function resolve(given: Item, stored: Item, order?: CorrectionOrder) {
  const pass = {
    partnerReference: "ref-1",
    text: given.doc?.S ?? "",
    version: Number(given.version?.N),
    templateId: given.template_id?.S,
  };
  return resolveVersion(stored, { key: ["partner_reference"], ...versionOf(pass) }, order);
}

const NO_TEMPLATE = { template_id: undefined };
const order = { at: Date.parse("2026-11-28T12:00:00Z") };
const wrong = pass(999_999_999_999_999);
const right = pass(5);
const tombstone: Item = { partner_reference: { S: "ref-1" }, gone_at: { N: "1" } };
const written = { outcome: "written" };
const stale = { outcome: "stale" };
const unchanged = { outcome: "unchanged" };
const refused = (reason: RegExp) => ({ outcome: "refused", reason: expect.stringMatching(reason) });

describe("compared with the stored pass, a pass", () => {
  test("of a higher version is published, whatever the step", () => {
    for (const version of [6, 10, 6_000])
      expect(resolve(pass(version), right)).toEqual({ outcome: written, item: pass(version) });
  });

  test("of a lower version is stale, whatever its template", () => {
    expect(resolve(pass(4), right)).toEqual({ outcome: stale });
    expect(resolve(pass(9, { template_id: "tpl-2" }), pass(10))).toEqual({ outcome: stale });
  });

  test("that is the same changes nothing", () =>
    expect(resolve(pass(5), right)).toEqual({ outcome: unchanged }));

  test("with the same version and other content is refused, whichever text is the higher one", () => {
    const reason =
      /^version 5 is stored with other content, or with its members in another order; a change needs a higher version$/;
    const other = pass(5, { semantics: { a: 1 } });
    expect(resolve(other, right)).toEqual({ outcome: refused(reason) });
    expect(resolve(right, other)).toEqual({ outcome: refused(reason) });
  });

  test("with the same version and its members in another order is refused, because the order is served", () => {
    const first = pass(5, { semantics: { b: 1, a: 2 } });
    for (const semantics of [
      { a: 2, b: 1 },
      { b: 1, a: "2.0" },
    ])
      expect(resolve(pass(5, { semantics }), first)).toEqual({ outcome: refused(/^version 5/) });
    const members = { version: 5, semantics: { b: 1, a: 2 }, type: "event_pass", partner_reference: "ref-1" };
    expect(resolve(published(JSON.stringify(members)), first)).toEqual({ outcome: unchanged });
  });

  test("may leave its template out and never change it", () => {
    expect(resolve(pass(6, NO_TEMPLATE), right)).toEqual({ outcome: written, item: pass(6) });
    expect(resolve(pass(6), pass(5, NO_TEMPLATE))).toEqual({ outcome: written, item: pass(6) });
    for (const version of [5, 6])
      expect(resolve(pass(version, { template_id: "tpl-2" }), right)).toEqual({
        outcome: refused(/^template_id cannot change once it is set; leave it out or as it was$/),
      });
  });

  test("gives its template to a stored one without, if it is not refused", () => {
    expect(resolve(pass(4), pass(5, NO_TEMPLATE))).toEqual({ outcome: stale, item: right });
    expect(resolve(pass(4, NO_TEMPLATE), pass(5, NO_TEMPLATE))).toStrictEqual({ outcome: stale });
    expect(resolve(right, pass(5, NO_TEMPLATE))).toEqual({ outcome: unchanged, item: right });
    const other = pass(5, { semantics: { a: 1 } });
    expect(resolve(other, pass(5, NO_TEMPLATE))).toEqual({ outcome: refused(/^version 5/) });
  });

  test("never comes back once it was voided, not even by a correction", () => {
    for (const one of [undefined, order])
      expect(resolve(pass(6), tombstone, one)).toEqual({ outcome: refused(/^the pass was voided/) });
  });

  test("is published where nothing is stored", () =>
    expect(resolve(right, {})).toEqual({ outcome: written, item: right }));
});

describe("a correction of a pass", () => {
  const corrected = resolve(right, wrong, order).item ?? {};

  test("puts a lower version in place of a higher one, and reports the replaced version", () => {
    expect(resolve(right, wrong, order)).toEqual({
      outcome: { outcome: "corrected", replaced: "replaces version 999999999999999" },
      item: { ...right, corrections: { S: expect.any(String) } },
    });
    expect(JSON.parse(corrected.corrections?.S ?? "null")).toEqual([
      {
        at: "2026-11-28T12:00:00.000Z",
        replaced: expect.stringMatching(/^999999999999999#[\w-]{22}$/),
        by: expect.stringMatching(/^5#[\w-]{22}$/),
      },
    ]);
  });

  test.each([
    ["of the same version with other content", pass(5, { semantics: { a: 1 } })],
    ["of a higher version with another template", pass(6, { template_id: "tpl-2" })],
  ])("puts one in place that would be refused: one %s", (_what, given) => {
    expect(resolve(given, right)).toMatchObject({ outcome: { outcome: "refused" } });
    expect(resolve(given, right, order)).toMatchObject({
      outcome: { outcome: "corrected", replaced: "replaces version 5" },
      item: given,
    });
  });

  test("keeps the stored template when it names none", () =>
    expect(resolve(pass(5, NO_TEMPLATE), wrong, order).item).toMatchObject(right));

  test("does not count as one when the pass is stored already, or may be published anyway", () => {
    expect(resolve(right, right, order)).toEqual({ outcome: unchanged });
    expect(resolve(pass(6), right, order)).toEqual({ outcome: written, item: pass(6) });
    expect(resolve(pass(5, { template_id: "tpl-2" }), right, order)).toEqual({
      outcome: refused(/^template_id/),
    });
  });

  test("keeps out the replaced version, with its template, and nothing else", () => {
    expect(resolve(wrong, corrected)).toEqual({ outcome: stale });
    const { template_id: _template, ...withoutTemplate } = corrected;
    expect(resolve(wrong, withoutTemplate)).toEqual({ outcome: stale });
    expect(resolve(pass(6), corrected)).toEqual({
      outcome: written,
      item: { ...pass(6), corrections: corrected.corrections },
    });
    expect(resolve(wrong, corrected, order).outcome).toMatchObject({ outcome: "corrected" });
  });

  test("is refused after a hundred of them", () => {
    const hundred = Array.from({ length: 100 }, () => ({ at: "", replaced: "a", by: "b" }));
    expect(resolve(right, { ...wrong, corrections: { S: JSON.stringify(hundred) } }, order)).toEqual({
      outcome: refused(/100 times/),
    });
  });
});
