import { answerRules, type FunctionAnswer, readStatusCode } from "./answer-rules.ts";

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
  408: "Request Timeout",
  413: "Request Entity Too Large",
  417: "Expectation Failed",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  503: "Service Unavailable",
} as const;

export type OwnStatus = keyof typeof OWN_MESSAGES;

/** Framing and the date are the gateway's business: what a function says about them is dropped. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** An HTTP API names this type where a function names none, whatever the status. */
const DEFAULT_TYPE = { "content-type": "text/plain; charset=utf-8" } as const;

/** An answer that comes from the gateway itself. */
export function ownResponse(statusCode: OwnStatus, problem?: string): GatewayResponse {
  return {
    statusCode,
    headers: { "content-type": "application/json" },
    body: Buffer.from(JSON.stringify({ message: OWN_MESSAGES[statusCode] })),
    ...(problem !== undefined && { problem }),
  };
}

/**
 * Turns what a function returned, as JSON text, into the answer of an HTTP API. Without a `statusCode` the whole value
 * is the body of a 200. An answer that breaks one of the `answerRules` is a 500.
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

/** A string is the body as it stands, everything else is its JSON. */
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

/** Names in lower case, as HTTP/2 has them. */
const keptHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !OWN_HEADERS.has(name)),
  );
