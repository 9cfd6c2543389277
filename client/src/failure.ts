import { type Asked, requestError } from "./asked.ts";
import { type ErrorBody, errorBodyShape, type ServiceCode, serviceCodes } from "./contract.ts";
import type { ClientCode, CountinghouseError } from "./error.ts";
import type { Answer } from "./exchange-once.ts";
import { TIMER_MS_MAX } from "./platform.ts";
import { findMisfit } from "./shape.ts";
import { retryAfterMs, toldMs } from "./told-wait.ts";

/** What the reading of a failure needs beside the answer. */
export interface AskedWhen extends Asked {
  readonly retryAfterUnit: "milliseconds" | "seconds";
  /** The client's clock, Unix epoch milliseconds. */
  readonly now: number;
}

/** A difference of clocks, in milliseconds, that a message names: the service tolerates 5 seconds of it. */
const CLOCKS_APART_MS = 4_000;

/** The error that an answer without a success stands for. */
export function failureOf(answer: Answer, asked: AskedWhen): CountinghouseError {
  const { status, headers, text } = answer;
  const body = readErrorBody(text);
  const code = body?.code ?? gatewayCode(answer) ?? "unexpected_answer";
  const said = body?.message ?? describeOther(code, answer, asked);
  const id = body === undefined ? "" : ` (error_id ${body.error_id})`;
  const waitMs = toldMs(body?.retry_after_ms) ?? retryAfterMs(headers, asked);
  const hints = `${clockHint(body, asked)}${waitHint(waitMs)}`;
  return requestError(`${status} ${code}: ${said}${id}${hints}`, asked, {
    code,
    status,
    errorId: body?.error_id,
    requestId: headers.get("Request-Id") ?? headers.get("apigw-requestid") ?? undefined,
    retryAfterMs: waitMs,
    serverTime: body?.timestamp,
  });
}

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

function describeOther(code: ServiceCode | ClientCode, { status, text }: Answer, { mask }: Asked): string {
  if (code === "no_route") return "API Gateway knows no such path. Check baseUrl; an id must have no slash.";
  // A browser hides where a redirect leads, and even its status.
  if (status === 0 || (status >= 300 && status < 400 && status !== 304))
    return "The server redirects. Set baseUrl to where it leads.";
  return (
    gatewayMessage(text) ??
    `The body is not the service's: ${JSON.stringify(mask(text).slice(0, SHOWN_MAX))}.`
  );
}

/** Signatures carry the client's time, so a wrong clock is the first thing to look at. */
function clockHint(body: ErrorBody | undefined, { now }: AskedWhen): string {
  if (body?.code !== "timestamp_in_future" && body?.code !== "invalid_credentials") return "";
  const aheadMs = now - body.timestamp;
  if (Math.abs(aheadMs) < CLOCKS_APART_MS) return "";
  const side = aheadMs > 0 ? "ahead of" : "behind";
  return ` This machine's clock is ${Math.abs(aheadMs)} ms ${side} the server's: set it, or give the option now.`;
}

/** A wait that was cut to what a timer takes. */
const waitHint = (ms: number | undefined): string =>
  ms === TIMER_MS_MAX ? " It asks to wait for 24 days or longer." : "";
