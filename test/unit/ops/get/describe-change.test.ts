import { expect, test } from "vitest";
import { describeChange } from "../../../../ops/get/describe-change.ts";

test("a change is described by paths, with the digits of numbers", () => {
  const before = '{"a":{"b":1.50,"c":[1,2]},"gone":true}';
  const after = '{"a":{"b":1.5,"c":[1]},"new":null}';
  expect(describeChange(before, after)).toEqual([
    "    a.b: 1.50 -> 1.5",
    "  - a.c[1]: 2",
    "  - gone: true",
    "  + new: null",
  ]);
  expect(describeChange(before, before)).toEqual([]);
  expect(describeChange(undefined, after)).toEqual(["  + a.b: 1.5", "  + a.c[0]: 1", "  + new: null"]);
  expect(describeChange(before, "<html>")).toEqual([
    expect.stringMatching(/^ {2}the change cannot be shown: the document must be one JSON text/),
  ]);
});

test.each([
  ['{"a":1}', '{"a":1,"actions":[]}', ["  + actions: []"]],
  ['{"a":{}}', '{"a":[]}', ["    a: {} -> []"]],
  ['{"a":1,"semantics":{}}', '{"a":1}', ["  - semantics: {}"]],
  ['{"a":[]}', '{"a":[7]}', ["  + a[0]: 7"]],
  ['{"a":{"b":7}}', '{"a":{}}', ["  - a.b: 7"]],
  ['{"a":[[]]}', '{"a":[[],{}]}', ["  + a[1]: {}"]],
  ['{"a":null}', '{"a":{}}', ["    a: null -> {}"]],
  ['{"a":"[]"}', '{"a":["x"]}', ['  - a: "[]"', '  + a[0]: "x"']],
  ["{}", "[]", ["    the document: {} -> []"]],
  // Shown names may be shortened, but the members are still told apart.
  [
    `{"${"n".repeat(64)}1":1,"${"n".repeat(64)}2":2}`,
    `{"${"n".repeat(64)}1":3,"${"n".repeat(64)}2":2}`,
    [`    ${"n".repeat(64)}: 1 -> 3`],
  ],
])("every change is described: %s to %s", (before, after, lines) => {
  expect(describeChange(before, after)).toEqual(lines);
});
