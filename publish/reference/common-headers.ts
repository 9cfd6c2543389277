import type { JsonSchema } from "../../local/endpoints/json-schema.ts";

/** A response header. */
export interface ResponseHeader {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly required?: boolean;
}

/** The headers of every answer of a function, by the names that the document refers to them. */
export const commonHeaders: Readonly<Record<string, ResponseHeader>> = {
  "Request-Id": {
    description: "The id that you sent, if it is 1 to 128 visible ASCII characters; otherwise a new one.",
    schema: { type: "string" },
    required: true,
  },
  "Cache-Control": { description: "Whether the answer may be stored.", schema: { type: "string" } },
  "RateLimit-Policy": {
    description:
      "The buckets of the owner's limit (draft-ietf-httpapi-ratelimit-headers): `q` tokens when full, and `w` seconds to fill up from empty.",
    schema: { type: "string", examples: ['"second";q=100;w=1, "minute";q=1000;w=60'] },
  },
  RateLimit: {
    description:
      "What is left in each bucket: `r` whole tokens, and `t` seconds until it is full again. On every answer to a charged request, and on others when the state is known.",
    schema: { type: "string", examples: ['"second";r=93;t=1, "minute";r=993;t=1'] },
  },
};

/** `Retry-After` in the unit of an endpoint's contract. */
export const retryAfter = (unit: "milliseconds" | "seconds"): ResponseHeader => ({
  description:
    unit === "seconds"
      ? "How long to wait, in whole seconds (RFC 9110 10.2.3)."
      : "How long to wait, in **milliseconds**, as the contract of the exchange says. HTTP libraries that retry by themselves read it as seconds: use `retry_after_ms` of the body instead.",
  schema: { type: "integer", minimum: 1 },
});

/** `WWW-Authenticate`, which a 401 has, and a 403 where the credential is a token. */
export const challenge: ResponseHeader = {
  description: "The credential that is asked for (RFC 9110 11.6.1, RFC 6750).",
  schema: { type: "string" },
};
