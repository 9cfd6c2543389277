/** A question that waits for its turn. */
interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Asks questions together: those that come while others are being answered are gathered, and asked at once afterwards.
 * So a question never waits for others to come, and many that come together cost few calls.
 *
 * @param askAll returns the answers in the order of the questions; when it rejects, each of them is rejected.
 * @param togetherMax the most questions of one call.
 */
export function gathered<Question, Answer>(
  askAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  togetherMax = Number.POSITIVE_INFINITY,
): (question: Question) => Promise<Answer> {
  const waiting: Waiting<Question, Answer>[] = [];
  let isUnderWay = false;
  const answerAll = async (): Promise<void> => {
    isUnderWay = true;
    // Questions that are asked in the same turn go into one call.
    await Promise.resolve();
    while (waiting.length > 0) await answer(waiting.splice(0, togetherMax), askAll);
    isUnderWay = false;
  };
  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (!isUnderWay) void answerAll();
    });
}

async function answer<Question, Answer>(
  together: readonly Waiting<Question, Answer>[],
  askAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): Promise<void> {
  try {
    const answers = await askAll(together.map(({ question }) => question));
    for (const [at, { resolve }] of together.entries()) resolve(answers[at] as Answer);
  } catch (error) {
    for (const { reject } of together) reject(error);
  }
}
