import { wrapText } from "../terminal/write-table.ts";
import type { Step } from "./restore-plan.ts";

const WIDTH = 80;
const INDENT = "   ";

/** What is copied, on one line, or with a line of a shell for each of its parts. */
function copiedText(parts: readonly string[]): string {
  const line = `${INDENT}${parts.join(" ")}`;
  return line.length <= WIDTH ? line : `${INDENT}${parts.join(` \\\n${INDENT}  `)}`;
}

const paragraph = (text: string, first: string): string =>
  wrapText(text, WIDTH - INDENT.length)
    .map((line, at) => `${at === 0 ? first : INDENT}${line}`)
    .join("\n");

/** A plan as text of 80 columns. Only a word that is longer makes a longer line. */
export const planText = (steps: readonly Step[]): string =>
  steps
    .map(({ title, remarks, lines }, at) =>
      [
        paragraph(title, `${at + 1}. `),
        ...remarks.map((remark) => paragraph(remark, INDENT)),
        "",
        ...lines.map(copiedText),
      ].join("\n"),
    )
    .join("\n\n");
