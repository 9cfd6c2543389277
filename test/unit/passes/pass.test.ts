import { describe, expect, test } from "vitest";
import { isPartnerReference } from "../../../lib/passes/partner-reference.ts";
import { checkPass, type PassRecord } from "../../../lib/passes/pass.ts";

const base = { partner_reference: "ref-1", template_id: "tpl-1", type: "loyalty_pass", version: 1 };
const document = (changes: Record<string, unknown> = {}): string => JSON.stringify({ ...base, ...changes });

function accepted(text: string): PassRecord {
  const checked = checkPass(text);
  if (!checked.ok) throw new Error(checked.reason);
  return checked.value;
}

const reasonOf = (text: string): string => {
  const checked = checkPass(text);
  return checked.ok ? "accepted" : checked.reason;
};

describe("a pass that is accepted", () => {
  test("is served whole, in the contract's order, without its template", () => {
    const text =
      '{"triggers":[{"at":1.50}],"version":3,"template_id":"tpl-1","type":"event_pass","actions":[{"a":1}],' +
      '"relevant_at":"2026-01-31T09:30:00+01:00","semantics":{"seat":"A1"},"partner_reference":"ref-1"}';
    expect(accepted(text)).toEqual({
      partnerReference: "ref-1",
      templateId: "tpl-1",
      version: 3,
      text:
        '{"partner_reference":"ref-1","type":"event_pass","version":3,"semantics":{"seat":"A1"},' +
        '"relevant_at":"2026-01-31T09:30:00+01:00","actions":[{"a":1}],"triggers":[{"at":1.50}]}',
    });
  });

  test("keeps every digit and every strange name in its semantics", () => {
    const semantics =
      '{"price":10.500,"big":123456789012345678901234567890,"__proto__":{"x":1e2},"none":null,"empty":[]}';
    const text = document().replace('"version":1', `"version":1,"semantics":${semantics}`);
    expect(accepted(text).text).toContain(`"semantics":${semantics}`);
  });

  test("keeps the order of unknown members, names of digits included", () => {
    const semantics = '{"b":1,"10":{"3":1,"2":2},"2":3,"a":1.50}';
    const list = '[{"z":1,"1":2,"0":3}]';
    const members = `"semantics":${semantics},"actions":${list},"triggers":${list}`;
    const text = document().replace('"version":1', `"version":1,${members}`);
    expect(accepted(text).text).toContain(members);
  });

  test("may be of a type that nobody knows yet", () => {
    for (const type of ["ski_pass", "a", "a".repeat(64)])
      expect(accepted(document({ type })).text).toContain(`"type":"${type}"`);
  });

  test("loses optional members that are empty", () => {
    const text = accepted(document({ semantics: {}, actions: [], triggers: null, relevant_at: "" })).text;
    expect(text).toBe('{"partner_reference":"ref-1","type":"loyalty_pass","version":1}');
  });

  test.each([[0], [999_999_999_999_999]])("may have version %s", (version) => {
    expect(accepted(document({ version })).version).toBe(version);
  });
});

describe("a pass is refused by the name of the member", () => {
  const version = (text: string) => document().replace('"version":1', text);
  const members: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
    ["no reference", { partner_reference: undefined }, /^partner_reference is required/],
    ["a reference with a slash", { partner_reference: "ref/1" }, /^partner_reference must be 1 to 128/],
    ["a reference beyond ASCII", { partner_reference: "caf\u00e9" }, /^partner_reference must be/],
    ["a reference of 129 characters", { partner_reference: "a".repeat(129) }, /^partner_reference must be/],
    ["a reference that paths remove", { partner_reference: ".." }, /^partner_reference must be/],
    ["no type", { type: undefined }, /^type is required/],
    ["a type in capitals", { type: "LOYALTY" }, /^type must be a word/],
    ["a type that begins with a digit", { type: "1pass" }, /^type must be a word/],
    ["a type of two words", { type: "ski pass" }, /^type must be a word/],
    ["a type of 65 letters", { type: "a".repeat(65) }, /^type must be a word/],
    ["no version", { version: undefined }, /^version is required/],
    ["a version as text", { version: "1" }, /^version must be a whole number/],
    ["a negative version", { version: -1 }, /^version must be/],
    ["a version beyond 15 digits", { version: 1_000_000_000_000_000 }, /^version must be/],
    ["semantics that are a list", { semantics: [1] }, /^semantics must be an object/],
    ["semantics that are a number", { semantics: 5 }, /^semantics must be an object/],
    ["actions that are not a list", { actions: { a: 1 } }, /^actions must be an array/],
    ["an action that is null", { actions: [null] }, /^actions\[0\] must be an object/],
    ["a trigger that is not an object", { triggers: ["x"] }, /^triggers\[0\] must be an object/],
    [
      "an instant without zone",
      { relevant_at: "2026-01-31T09:30:00" },
      /^relevant_at must be a date and time/,
    ],
    ["a 30 February", { relevant_at: "2026-02-30T09:30:00Z" }, /^relevant_at must be/],
    ["an unknown member of digits", { 10: "red" }, /^"10" is not a member/],
    ["an unknown member", { colour: "red" }, /^colour is not a member/],
    ["17 KiB", { semantics: { text: "x".repeat(17_000) } }, /^the document must not be larger/],
  ];
  test.each([
    ...members.map(([name, changes, reason]) => [name, document(changes), reason] as const),
    ["a version with a fraction", version('"version":1.0'), /^version must be/],
    ["a version with an exponent", version('"version":1e3'), /^version must be/],
    ["a member given twice", version('"version":1,"version":2'), /^version is given twice/],
    [
      "a name twice in its semantics",
      version('"version":1,"semantics":{"a":1,"a":1}'),
      /^semantics\.a is given twice/,
    ],
    ["something that is not JSON", "{", /^the document must be one JSON text/],
  ] as const)("%s", (_, text, reason) => {
    expect(reasonOf(text)).toMatch(reason);
  });
});

test("a reference is opaque: any of its characters may stand anywhere", () => {
  for (const reference of ["ref:ref-1", "~", "A.b_c-d:e", "0", "a".repeat(128)])
    expect(isPartnerReference(reference)).toBe(true);
  for (const reference of ["", ".", "..", "a b", "%00", "a/b", "e\u0301", "a".repeat(129)]) {
    expect(isPartnerReference(reference)).toBe(false);
  }
});
