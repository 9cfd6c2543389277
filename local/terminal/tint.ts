import { styleText } from "node:util";

/**
 * What a colour means, and the colour that a terminal has for it. The page has the same meanings under the same names
 * (`page/src/style/tokens.css`); CONTRIBUTING.md says which is for what.
 */
const COLOURS = {
  good: "green",
  warn: "yellow",
  bad: "red",
  accent: "cyan",
  soft: "dim",
  strong: "bold",
} as const;

/** The meaning of a text on a terminal. */
export type Tint = keyof typeof COLOURS;

/** Returns a text in the colour of its meaning, or unchanged where there are no colours. */
export type Paint = (tint: Tint, text: string) => string;

/** Paints for standard output: plain where it is not a terminal, unless NO_COLOR or FORCE_COLOR says otherwise. */
export const tinted: Paint = (tint, text) => styleText(COLOURS[tint], text, { stream: process.stdout });

/** What a status of HTTP means to its reader. 304 says that all is well and nothing has changed. */
export function tintOfStatus(status: number): Tint {
  if (status === 304) return "accent";
  if (status < 400) return "good";
  return status < 500 ? "warn" : "bad";
}
