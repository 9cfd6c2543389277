/** What a function returned, as the rules look at it. */
export interface FunctionAnswer {
  /** UTF-8 bytes of the JSON text that the runtime sends to Lambda. */
  readonly payloadBytes: number;
  /** The members of an object with a `statusCode`. None of any other value, which is a body as it stands. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** A rule for what a function returns. The gateway answers 500 in place of an answer that breaks one. */
export interface AnswerRule {
  /** Its name in `docs/fidelity.md`, in kebab-case. */
  readonly name: string;
  /** What is demanded, as one sentence. */
  readonly demands: string;
  /** Where that is documented, or why it is demanded here where nothing documents it. */
  readonly source: string;
  /** For the log: what is wrong with an answer that breaks the rule; undefined for one that keeps it. */
  readonly check: (answer: FunctionAnswer) => string | undefined;
}

/** A synchronous invocation answers with at most this much JSON. */
const PAYLOAD_BYTES_MAX = 6_291_556;
const HEADER_BYTES_MAX = 10_240;

const FORMAT =
  "API Gateway developer guide, Create AWS Lambda proxy integrations for HTTP APIs, Lambda function response for format 2.0";

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** RFC 9110, section 5.5: visible ASCII, spaces, tabs, and bytes beyond ASCII. */
const NO_FIELD_CONTENT = /[^\t\x20-\x7e\x80-\xff]/;

/** In the order in which an answer is held against them: the first that it breaks is the one that is logged. */
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
    demands: "`statusCode` is a whole number from 100 to 599, or a string of three digits that is one.",
    source: `${FORMAT}: httpStatusCode. A live HTTP API answered 500 to 200.5 (aws/aws-lambda-dotnet, InvokeResponseExtensionsIntegrationTests); that digits in a string are taken is assumed`,
    check: ({ members }) =>
      "statusCode" in members && readStatusCode(members.statusCode) === undefined
        ? `statusCode is ${quote(members.statusCode)}`
        : undefined,
  },
  {
    name: "final-status",
    demands: "`statusCode` is not of the class 1xx.",
    source:
      "RFC 9110, section 15.2: such an answer is an interim one, and a function has no other to send after it; what an HTTP API makes of it is not documented",
    check: ({ members }) =>
      (readStatusCode(members.statusCode) ?? 200) < 200
        ? `statusCode is ${quote(members.statusCode)}`
        : undefined,
  },
  {
    name: "headers-object",
    demands: "`headers`, where there are any, is an object.",
    source: FORMAT,
    check: ({ members: { headers } }) =>
      isAbsent(headers) || isObject(headers) ? undefined : "headers is no object",
  },
  {
    name: "header-names",
    demands: "The name of a header is a token.",
    source: "RFC 9110, section 5.1",
    check: (answer) => complain(headersOf(answer), ([name]) => !TOKEN.test(name), "is no token"),
  },
  {
    name: "header-strings",
    demands: "The value of a header is a string.",
    source: `${FORMAT}: { "headerName": "headerValue", ... }; whether an HTTP API writes out numbers is not documented, so nothing here relies on it`,
    check: (answer) =>
      complain(headersOf(answer), ([, value]) => typeof value !== "string", "has a value that is no string"),
  },
  {
    name: "header-characters",
    demands: "The value of a header has no control character but the tab, and none beyond U+00FF.",
    source: "RFC 9110, section 5.5",
    check: (answer) =>
      complain(
        headersOf(answer),
        ([, value]) => NO_FIELD_CONTENT.test(String(value)),
        "has a character that no header may have",
      ),
  },
  {
    name: "cookies",
    demands:
      "`cookies`, where there are any, is a list of strings that keep the rule for the values of headers.",
    source: `${FORMAT}; RFC 6265, section 4.1`,
    check: ({ members: { cookies } }) => {
      if (isAbsent(cookies)) return undefined;
      if (!isListOfStrings(cookies)) return "cookies is no list of strings";
      return cookies.some((cookie) => NO_FIELD_CONTENT.test(cookie))
        ? "a cookie has a character that no header may have"
        : undefined;
    },
  },
  {
    name: "header-bytes",
    demands: "The values of all headers, cookies with them, have at most 10,240 bytes together.",
    source:
      "API Gateway developer guide, Quotas for HTTP APIs: total combined size of request line and header values. It is said of requests, and is held to of answers too, so that nothing relies on more",
    check: (answer) => {
      const bytes = headerBytes(answer);
      return bytes > HEADER_BYTES_MAX ? `the values of its headers have ${bytes} bytes` : undefined;
    },
  },
  {
    name: "base64-flag",
    demands: "`isBase64Encoded`, where it is there, is a boolean.",
    source: FORMAT,
    check: ({ members: { isBase64Encoded: flag } }) =>
      isAbsent(flag) || typeof flag === "boolean" ? undefined : "isBase64Encoded is no boolean",
  },
  {
    name: "body-string",
    demands: "`body`, where there is one, is a string.",
    source: FORMAT,
    check: ({ members: { body } }) =>
      isAbsent(body) || typeof body === "string" ? undefined : "body is no string",
  },
  {
    name: "base64-body",
    demands: "A `body` that is said to be Base64 is padded standard Base64 whose unused bits are zero.",
    source:
      "API Gateway developer guide, Working with binary media types for HTTP APIs; RFC 4648, section 4. What an HTTP API makes of another body is not documented",
    check: ({ members: { body, isBase64Encoded } }) =>
      isBase64Encoded === true && typeof body === "string" && !isBase64(body)
        ? "body is no Base64"
        : undefined,
  },
];

/** The status that a `statusCode` means, or undefined when it means none. */
export function readStatusCode(value: unknown): number | undefined {
  const status = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  const isStatus = Number.isInteger(status) && (status as number) >= 100 && (status as number) <= 599;
  return isStatus ? (status as number) : undefined;
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isListOfStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

/** A decoder that forgives reads other texts too, but writes only this one. */
const isBase64 = (text: string): boolean => Buffer.from(text, "base64").toString("base64") === text;

const headersOf = ({ members: { headers } }: FunctionAnswer): [name: string, value: unknown][] =>
  isObject(headers) ? Object.entries(headers) : [];

/** One byte for each character, as the rule for characters lets only those through that take one. */
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

/** For one line of a log: a function may return a text of any length. */
const quote = (value: unknown): string => (JSON.stringify(value) ?? "undefined").slice(0, QUOTED_MAX);
