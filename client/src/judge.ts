import { unexpectedAnswer } from "./asked.ts";
import { CountinghouseError } from "./error.ts";
import type { Answer } from "./exchange-once.ts";
import { type AskedWhen, failureOf, isGatewayAnswer } from "./failure.ts";
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
  /** The error of this answer, if it turns out not to be what the contract says. */
  readonly unexpected: (why: string) => CountinghouseError;
}

/** The answer, if the caller takes it, or the error that it stands for. */
export function judge(answer: Answer, acceptable: Acceptable, asked: AskedWhen): Taken | CountinghouseError {
  const { status } = answer;
  // A 404 of API Gateway says nothing of the record.
  const isTaken =
    status === 200 || (acceptable.accepts?.includes(status) === true && !isGatewayAnswer(answer));
  if (!isTaken) return failureOf(answer, asked);
  const unexpected = (why: string): CountinghouseError => unexpectedAnswer(why, status, asked);
  if (status !== 200) return { ...answer, value: undefined, unexpected };
  const read = readBody(answer, acceptable, asked);
  return read instanceof CountinghouseError ? read : { ...answer, ...read, unexpected };
}
