/** Something to do when a stack is disposed. */
type Ending = () => unknown;

/**
 * The part of `AsyncDisposableStack` that the code uses, for Node.js 22, which lacks the class. The build puts it in the
 * place of the global one. Errors gather as ECMAScript says: a later one suppresses those before it.
 */
class Stack implements AsyncDisposable {
  #endings: Ending[] = [];
  #isDisposed = false;

  get disposed(): boolean {
    return this.#isDisposed;
  }

  defer(ending: Ending): void {
    this.#requireOpen();
    this.#endings.push(ending);
  }

  move(): Stack {
    this.#requireOpen();
    const moved = new Stack();
    moved.#endings = this.#endings;
    this.#endings = [];
    this.#isDisposed = true;
    return moved;
  }

  async disposeAsync(): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    const failures: unknown[] = [];
    for (const ending of this.#endings.toReversed())
      try {
        await ending();
      } catch (error) {
        failures.push(error);
      }
    if (failures.length > 0) throw failures.reduce((suppressed, error) => suppressing(error, suppressed));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disposeAsync();
  }

  #requireOpen(): void {
    if (this.#isDisposed) throw new ReferenceError("The stack is disposed already.");
  }
}

/** `SuppressedError`, which Node.js 22 lacks as well. */
const suppressing = (error: unknown, suppressed: unknown): Error =>
  Object.assign(new Error("An error was suppressed during disposal."), {
    name: "SuppressedError",
    error,
    suppressed,
  });

export { Stack as AsyncDisposableStack };
