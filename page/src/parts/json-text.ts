import { parsedJson } from "../../../lib/json-value.ts";

/** A piece of a JSON text; all pieces together are the text. */
export interface JsonPiece {
  readonly kind: "name" | "text" | "number" | "word" | "mark";
  readonly text: string;
}

/** A name with its colon ahead, a string, a number, a word, white space, or one other character. */
const PIECE =
  /("(?:[^"\\]|\\.)*")(?=\s*:)|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b|[^"\d\-tfn]+|[\s\S]/g;

/** Splits a JSON text for colours. No number is parsed, so every digit stays; any text is taken, even no JSON. */
export function piecesOf(text: string): readonly JsonPiece[] {
  return [...text.matchAll(PIECE)].map(([piece, name, string, number, word]) => {
    if (name !== undefined) return { kind: "name", text: piece };
    if (string !== undefined) return { kind: "text", text: piece };
    if (number !== undefined) return { kind: "number", text: piece };
    return { kind: word === undefined ? "mark" : "word", text: piece };
  });
}

/** JSON with a line for each member. Strings and numbers stay as they were sent, and so does a text that is not JSON. */
export function laidOut(text: string): string {
  if (parsedJson(text) === undefined) return text;
  let depth = 0;
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+|[{}[\],:]/g) ?? [];
  const newLine = (): string => `\n${"  ".repeat(depth)}`;
  return tokens
    .map((token, index) => {
      if (token === "{" || token === "[") {
        const isEmpty = /[}\]]/.test(tokens[index + 1] ?? "");
        depth += 1;
        return isEmpty ? token : `${token}${newLine()}`;
      }
      if (token === "}" || token === "]") {
        const isEmpty = /[{[]/.test(tokens[index - 1] ?? "");
        depth -= 1;
        return isEmpty ? token : `${newLine()}${token}`;
      }
      if (token === ",") return `,${newLine()}`;
      return token === ":" ? ": " : token;
    })
    .join("");
}
