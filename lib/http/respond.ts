import { type EncodedBody, encodeBody } from "./compression.ts";
import { statusOfSuccess } from "./error-response.ts";

/** The text of a body, and headers in addition to those of every answer. */
export interface Content {
  readonly body: string;
  /** `identity`: never compressed, because a strong entity tag stands for exactly these bytes (RFC 9110 8.8.3.3). */
  readonly coding?: "identity";
  readonly headers?: Readonly<Record<string, string>>;
}

/** The caller already has the current content; `headers` are those that the content would have come with. */
interface NotModified {
  readonly notModified: true;
  readonly headers: Readonly<Record<string, string>>;
}

/** The answer of an endpoint. */
export type Answer = Content | NotModified;

/** A structured response of payload format 2.0. */
export interface HttpResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly isBase64Encoded?: boolean;
}

const CONTENT_TYPE = "application/json";

/** An answer as it goes to the gateway, compressed where the caller and the answer allow it. */
export function respond(
  answer: Answer,
  cacheControl: string,
  acceptEncoding: string | undefined,
): HttpResponse {
  if ("notModified" in answer) return respondNotModified(answer, cacheControl);
  const { body, isBase64Encoded, headers } = encodeAnswer(answer, acceptEncoding);
  return {
    statusCode: statusOfSuccess.ok,
    headers: {
      "Content-Type": CONTENT_TYPE,
      "Cache-Control": cacheControl,
      ...headers,
      ...answer.headers,
    },
    body,
    isBase64Encoded,
  };
}

/**
 * A 304 has the content type of the 200, because a gateway may add its own type where there is none, and a cache would
 * write that into its stored 200 (RFC 9110 15.4.5, RFC 9111 3.2).
 */
const respondNotModified = ({ headers }: NotModified, cacheControl: string): HttpResponse => ({
  statusCode: statusOfSuccess.notModified,
  headers: { "Content-Type": CONTENT_TYPE, "Cache-Control": cacheControl, ...headers },
  body: "",
});

const encodeAnswer = ({ body, coding }: Content, acceptEncoding: string | undefined): EncodedBody =>
  coding === "identity" ? { body, isBase64Encoded: false, headers: {} } : encodeBody(body, acceptEncoding);
