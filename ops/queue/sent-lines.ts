import type { PackedMessage } from "./pack-messages.ts";

/** Knows from which line a file has to be sent again, whichever messages were sent before others. */
export class SentLines {
  readonly #unsent = new Set<number>();
  #lastRead = 0;

  /** A line was read. */
  read(line: number): void {
    this.#lastRead = line;
  }

  /** A message is on its way. */
  begun({ firstLine }: Pick<PackedMessage, "firstLine">): void {
    this.#unsent.add(firstLine);
  }

  /** A message has arrived. */
  sent({ firstLine }: Pick<PackedMessage, "firstLine">): void {
    this.#unsent.delete(firstLine);
  }

  /** The first line that may not have been sent. @param unpacked the line of the first record that is in no message yet. */
  next(unpacked: number | undefined): number {
    const lines = unpacked === undefined ? [...this.#unsent] : [...this.#unsent, unpacked];
    return lines.reduce((first, line) => Math.min(first, line), this.#lastRead + 1);
  }
}
