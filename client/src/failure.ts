import { type ErrorBody, errorBodyShape, type ServiceCode, serviceCodes } from "./contract.ts";
import { type ClientCode, CountinghouseError, type FailureDetails } from "./error.ts";
import type { Answer } from "./exchange-once.ts";
import { findMisfit } from "./shape.ts";
import { retryAfterMs } from "./told-wait.ts";

/** What the reading of a failure needs beside the answer. */
export interface Asked {
  readonly url: string;
  readonly requestId: string;
  readonly retryAfterUnit: "milliseconds" | "seconds";
  /** The client's clock, Unix epoch milliseconds. */
  readonly now: number;
  /** Values that no message may contain. */
  readonly secrets: readonly string[];
}

/** A difference of clocks, in milliseconds, that a message names: the service tolerates 5 seconds of it. */
const CLOCKS_APART_MS = 4_000;

/** The error that an answer without a success stands for. */
export function failureOf(answer: Answer, asked: Asked): CountinghouseError {
  const { status, headers, text } = answer;
  const body = readErrorBody(text);
  const code = body?.code ?? gatewayCode(answer) ?? "unexpected_answer";
  const details: FailureDetails = {
    code,
    status,
    errorId: body?.error_id,
    requestId: headers.get("Request-Id") ?? headers.get("apigw-requestid") ?? asked.requestId,
    retryAfterMs: body?.retry_after_ms ?? retryAfterMs(headers, asked),
    serverTime: body?.timestamp,
    url: asked.url,
  };
  const said = body?.message ?? describeOther(code, answer);
  const id = body === undefined ? "" : ` (error_id ${body.error_id})`;
  const message = `GET ${asked.url}: ${status} ${code}: ${said}${id}${clockHint(body, asked)}`;
  return new CountinghouseError(withoutSecrets(message, asked.secrets), details);
}

/** An answer of the right status that is not what the contract says. */
export const unexpectedAnswer = (
  why: string,
  { status }: Answer,
  { url, requestId }: Pick<Asked, "url" | "requestId">,
): CountinghouseError =>
  new CountinghouseError(`GET ${url}: ${status} unexpected_answer: ${why}.`, {
    code: "unexpected_answer",
    status,
    url,
    requestId,
  });

function readErrorBody(text: string): ErrorBody | undefined {
  const body = parsed(text);
  if (findMisfit(errorBodyShape, { plain: body, exact: body }) !== undefined) return undefined;
  return isServiceCode((body as ErrorBody).code) ? (body as ErrorBody) : undefined;
}

const isServiceCode = (code: string): code is ServiceCode =>
  (serviceCodes as readonly string[]).includes(code);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The message of an answer that API Gateway gives by itself: `{"message": …}` alone. */
function gatewayMessage(text: string): string | undefined {
  const body = parsed(text);
  if (typeof body !== "object" || body === null || Object.keys(body).length !== 1) return undefined;
  const { message } = body as { message?: unknown };
  return typeof message === "string" ? message : undefined;
}

/** Whether API Gateway itself gave an answer: no function was asked. */
export const isGatewayAnswer = (answer: Answer): boolean => gatewayCode(answer) !== undefined;

function gatewayCode({ status, text }: Answer): ClientCode | undefined {
  if (gatewayMessage(text) === undefined) return undefined;
  if (status === 404) return "no_route";
  if (status === 429) return "gateway_throttled";
  if (status >= 500) return "gateway_failed";
  return status >= 400 ? "gateway_refused" : undefined;
}

const SHOWN_MAX = 200;

function describeOther(code: ServiceCode | ClientCode, { status, text }: Answer): string {
  if (code === "no_route") return "API Gateway knows no such path. Check baseUrl; an id must have no slash.";
  // A browser hides where a redirect leads, and even its status.
  if (status === 0 || (status >= 300 && status < 400 && status !== 304))
    return "The server redirects. Set baseUrl to where it leads.";
  return (
    gatewayMessage(text) ?? `The body is not the service's: ${JSON.stringify(text.slice(0, SHOWN_MAX))}.`
  );
}

/** Signatures carry the client's time, so a wrong clock is the first thing to look at. */
function clockHint(body: ErrorBody | undefined, { now }: Asked): string {
  if (body?.code !== "timestamp_in_future" && body?.code !== "invalid_credentials") return "";
  const aheadMs = now - body.timestamp;
  if (Math.abs(aheadMs) < CLOCKS_APART_MS) return "";
  const side = aheadMs > 0 ? "ahead of" : "behind";
  return ` This machine's clock is ${Math.abs(aheadMs)} ms ${side} the server's: set it, or give the option now.`;
}

/** A proxy's answer may repeat what it was sent. */
const withoutSecrets = (message: string, secrets: readonly string[]): string =>
  secrets.reduce((text, secret) => (secret === "" ? text : text.replaceAll(secret, "(hidden)")), message);
