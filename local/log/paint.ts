import { styleText } from "node:util";

/** A style for a text on a terminal. */
export type Tint = "bold" | "dim" | "green" | "red" | "yellow";

/** Returns a text in a style, or unchanged where there are no colours. */
export type Paint = (tint: Tint, text: string) => string;

/** Paints for standard output: plain where it is not a terminal, unless NO_COLOR or FORCE_COLOR says otherwise. */
export const paintForOutput: Paint = (tint, text) => styleText(tint, text, { stream: process.stdout });
