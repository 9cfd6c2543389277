/** Colours for a light and a dark page. The background is drawn too, so the chart can be read wherever it is shown. */
const STYLE = `
  .back { fill: #ffffff } .text { fill: #1f2328 } .quiet { fill: #59636e } .grid { stroke: #d1d9e0 }
  .owner { fill: #0550ae; stroke: #0550ae } .market { fill: #bc4c00; stroke: #bc4c00 } .all { fill: #116329; stroke: #116329 }
  .other { stroke: #818b98; stroke-width: 1.5 }
  @media (prefers-color-scheme: dark) {
    .back { fill: #0d1117 } .text { fill: #f0f6fc } .quiet { fill: #9198a1 } .grid { stroke: #3d444d }
    .owner { fill: #79c0ff; stroke: #79c0ff } .market { fill: #ffa657; stroke: #ffa657 } .all { fill: #7ee787; stroke: #7ee787 }
    .other { stroke: #656c76 }
  }
  text { font: 12px system-ui, sans-serif } .line { fill: none; stroke-width: 2 } .title { font-weight: 600 }
`;

/** A class of `STYLE` that has a colour of its own. */
export type Hue = "owner" | "market" | "all" | "other";

/** A number of pixels with at most one digit beyond the point, so that the same chart is the same text everywhere. */
export const px = (value: number): string => String(Math.round(value * 10) / 10);

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** A text at a place; `end` and `middle` say what of it is there. */
export const textAt = (
  x: number,
  y: number,
  text: string,
  { anchor = "start", name = "text" }: { anchor?: "start" | "middle" | "end"; name?: string } = {},
): string =>
  `<text class="${name}" x="${px(x)}" y="${px(y)}" text-anchor="${anchor}">${escaped(text)}</text>`;

export const lineAt = (x1: number, y1: number, x2: number, y2: number, name: string): string =>
  `<line class="${name}" x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}"/>`;

/** A whole chart, with a description for those who do not see it. */
export const chart = (width: number, height: number, about: string, parts: readonly string[]): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(about)}">`,
    `<style>${STYLE}</style>`,
    `<rect class="back" width="${width}" height="${height}"/>`,
    ...parts,
    "</svg>",
    "",
  ].join("\n");
