import { AnswerLost, type StoreHandler } from "../wire.ts";
import { WRITES } from "./touched-items.ts";

export interface LostAnswersOptions {
  readonly engine: StoreHandler;
  /** The share of the writes that take effect and lose their answers, from 0 to 1. */
  readonly share: number;
  readonly random: () => number;
}

/**
 * Loses the answers of some writes that took effect: the caller's connection is cut, and the caller cannot know the
 * result. Over a network this may happen to any write.
 */
export function losingAnswers({ engine, share, random }: LostAnswersOptions): StoreHandler {
  return async (request) => {
    const answer = await engine(request);
    const tookEffect = WRITES.has(request.operation) && answer.status === 200;
    if (tookEffect && random() < share)
      throw new AnswerLost(`The answer to a ${request.operation} is lost on purpose.`);
    return answer;
  };
}
