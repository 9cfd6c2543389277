/** A piece of a text, and whether the other text lacks it. */
export interface DifferencePiece {
  readonly text: string;
  readonly isChanged: boolean;
}

/** Both texts in pieces: what they share at their beginning and end, and between these all that differs. */
export function differenceOf(one: string, other: string) {
  const shorter = Math.min(one.length, other.length);
  let head = 0;
  while (head < shorter && one[head] === other[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && one.at(-1 - tail) === other.at(-1 - tail)) tail += 1;
  return { one: piecesOf(one, head, tail), other: piecesOf(other, head, tail) };
}

const piecesOf = (text: string, head: number, tail: number): readonly DifferencePiece[] =>
  [
    { text: text.slice(0, head), isChanged: false },
    { text: text.slice(head, text.length - tail), isChanged: true },
    { text: text.slice(text.length - tail), isChanged: false },
  ].filter((piece) => piece.text !== "");
