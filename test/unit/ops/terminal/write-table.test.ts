import { describe, expect, test } from "vitest";
import { displayWidth, tableText, wrapText } from "../../../../ops/terminal/write-table.ts";

const keys = {
  head: ["ID", "OWNER", "STATE", "CREATED"],
  rows: [
    ["ramp-key#a96c09ca", "acme", "in force", "2026-11-25T01:00:00.000Z"],
    ["jws#poller-1", "a wallet of many words", "revoked", "2026-11-24T01:00:00.000Z"],
  ],
};
const widest = (text: string): number => Math.max(...text.split("\n").map(displayWidth));

describe("a table", () => {
  test("has columns as wide as their widest cell, and lines that end with their text", () => {
    expect(
      tableText({
        head: ["A", "LONGER", "C"],
        rows: [
          ["aaa", "b", "c"],
          ["a", "b", ""],
        ],
      }),
    ).toBe("A    LONGER  C\naaa  b       c\na    b");
    expect(tableText({ rows: [["a", "b"]] })).toBe("a  b");
    expect(tableText({ rows: [] })).toBe("");
  });

  test("keeps its own width without a terminal, and where it just fits one", () => {
    const plain = tableText(keys);
    expect(plain.split("\n")).toHaveLength(3);
    expect(tableText(keys, widest(plain))).toBe(plain);
    expect(tableText(keys, widest(plain) - 1)).not.toBe(plain);
  });

  test.each([79, 70, 60])("is wrapped between words at %d columns, and loses none", (width) => {
    const text = tableText(keys, width);
    expect(widest(text)).toBeLessThanOrEqual(width);
    for (const word of keys.rows.flat().join(" ").split(" ")) expect(text).toContain(word);
    expect(text).toMatch(/^ID +OWNER/);
  });

  test.each([50, 40, 20, 9, 1])(
    "has a line for each value where words do not fit side by side: %d",
    (width) => {
      const text = tableText(keys, width);
      expect(text).toMatch(/^ID/);
      // A column is not narrower than one character, nor the names than they are.
      expect(widest(text)).toBeLessThanOrEqual(Math.max(width, "CREATED".length + 3));
      expect(text.replaceAll(/\s/g, "")).toContain("a96c09ca".slice(0, 1));
    },
  );

  test("keeps its rows apart then, under the names of the columns", () => {
    expect(tableText(keys, 36)).toBe(
      [
        "ID       ramp-key#a96c09ca",
        "OWNER    acme",
        "STATE    in force",
        "CREATED  2026-11-25T01:00:00.000Z",
        "",
        "ID       jws#poller-1",
        "OWNER    a wallet of many words",
        "STATE    revoked",
        "CREATED  2026-11-24T01:00:00.000Z",
      ].join("\n"),
    );
  });

  test("counts the columns of a terminal and not characters", () => {
    const text = tableText({
      rows: [
        ["日本", "x"],
        ["ab́", "x"],
        ["🙂", "x"],
      ],
    });
    expect(text).toBe("日本  x\nab́    x\n🙂    x");
  });

  test("is not widened for all rows by one long cell, which is cut where others stand beside it", () => {
    const long = "A".repeat(1_535);
    const [first = "", second = ""] = tableText({
      rows: [
        [long, "1"],
        ["b", long],
      ],
    }).split("\n");
    expect(first).toBe(`${"A".repeat(99)}…  1`);
    expect(second).toBe(`b${" ".repeat(101)}${long}`);
  });

  test("escapes what a terminal would act on", () => {
    const forged = "acme\u001b[2J\nramp-key#0  evil\u202e";
    expect(tableText({ rows: [[forged, { text: "\u0007", tint: "bad" }]] })).toBe(
      "acme\\u{1b}[2J\\u{a}ramp-key#0  evil\\u{202e}  \\u{7}",
    );
  });

  test("may have more rows than a function takes arguments", () => {
    const rows = Array.from({ length: 200_000 }, (_, at) => [String(at)]);
    expect(tableText({ rows }, 80)).toContain("199999");
  });
});

test.each([
  ["one two  three", 7, ["one two", "three"]],
  ["abcdefgh ij", 3, ["abc", "def", "gh", "ij"]],
  ["日本語", 3, ["日", "本", "語"]],
  ["", 5, [""]],
  ["as it is", Number.POSITIVE_INFINITY, ["as it is"]],
])("a text is wrapped between words, and within those that are too long: %s", (text, width, lines) => {
  expect(wrapText(text, width)).toEqual(lines);
});
