/** The operations of DynamoDB's API that the local store takes. */
export const STORE_OPERATIONS = [
  "BatchGetItem",
  "BatchWriteItem",
  "CreateTable",
  "DeleteItem",
  "DeleteTable",
  "DescribeTable",
  "DescribeTimeToLive",
  "GetItem",
  "ListTables",
  "PutItem",
  "Query",
  "Scan",
  "UpdateItem",
  "UpdateTimeToLive",
] as const;

export type StoreOperation = (typeof STORE_OPERATIONS)[number];

/** The header `X-Amz-Target` by which the owner of a data directory asks for files without what was deleted. */
export const DROP_DELETED_TARGET = "CountinghouseStore.DropDeleted";

/** The members of a request's JSON; binary values are Base64 text. */
export type StoreInput = Readonly<Record<string, unknown>>;

/** One request to the store. */
export interface StoreRequest {
  readonly operation: StoreOperation;
  readonly input: StoreInput;
}

/** An answer of the store: a status, and the members of its JSON body. `__type` has the name of an exception. */
export interface StoreAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Answers requests: an engine, or a layer in front of one. Rejects with `AnswerLost` when no answer can be given. */
export type StoreHandler = (request: StoreRequest) => Promise<StoreAnswer>;

/** There is no answer, although the request may have taken effect. The server cuts the connection in its place. */
export class AnswerLost extends Error {
  override readonly name = "AnswerLost";
}

/** The refusal of a request, in DynamoDB's words. */
export interface Refusal {
  /** The exception's name, such as `ValidationException`. */
  readonly code: string;
  readonly message: string;
  /** Members beside the message, such as `throttlingReasons`. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** The exceptions that DynamoDB shares with other services, whose `__type` has another prefix. */
const COMMON_EXCEPTIONS: ReadonlySet<string> = new Set([
  "AccessDeniedException",
  "SerializationException",
  "ThrottlingException",
  "UnknownOperationException",
  "UnrecognizedClientException",
  "ValidationException",
]);

/** The answer to a refused request. */
export function refusalAnswer({ code, message, members }: Refusal): StoreAnswer {
  const namespace = COMMON_EXCEPTIONS.has(code)
    ? "com.amazon.coral.validate"
    : "com.amazonaws.dynamodb.v20120810";
  return { status: 400, body: { __type: `${namespace}#${code}`, message, ...members } };
}

/** DynamoDB's answer to a fault of its own (API reference, Common errors). */
export const INTERNAL_ERROR: StoreAnswer = {
  status: 500,
  body: {
    __type: "com.amazonaws.dynamodb.v20120810#InternalServerError",
    message: "The server encountered an internal error trying to fulfill the request.",
  },
};

/** The name of an answer's exception; undefined when the answer is not an exception. */
export function exceptionOf({ body }: StoreAnswer): string | undefined {
  const { __type: type } = body;
  return typeof type === "string" ? type.slice(type.indexOf("#") + 1) : undefined;
}
