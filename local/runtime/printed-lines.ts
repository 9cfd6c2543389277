/** Cuts what a thread prints into lines. An end of a line may come later than its beginning. */
export class PrintedLines {
  readonly #line: (line: string) => void;
  #begun = "";

  constructor(line: (line: string) => void) {
    this.#line = line;
  }

  /** Takes the next text. */
  take(text: string): void {
    const [first = "", ...rest] = text.split(/\r?\n/);
    this.#begun += first;
    for (const begun of rest) {
      this.#line(this.#begun);
      this.#begun = begun;
    }
  }

  /** Gives away a last line without an end. */
  end(): void {
    if (this.#begun !== "") this.#line(this.#begun);
    this.#begun = "";
  }
}
