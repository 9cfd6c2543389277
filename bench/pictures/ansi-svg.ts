import { ownMember } from "../../lib/own-member.ts";

/** The colours of a picture, by the names of the page's tokens. */
export type Colours = Readonly<
  Record<"paper" | "line" | "ink" | "ink-soft" | "good" | "warn" | "bad" | "accent", string>
>;

interface Style {
  readonly colour?: keyof Colours;
  readonly isBold?: boolean;
}

interface Span {
  readonly text: string;
  readonly style: Style;
}

const COLUMN_PX = 8.4;
const LINE_PX = 20;
const MARGIN_PX = 20;
const FONT_PX = 14;

/** What the sequences that `local/terminal/tint.ts` uses do to the style of the text after them. */
const SEQUENCES: Readonly<Record<string, (before: Style) => Style>> = {
  0: () => ({}),
  1: (before) => ({ ...before, isBold: true }),
  2: (before) => ({ ...before, colour: "ink-soft" }),
  // Ends both bold and dim; neither is used within the other.
  22: () => ({}),
  31: (before) => ({ ...before, colour: "bad" }),
  32: (before) => ({ ...before, colour: "good" }),
  33: (before) => ({ ...before, colour: "warn" }),
  36: (before) => ({ ...before, colour: "accent" }),
  39: ({ colour: _colour, ...before }) => before,
};

/** The beginning of a sequence; digits and an `m` follow. */
const ESCAPE = "\u001b[";

/**
 * What a terminal of so many columns shows, as an SVG whose text can be selected and read out. Longer lines go on in the
 * next row.
 *
 * @throws {Error} for a sequence that no colour of ours has: a picture without it would show something else.
 */
export function svgOfTerminal(output: string, columns: number, title: string, colours: Colours): string {
  const rows = rowsOf(output, columns);
  const width = Math.ceil(columns * COLUMN_PX + 2 * MARGIN_PX);
  const height = rows.length * LINE_PX + 2 * MARGIN_PX;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6" fill="${colours.paper}" stroke="${colours.line}"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_PX}">`,
    ...rows.flatMap((spans, at) => textsOf(spans, MARGIN_PX + at * LINE_PX + FONT_PX, colours)),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

/** Each text has its place and its length, so that another font moves nothing, and no viewer has to keep blanks. */
function textsOf(spans: readonly Span[], y: number, colours: Colours): string[] {
  let column = 0;
  return spans.flatMap(({ text, style: { colour = "ink", isBold = false } }) => {
    const word = text.trim();
    const x = (MARGIN_PX + (column + text.indexOf(word)) * COLUMN_PX).toFixed(1);
    column += text.length;
    if (word === "") return [];
    const length = (word.length * COLUMN_PX).toFixed(1);
    const weight = isBold ? ' font-weight="bold"' : "";
    return `<text x="${x}" y="${y}" textLength="${length}" fill="${colours[colour]}"${weight}>${escaped(word)}</text>`;
  });
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** The rows of a terminal, each as texts of one style. */
function rowsOf(output: string, columns: number): Span[][] {
  let style: Style = {};
  return output
    .trimEnd()
    .split(/\r*\n/)
    .flatMap((line) => {
      const [plain = "", ...styled] = line.split(ESCAPE);
      const spans: Span[] = [{ text: plain, style }];
      for (const part of styled) {
        const end = part.indexOf("m");
        style = styleAfter(part.slice(0, end), style);
        spans.push({ text: part.slice(end + 1), style });
      }
      return wrapped(spans, columns);
    });
}

function styleAfter(sequence: string, before: Style): Style {
  const change = ownMember(SEQUENCES, sequence === "" ? "0" : sequence);
  if (change === undefined)
    throw new Error(`The terminal was sent the sequence ${sequence}, which has no colour here.`);
  return change(before);
}

function wrapped(spans: readonly Span[], columns: number): Span[][] {
  const rows: Span[][] = [[]];
  let room = columns;
  for (const span of spans) {
    let { text } = span;
    while (text !== "") {
      if (room === 0) {
        rows.push([]);
        room = columns;
      }
      const piece = text.slice(0, room);
      rows.at(-1)?.push({ ...span, text: piece });
      room -= piece.length;
      text = text.slice(piece.length);
    }
  }
  return rows;
}
