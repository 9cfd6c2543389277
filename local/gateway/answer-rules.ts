import { isMembers } from "../../lib/json-value.ts";

/** A function's return value, in the form that the rules check. */
export interface FunctionAnswer {
  /** UTF-8 bytes of the JSON text that the runtime sends to Lambda. */
  readonly payloadBytes: number;
  /** The members of an object with a `statusCode`; empty for any other value, which is the body itself. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** A rule for a function's answer. The gateway answers 500 in place of an answer that breaks one. */
export interface AnswerRule {
  /** In kebab-case. */
  readonly name: string;
  /** The demand, as one sentence. */
  readonly demands: string;
  /** Where the demand is documented, or why it is made here without a documented source. */
  readonly source: string;
  /** Describes the breach for the log; undefined for an answer that keeps the rule. */
  readonly check: (answer: FunctionAnswer) => string | undefined;
}

/** The largest JSON answer of a synchronous invocation. */
const PAYLOAD_BYTES_MAX = 6_291_556;
const HEADER_BYTES_MAX = 10_240;

const FORMAT =
  "API Gateway developer guide, Create AWS Lambda proxy integrations for HTTP APIs, Lambda function response for format 2.0";

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** RFC 9110, section 5.5: visible ASCII, spaces, tabs, and bytes beyond ASCII. */
const NO_FIELD_CONTENT = /[^\t\x20-\x7e\x80-\xff]/;

/** In the order of the checks. Only the first rule that an answer breaks is logged. */
export const answerRules: readonly AnswerRule[] = [
  {
    name: "payload-size",
    demands: "The JSON text of a function's answer has at most 6,291,556 bytes.",
    source:
      "Lambda developer guide, Lambda quotas: invocation payload; the number is the one in Lambda's own error message",
    check: ({ payloadBytes }) =>
      payloadBytes > PAYLOAD_BYTES_MAX
        ? `Function.ResponseSizeTooLarge: Response payload size exceeded maximum allowed payload size (${PAYLOAD_BYTES_MAX} bytes).`
        : undefined,
  },
  {
    name: "status-code",
    demands: "`statusCode` is an integer from 100 to 599, or that integer as a string of three digits.",
    source: `${FORMAT}: httpStatusCode. A live HTTP API answered 500 to 200.5 (aws/aws-lambda-dotnet, InvokeResponseExtensionsIntegrationTests); that a string of digits is accepted is assumed`,
    check: ({ members }) =>
      "statusCode" in members && readStatusCode(members.statusCode) === undefined
        ? `statusCode is ${quote(members.statusCode)}`
        : undefined,
  },
  {
    name: "final-status",
    demands: "`statusCode` is not of the class 1xx.",
    source:
      "RFC 9110, section 15.2: a 1xx answer is interim, and a function cannot send a final answer after it; how an HTTP API treats it is not documented",
    check: ({ members }) =>
      (readStatusCode(members.statusCode) ?? 200) < 200
        ? `statusCode is ${quote(members.statusCode)}`
        : undefined,
  },
  {
    name: "headers-object",
    demands: "`headers`, if present, is an object.",
    source: FORMAT,
    check: ({ members: { headers } }) =>
      isAbsent(headers) || isMembers(headers) ? undefined : "headers is not an object",
  },
  {
    name: "header-names",
    demands: "A header name is a token.",
    source: "RFC 9110, section 5.1",
    check: (answer) => complain(headersOf(answer), ([name]) => !TOKEN.test(name), "is not a token"),
  },
  {
    name: "header-strings",
    demands: "A header value is a string.",
    source: `${FORMAT}: { "headerName": "headerValue", ... }; whether an HTTP API converts numbers is not documented, so nothing here relies on it`,
    check: (answer) =>
      complain(
        headersOf(answer),
        ([, value]) => typeof value !== "string",
        "has a value that is not a string",
      ),
  },
  {
    name: "header-characters",
    demands: "A header value has no control character except the tab, and no character above U+00FF.",
    source: "RFC 9110, section 5.5",
    check: (answer) =>
      complain(
        headersOf(answer),
        ([, value]) => NO_FIELD_CONTENT.test(String(value)),
        "has a character that is not allowed in headers",
      ),
  },
  {
    name: "cookies",
    demands: "`cookies`, if present, is a list of strings whose characters are allowed in header values.",
    source: `${FORMAT}; RFC 6265, section 4.1`,
    check: ({ members: { cookies } }) => {
      if (isAbsent(cookies)) return undefined;
      if (!isListOfStrings(cookies)) return "cookies is not a list of strings";
      return cookies.some((cookie) => NO_FIELD_CONTENT.test(cookie))
        ? "a cookie has a character that is not allowed in headers"
        : undefined;
    },
  },
  {
    name: "header-bytes",
    demands: "The values of all headers, cookies included, add up to at most 10,240 bytes.",
    source:
      "API Gateway developer guide, Quotas for HTTP APIs: total combined size of request line and header values. The quota is for requests; answers are held to it as well, so that nothing relies on more",
    check: (answer) => {
      const bytes = headerBytes(answer);
      return bytes > HEADER_BYTES_MAX ? `the header values add up to ${bytes} bytes` : undefined;
    },
  },
  {
    name: "base64-flag",
    demands: "`isBase64Encoded`, if present, is a boolean.",
    source: FORMAT,
    check: ({ members: { isBase64Encoded: flag } }) =>
      isAbsent(flag) || typeof flag === "boolean" ? undefined : "isBase64Encoded is not a boolean",
  },
  {
    name: "body-string",
    demands: "`body`, if present, is a string.",
    source: FORMAT,
    check: ({ members: { body } }) =>
      isAbsent(body) || typeof body === "string" ? undefined : "body is not a string",
  },
  {
    name: "base64-body",
    demands: "A `body` with `isBase64Encoded` true is padded standard Base64 whose unused bits are zero.",
    source:
      "API Gateway developer guide, Working with binary media types for HTTP APIs; RFC 4648, section 4. How an HTTP API treats other text is not documented",
    check: ({ members: { body, isBase64Encoded } }) =>
      isBase64Encoded === true && typeof body === "string" && !isBase64(body)
        ? "body is not Base64"
        : undefined,
  },
];

/** The status that a `statusCode` stands for; undefined when it is not a status. */
export function readStatusCode(value: unknown): number | undefined {
  const status = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  const isStatus = Number.isInteger(status) && (status as number) >= 100 && (status as number) <= 599;
  return isStatus ? (status as number) : undefined;
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

const isListOfStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

/** `Buffer` decodes other texts too, but encodes only padded standard Base64. */
const isBase64 = (text: string): boolean => Buffer.from(text, "base64").toString("base64") === text;

const headersOf = ({ members: { headers } }: FunctionAnswer): [name: string, value: unknown][] =>
  isMembers(headers) ? Object.entries(headers) : [];

/** Counts one byte a character: the rules before it admit only characters that take one byte in a header. */
function headerBytes(answer: FunctionAnswer): number {
  const { cookies } = answer.members;
  const values = [
    ...headersOf(answer).map(([, value]) => String(value)),
    ...(isListOfStrings(cookies) ? cookies : []),
  ];
  return values.reduce((sum, value) => sum + value.length, 0);
}

function complain<Item extends readonly [name: string, value: unknown]>(
  headers: readonly Item[],
  isBad: (header: Item) => boolean,
  what: string,
): string | undefined {
  const bad = headers.find(isBad);
  return bad && `the header ${quote(bad[0])} ${what}`;
}

const QUOTED_MAX = 80;

/** JSON of a value, cut for a log line: a function may return text of any length. */
const quote = (value: unknown): string => (JSON.stringify(value) ?? "undefined").slice(0, QUOTED_MAX);
