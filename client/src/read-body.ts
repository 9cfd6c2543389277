import { type Asked, requestError, unexpectedAnswer } from "./asked.ts";
import type { CountinghouseError } from "./error.ts";
import { type ParsedTwice, parseTwice } from "./exact-json.ts";
import type { Answer } from "./exchange-once.ts";
import { findMisfit, type Shape } from "./shape.ts";

/** What a good answer must be. */
export interface Expected {
  readonly shape: Shape;
  /** Whether its numbers are decimals, which become text; otherwise they stay numbers. */
  readonly hasDecimals: boolean;
}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;

/**
 * The document of a 200, checked: an answer that is cut off, or is not the service's, must not look like an empty page.
 *
 * @returns the error instead: `network_error` for a part of a document, `unexpected_answer` for another one.
 */
export function readBody(
  answer: Answer,
  { shape, hasDecimals }: Expected,
  asked: Asked,
): { readonly value: unknown } | CountinghouseError {
  if (!JSON_TYPE.test(answer.headers.get("Content-Type") ?? ""))
    return unexpectedAnswer("the body is not JSON by its Content-Type", answer.status, asked);
  const parsed = parse(answer.text, hasDecimals);
  if (parsed === undefined)
    return requestError("the body is not whole JSON, so the connection probably broke.", asked, {
      code: "network_error",
    });
  const misfit = findMisfit(shape, parsed);
  if (misfit === undefined) return { value: parsed.exact };
  return unexpectedAnswer(`${misfit} is not as the contract says`, answer.status, asked);
}

function parse(text: string, hasDecimals: boolean): ParsedTwice | undefined {
  try {
    if (hasDecimals) return parseTwice(text);
    const plain: unknown = JSON.parse(text);
    return { plain, exact: plain };
  } catch {
    return undefined;
  }
}
