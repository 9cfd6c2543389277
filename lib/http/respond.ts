import { encodeBody } from "./compression.ts";
import { statusOfSuccess } from "./error-response.ts";

/** What a use case answers: the text of the body, and headers beside the ones that every answer has. */
export interface Answer {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A structured response of payload format 2.0. */
export interface HttpResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly isBase64Encoded?: boolean;
}

/** An answer as it goes to the gateway, compressed where the caller allows it. */
export function respond(
  answer: Answer,
  cacheControl: string,
  acceptEncoding: string | undefined,
): HttpResponse {
  const { body, isBase64Encoded, headers } = encodeBody(answer.body, acceptEncoding);
  return {
    statusCode: statusOfSuccess.ok,
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": cacheControl,
      ...headers,
      ...answer.headers,
    },
    body,
    isBase64Encoded,
  };
}
