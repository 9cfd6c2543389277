/** A question that waits for its turn. */
interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Asks questions together: those that come while others are being answered are gathered, and asked at once afterwards.
 * So a question never waits for others to come, and many that come together cost few calls.
 */
export class Gathered<Question, Answer> {
  readonly #askAll: (questions: readonly Question[]) => Promise<readonly Answer[]>;
  readonly #togetherMax: number;
  readonly #waiting: Waiting<Question, Answer>[] = [];
  #isUnderWay = false;

  /**
   * @param askAll returns the answers in the order of the questions; when it rejects, each of them is rejected.
   * @param togetherMax the most questions of one call.
   */
  constructor(
    askAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
    togetherMax = Number.POSITIVE_INFINITY,
  ) {
    this.#askAll = askAll;
    this.#togetherMax = togetherMax;
  }

  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject });
      if (!this.#isUnderWay) void this.#answerAll();
    });
  }

  async #answerAll(): Promise<void> {
    this.#isUnderWay = true;
    // Questions that are asked in the same turn go into one call.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const together = this.#waiting.splice(0, this.#togetherMax);
      await this.#answer(together);
    }
    this.#isUnderWay = false;
  }

  async #answer(together: readonly Waiting<Question, Answer>[]): Promise<void> {
    try {
      const answers = await this.#askAll(together.map(({ question }) => question));
      for (const [at, { resolve }] of together.entries()) resolve(answers[at] as Answer);
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
  }
}
