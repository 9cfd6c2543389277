import { describe, expect, test } from "vitest";
import { svgOfTerminal } from "../../../../bench/pictures/ansi-svg.ts";
import { darkColours } from "../../../../bench/pictures/place.ts";
import { tinted } from "../../../../local/terminal/tint.ts";

const colours = darkColours();

/** The texts of a picture: each with its place, its colour and whether it is bold. */
const textsIn = (svg: string) =>
  [...svg.matchAll(/<text x="([\d.]+)" y="(\d+)" textLength="([\d.]+)" fill="([^"]+)"([^>]*)>([^<]*)/g)].map(
    ([, x, y, length, fill, bold, text]) => ({
      column: Math.round((Number(x) - 20) / 8.4),
      row: (Number(y) - 34) / 20,
      columns: Math.round(Number(length) / 8.4),
      colour: Object.entries(colours).find(([, colour]) => colour === fill)?.[0],
      isBold: bold !== "",
      text,
    }),
  );

const shown = (output: string, columns = 20) =>
  textsIn(svgOfTerminal(output, columns, "A terminal", colours));

describe("the picture of a terminal", () => {
  test.each(["good", "warn", "bad", "accent"] as const)(
    "has what is %s in the page's colour for it",
    (tint) => {
      process.env.FORCE_COLOR = "1";
      expect(shown(`a ${tinted(tint, "b")} c`)).toMatchObject([
        { text: "a", colour: "ink", column: 0 },
        { text: "b", colour: tint, column: 2 },
        { text: "c", colour: "ink", column: 4 },
      ]);
      delete process.env.FORCE_COLOR;
    },
  );

  test("has soft and strong texts, each to its end", () => {
    expect(shown("\u001b[2ma\u001b[22m b \u001b[1mc\u001b[22m d")).toMatchObject([
      { text: "a", colour: "ink-soft", isBold: false },
      { text: "b", colour: "ink", isBold: false },
      { text: "c", colour: "ink", isBold: true },
      { text: "d", colour: "ink", isBold: false },
    ]);
  });

  test("breaks a line that is wider than the terminal, within a text as well, and keeps its colour", () => {
    expect(shown("abc\u001b[32mdefgh\u001b[39m", 4)).toMatchObject([
      { text: "abc", row: 0, column: 0 },
      { text: "d", row: 0, column: 3, colour: "good" },
      { text: "efgh", row: 1, column: 0, columns: 4, colour: "good" },
    ]);
    expect(shown("abcd\nefgh", 4).map(({ row }) => row)).toEqual([0, 1]);
  });

  test("keeps empty lines and the blanks before a text, and ends lines as a terminal does", () => {
    expect(shown("a\r\n\r\n  b\r\n")).toMatchObject([
      { text: "a", row: 0 },
      { text: "b", row: 2, column: 2 },
    ]);
  });

  test("escapes what XML would read", () => {
    const svg = svgOfTerminal("<a> & b", 20, "x < y", colours);
    expect(svg).toContain(">&lt;a&gt; &amp; b<");
    expect(svg).toContain("<title>x &lt; y</title>");
  });

  test("is not made of a sequence that has no colour here", () => {
    expect(() => shown("\u001b[35mviolet")).toThrow("35");
  });
});
