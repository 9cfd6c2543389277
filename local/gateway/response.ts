import type { Stint } from "../runtime/execution-environment.ts";
import { answerRules, type FunctionAnswer, readStatusCode } from "./answer-rules.ts";

/** The answer to the client, with the reason when the gateway does not pass on the function's. */
export interface GatewayResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer | undefined;
  /** The work of the function; absent for an answer of the gateway's own, and while the function is still at work. */
  readonly stint?: Stint;
  /** For the log: why the function's answer was not passed on. */
  readonly problem?: string;
  /** The fault that the request met on purpose. */
  readonly fault?: string;
  /** What is new in the answer on purpose, because a release may bring it. */
  readonly scene?: string;
  /** How the connection ends on purpose, before the client has the whole answer. */
  readonly ending?: Ending;
}

/** `cut`: in the middle of the body. `reset`: in place of the answer. */
export type Ending = "cut" | "reset";

/** The `message` of each answer of the gateway's own: the reason phrase, with the capitals that HTTP APIs write. */
const OWN_MESSAGES = {
  400: "Bad Request",
  403: "Forbidden",
  404: "Not Found",
  408: "Request Timeout",
  413: "Request Entity Too Large",
  417: "Expectation Failed",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  503: "Service Unavailable",
} as const;

export type OwnStatus = keyof typeof OWN_MESSAGES;

/** Every status that the gateway answers by itself. The local one answers 429 only on purpose. */
export const ownStatuses = Object.keys(OWN_MESSAGES).map(Number) as readonly OwnStatus[];

/** The gateway sets framing and date itself, and drops a function's headers for them. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The type that an HTTP API sends when a function names none, whatever the status. */
const DEFAULT_TYPE = { "content-type": "text/plain; charset=utf-8" } as const;

/** An answer of the gateway itself. `problem` is for the log. */
export function ownResponse(statusCode: OwnStatus, problem?: string): GatewayResponse {
  return {
    statusCode,
    headers: { "content-type": "application/json" },
    body: Buffer.from(JSON.stringify({ message: OWN_MESSAGES[statusCode] })),
    ...(problem !== undefined && { problem }),
  };
}

/**
 * Turns a function's return value, as JSON text, into the answer of an HTTP API. A value without a `statusCode` is the
 * body of a 200. An answer that breaks one of the `answerRules` becomes a 500.
 */
export function readFunctionResponse(payload: string): GatewayResponse {
  const value = JSON.parse(payload) as unknown;
  const isStructured = typeof value === "object" && value !== null && "statusCode" in value;
  const members = isStructured ? (value as FunctionAnswer["members"]) : {};
  const problem = problemOf({ payloadBytes: Buffer.byteLength(payload), members });
  if (problem !== undefined) return ownResponse(500, problem);
  return isStructured ? structuredResponse(value as AnswerMembers) : bareResponse(payload, value);
}

function problemOf(answer: FunctionAnswer): string | undefined {
  for (const { name, check } of answerRules) {
    const complaint = check(answer);
    if (complaint !== undefined) return `the answer breaks the rule ${name}: ${complaint}`;
  }
  return undefined;
}

/** A string is the body itself; any other value is sent as JSON. */
function bareResponse(payload: string, value: unknown): GatewayResponse {
  const body = Buffer.from(typeof value === "string" ? value : payload);
  return { statusCode: 200, headers: { "content-type": "application/json" }, body };
}

/** The members of an answer that keeps the rules. */
interface AnswerMembers {
  readonly statusCode: number | string;
  readonly headers?: Readonly<Record<string, string>> | null;
  readonly cookies?: string[] | null;
  readonly body?: string | null;
  readonly isBase64Encoded?: boolean | null;
}

function structuredResponse(answer: AnswerMembers): GatewayResponse {
  const statusCode = readStatusCode(answer.statusCode) as number;
  const cookies = answer.cookies ?? [];
  const headers = {
    ...DEFAULT_TYPE,
    ...keptHeaders(answer.headers ?? {}),
    ...(cookies.length > 0 && { "set-cookie": cookies }),
  };
  const mayHaveBody = statusCode !== 204 && statusCode !== 304;
  const body = Buffer.from(answer.body ?? "", answer.isBase64Encoded === true ? "base64" : "utf8");
  return { statusCode, headers, body: mayHaveBody ? body : undefined };
}

/** Header names are in lower case, as in HTTP/2. */
const keptHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !OWN_HEADERS.has(name)),
  );
