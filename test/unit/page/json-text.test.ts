import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { laidOut, piecesOf } from "../../../page/src/parts/json-text.ts";

describe("a JSON text that is laid out", () => {
  test("has a line for each member, and every digit as it was sent", () => {
    expect(laidOut('{"amount":10.50,"list":[1e2,-0.0],"none":{},"empty":[ ],"deep":{"a":null}}')).toBe(
      [
        "{",
        '  "amount": 10.50,',
        '  "list": [',
        "    1e2,",
        "    -0.0",
        "  ],",
        '  "none": {},',
        '  "empty": [],',
        '  "deep": {',
        '    "a": null',
        "  }",
        "}",
      ].join("\n"),
    );
  });

  test("is the same value, whatever JSON it is, and its tokens are the same characters", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.parse(laidOut(text))).toEqual(JSON.parse(text));
        const tokens = (json: string) => json.match(/"(?:[^"\\]|\\.)*"|[^\s"]/g);
        expect(tokens(laidOut(text))).toEqual(tokens(text));
      }),
    );
  });

  test.each(["", "{", "Service Unavailable", "{'a':1}", "<html>"])("leaves %j as it is", (text) => {
    expect(laidOut(text)).toBe(text);
  });
});

describe("a text that is split for colours", () => {
  test("is the same text again, whatever it is", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        expect(
          piecesOf(text)
            .map((piece) => piece.text)
            .join(""),
        ).toBe(text);
      }),
    );
  });

  test("tells names, strings, numbers and words apart", () => {
    const coloured = piecesOf('{"a": "b:1", "n": -1.50e+7, "t": true, "u\\"": null, "l": [0]}')
      .filter(({ kind }) => kind !== "mark")
      .map(({ kind, text }) => `${kind} ${text}`);
    expect(coloured).toEqual([
      'name "a"',
      'text "b:1"',
      'name "n"',
      "number -1.50e+7",
      'name "t"',
      "word true",
      'name "u\\""',
      "word null",
      'name "l"',
      "number 0",
    ]);
  });
});
