import { validateHeaderName, validateHeaderValue } from "node:http";

/** What goes back to the client, and why when it is not what the function meant. */
export interface GatewayResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer | undefined;
  /** For the log: what was wrong with the function's answer. */
  readonly problem?: string;
}

/** The gateway's own answers. Its message is the reason phrase, in capitals where HTTP APIs have them. */
const OWN_MESSAGES = {
  400: "Bad Request",
  404: "Not Found",
  413: "Request Entity Too Large",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  503: "Service Unavailable",
} as const;

/** A synchronous invocation answers with at most this much JSON (quotas of Lambda). */
const PAYLOAD_BYTES_MAX = 6_291_556;

/** Framing is the gateway's business: what a function says about it is dropped. */
const FRAMING_HEADERS: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
]);

/** An answer that comes from the gateway itself. */
export function ownResponse(statusCode: keyof typeof OWN_MESSAGES, problem?: string): GatewayResponse {
  return {
    statusCode,
    headers: { "content-type": "application/json" },
    body: Buffer.from(JSON.stringify({ message: OWN_MESSAGES[statusCode] })),
    ...(problem !== undefined && { problem }),
  };
}

/**
 * Turns what a function returned, as JSON text, into the answer of an HTTP API. Without a `statusCode` the whole value
 * is the body of a 200; with one that is malformed, or too large, it is a 500.
 */
export function readFunctionResponse(payload: string): GatewayResponse {
  if (Buffer.byteLength(payload) > PAYLOAD_BYTES_MAX) return ownResponse(500, "the response exceeds 6 MB");
  const value = JSON.parse(payload) as unknown;
  if (typeof value !== "object" || value === null || !("statusCode" in value))
    return bareResponse(payload, value);
  try {
    return structuredResponse(value);
  } catch (error) {
    return ownResponse(500, `the response is malformed: ${(error as Error).message}`);
  }
}

/** A string is the body as it stands, everything else is its JSON. */
function bareResponse(payload: string, value: unknown): GatewayResponse {
  const body = Buffer.from(typeof value === "string" ? value : payload);
  return { statusCode: 200, headers: { "content-type": "application/json" }, body };
}

function structuredResponse(value: { readonly [member: string]: unknown }): GatewayResponse {
  const statusCode = readStatus(value.statusCode);
  const body = readBody(value.body, value.isBase64Encoded);
  const headers: Record<string, string | string[]> = {
    ...readHeaders(value.headers ?? {}),
    ...readCookies(value.cookies ?? []),
  };
  if (statusCode === 204 || statusCode === 304) {
    const { "content-type": _, ...others } = headers;
    return { statusCode, headers: others, body: undefined };
  }
  return { statusCode, headers: { "content-type": "text/plain; charset=utf-8", ...headers }, body };
}

function readStatus(value: unknown): number {
  const status = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  if (typeof status === "number" && Number.isInteger(status) && status >= 200 && status <= 599) return status;
  throw new TypeError(`statusCode is ${JSON.stringify(value)}`);
}

function readBody(body: unknown, isBase64Encoded: unknown): Buffer {
  if (isBase64Encoded !== undefined && isBase64Encoded !== null && typeof isBase64Encoded !== "boolean") {
    throw new TypeError("isBase64Encoded is no boolean");
  }
  if (body === undefined || body === null) return Buffer.alloc(0);
  if (typeof body !== "string") throw new TypeError("body is no string");
  return Buffer.from(body, isBase64Encoded === true ? "base64" : "utf8");
}

function readHeaders(value: unknown): Record<string, string> {
  if (typeof value !== "object" || Array.isArray(value)) throw new TypeError("headers is no object");
  const headers: Record<string, string> = {};
  for (const [name, content] of Object.entries(value ?? {})) {
    if (!["string", "number", "boolean"].includes(typeof content))
      throw new TypeError(`the header ${name} is no text`);
    validateHeaderName(name);
    validateHeaderValue(name, `${content}`);
    if (!FRAMING_HEADERS.has(name.toLowerCase())) headers[name.toLowerCase()] = `${content}`;
  }
  return headers;
}

function readCookies(value: unknown): { "set-cookie"?: string[] } {
  if (!Array.isArray(value) || value.some((cookie) => typeof cookie !== "string"))
    throw new TypeError("cookies is no list of texts");
  for (const cookie of value as string[]) validateHeaderValue("set-cookie", cookie);
  return value.length === 0 ? {} : { "set-cookie": value as string[] };
}
