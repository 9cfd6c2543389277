import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseCondition } from "../../local/store/expression/condition.ts";
import { parseProjection } from "../../local/store/expression/operand.ts";
import { parseUpdate } from "../../local/store/expression/update.ts";
import { membersOf } from "../../local/store/members.ts";
import { checkRules } from "../../local/store/rules/check-rules.ts";
import { STORE_OPERATIONS } from "../../local/store/wire.ts";
import { cases } from "../support/cases.ts";
import { ruleSamples, sampleShapes } from "../support/rule-samples/rule-samples.ts";

const name = fc.oneof(fc.stringMatching(/^#[A-Za-z0-9_]{1,5}$/), fc.stringMatching(/^q[A-Za-z0-9_]{0,5}$/));
const value = fc.stringMatching(/^:[A-Za-z0-9_]{1,5}$/);
const path = fc
  .tuple(
    name,
    fc.array(
      fc.oneof(
        name.map((step) => `.${step}`),
        fc.nat(99).map((at) => `[${at}]`),
      ),
      { maxLength: 3 },
    ),
  )
  .map(([first, rest]) => first + rest.join(""));
const operand = fc.oneof(
  path,
  value,
  path.map((of) => `size(${of})`),
  path.map((of) => `(${of})`),
);
const comparator = fc.constantFrom("=", "<>", "<", "<=", ">", ">=");
const keyword = (word: string) => fc.constantFrom(word, word.toLowerCase());

/** Texts that the grammar of conditions produces, and whether each stands in its own parentheses. */
const { condition } = fc.letrec<{ condition: string; leaf: string }>((tie) => ({
  leaf: fc.oneof(
    fc.tuple(operand, comparator, operand).map((parts) => parts.join(" ")),
    fc.tuple(operand, operand, operand).map(([of, from, to]) => `${of} BETWEEN ${from} AND ${to}`),
    fc
      .tuple(operand, fc.array(operand, { minLength: 1, maxLength: 3 }))
      .map(([of, some]) => `${of} IN (${some.join(",")})`),
    fc
      .tuple(fc.constantFrom("attribute_exists", "attribute_not_exists"), path)
      .map(([call, of]) => `${call}(${of})`),
    fc
      .tuple(fc.constantFrom("begins_with", "contains"), path, value)
      .map(([call, of, by]) => `${call} ( ${of} , ${by} )`),
  ),
  condition: fc.oneof(
    { maxDepth: 4 },
    tie("leaf"),
    fc.tuple(tie("leaf"), keyword("AND"), tie("condition")).map((parts) => parts.join(" ")),
    fc.tuple(tie("leaf"), keyword("OR"), tie("condition")).map((parts) => parts.join("\n")),
    fc.tuple(keyword("NOT"), tie("condition")).map(([not, of]) => `${not} (${of})`),
    tie("condition").map((of) => `(${of}) AND q = :v`),
  ),
}));

const settable = fc.oneof(
  path,
  value,
  fc.tuple(path, value).map(([of, otherwise]) => `if_not_exists(${of}, ${otherwise})`),
  fc.tuple(path, fc.constantFrom("+", "-"), value).map((parts) => parts.join("")),
);
const several = (entry: fc.Arbitrary<string>) =>
  fc.array(entry, { minLength: 1, maxLength: 3 }).map((entries) => entries.join(" , "));
const section = fc.oneof(
  several(fc.tuple(path, settable).map(([of, to]) => `${of}=${to}`)).map((actions) => `SET ${actions}`),
  several(path).map((actions) => `remove ${actions}`),
  several(fc.tuple(path, value).map((parts) => parts.join(" "))).map((actions) => `ADD ${actions}`),
  several(fc.tuple(path, value).map((parts) => parts.join(" "))).map((actions) => `Delete ${actions}`),
);

test("every text of the grammar of conditions is read", () => {
  fc.assert(
    fc.property(condition, (text) => {
      expect(parseCondition(text).kind).toBe("condition");
    }),
    {
      numRuns: cases(100),
    },
  );
});

test("every text of the grammar of updates is read, section by section", () => {
  fc.assert(
    fc.property(fc.array(section, { minLength: 1, maxLength: 4 }), (sections) => {
      expect(parseUpdate(sections.join(" ")).sections).toEqual(
        sections.map((text) => text.slice(0, text.indexOf(" ")).toUpperCase()),
      );
    }),
    { numRuns: cases(100) },
  );
});

test("every text of the grammar of projections is read, path by path", () => {
  fc.assert(
    fc.property(fc.array(path, { minLength: 1, maxLength: 5 }), (paths) => {
      expect(parseProjection(paths.join(", ")).paths).toHaveLength(paths.length);
    }),
  );
});

const BREAKS = Object.values(ruleSamples).flatMap(({ breaks }) => Object.values(breaks).flat());
const MEMBERS = [...new Set(BREAKS.flatMap(({ input }) => Object.keys(input)))];
const anyInput = fc.oneof(
  fc.dictionary(fc.constantFrom(...MEMBERS), fc.jsonValue({ maxDepth: 4 })),
  fc.jsonValue({ maxDepth: 3 }).map((item) => ({ TableName: "wide", Item: item, Key: item })),
);

/** A legal or illegal request with a part that was replaced. */
const mutilated = fc
  .tuple(
    fc.constantFrom(...BREAKS, ...Object.values(ruleSamples).flatMap(({ keeps }) => keeps)),
    fc.nat(),
    fc.jsonValue({ maxDepth: 2 }),
  )
  .map(([{ operation, input }, place, part]) => {
    const members = Object.keys(input);
    const member = members[place % members.length] ?? "TableName";
    const inside = membersOf(input[member]);
    const first = place % 2 === 0 ? Object.keys(inside ?? {})[0] : undefined;
    const replaced = first === undefined ? part : { ...inside, [first]: part };
    return { operation, input: { ...input, [member]: replaced } };
  });

const refusal = expect.objectContaining({ code: expect.any(String), message: expect.any(String) });

test("a request of any JSON is refused or passes, and nothing is thrown", () => {
  fc.assert(
    fc.property(fc.constantFrom(...STORE_OPERATIONS), anyInput, (operation, input) => {
      expect([undefined, refusal]).toContainEqual(checkRules({ operation, input, tables: sampleShapes }));
    }),
    { numRuns: cases(200) },
  );
});

test("a request with a part that was replaced by any JSON is refused or passes", () => {
  fc.assert(
    fc.property(mutilated, (request) => {
      expect([undefined, refusal]).toContainEqual(checkRules({ ...request, tables: sampleShapes }));
    }),
    { numRuns: cases(400) },
  );
});
