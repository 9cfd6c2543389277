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

/** A request's members as its JSON has them: binary values are Base64 text. */
export type StoreInput = Readonly<Record<string, unknown>>;

/** One request to the store. */
export interface StoreRequest {
  readonly operation: StoreOperation;
  readonly input: StoreInput;
}

/** An answer of the store: a status, and the members of its JSON body. An error names itself in `__type`. */
export interface StoreAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Answers requests: an engine, or a layer in front of one. It rejects with `AnswerLost` or when no engine answers. */
export type StoreHandler = (request: StoreRequest) => Promise<StoreAnswer>;

/** An answer that never reaches the caller, although its request took effect: the connection is cut in its place. */
export class AnswerLost extends Error {
  override readonly name = "AnswerLost";
}

/** Why a request is refused, as DynamoDB says it. */
export interface Refusal {
  /** The exception's name, such as `ValidationException`. */
  readonly code: string;
  readonly message: string;
  /** Members beside the message, such as `ThrottlingReasons`. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** DynamoDB prefixes its own exceptions, and those that it has in common with other services, differently. */
const COMMON_EXCEPTIONS: ReadonlySet<string> = new Set([
  "AccessDeniedException",
  "SerializationException",
  "ThrottlingException",
  "UnknownOperationException",
  "UnrecognizedClientException",
  "ValidationException",
]);

/** The answer that a refusal is on the wire. */
export function refusalAnswer({ code, message, members }: Refusal): StoreAnswer {
  const namespace = COMMON_EXCEPTIONS.has(code)
    ? "com.amazon.coral.validate"
    : "com.amazonaws.dynamodb.v20120810";
  return { status: 400, body: { __type: `${namespace}#${code}`, message, ...members } };
}
