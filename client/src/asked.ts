import { CountinghouseError, type FailureDetails } from "./error.ts";

/** What an error says of the request that failed. */
export interface Asked {
  readonly url: string;
  readonly requestId: string;
  /** Hides the request's secrets in a text: an answer may repeat what was sent. */
  readonly mask: (text: string) => string;
}

/** The error of a request. Each text in it is masked as a whole, so a part of it must not be cut off before. */
export function requestError(
  text: string,
  { url, requestId, mask }: Asked,
  { errorId, requestId: answered = requestId, ...details }: FailureDetails,
): CountinghouseError {
  return new CountinghouseError(mask(`GET ${url}: ${text}`), {
    ...details,
    url: mask(url),
    requestId: mask(answered),
    errorId: errorId === undefined ? undefined : mask(errorId),
  });
}

/** An answer that is not what the contract says. */
export const unexpectedAnswer = (why: string, status: number, asked: Asked): CountinghouseError =>
  requestError(`${status} unexpected_answer: ${why}.`, asked, { code: "unexpected_answer", status });
