import { CountinghouseError } from "./error.ts";
import type { Answer } from "./exchange-once.ts";
import { type Asked, failureOf, isGatewayAnswer } from "./failure.ts";
import { type Expected, readBody } from "./read-body.ts";

/** The answers that a caller takes. */
export interface Acceptable extends Expected {
  /** Statuses that the caller takes as answers, beside 200. */
  readonly accepts?: readonly number[];
}

/** An answer that the call takes. */
export interface Taken extends Answer {
  /** The checked document of a 200; undefined for another status. */
  readonly value: unknown;
}

/** The answer, if the caller takes it, or the error that it stands for. */
export function judge(answer: Answer, acceptable: Acceptable, asked: Asked): Taken | CountinghouseError {
  const { status } = answer;
  // A 404 of API Gateway says nothing of the record.
  const isTaken =
    status === 200 || (acceptable.accepts?.includes(status) === true && !isGatewayAnswer(answer));
  if (!isTaken) return failureOf(answer, asked);
  if (status !== 200) return { ...answer, value: undefined };
  const read = readBody(answer, acceptable, asked);
  return read instanceof CountinghouseError ? read : { ...answer, ...read };
}
