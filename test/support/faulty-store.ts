import { Readable } from "node:stream";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";

/** The result of one request on the wire: an HTTP answer, or an error in its place. */
export type WireAnswer =
  | { readonly status: number; readonly body: string; readonly headers?: Record<string, string> }
  | Error;

/** Answers as DynamoDB sends them. */
export const storeAnswers = {
  item: (item: object): WireAnswer => ({ status: 200, body: JSON.stringify({ Item: item }) }),
  noItem: (): WireAnswer => ({
    status: 200,
    body: '{"ConsumedCapacity":{"TableName":"t","CapacityUnits":1}}',
  }),
  error: (status: number, name: string): WireAnswer => ({
    status,
    body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: name }),
  }),
  /** The refusal of a write whose condition does not hold, with the item that failed it, if there is one. */
  conditionFailed: (item?: object): WireAnswer => ({
    status: 400,
    body: JSON.stringify({
      __type: "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",
      message: "The conditional request failed",
      ...(item !== undefined && { Item: item }),
    }),
  }),
  /** The error of the SDK's own handler after its timeout. */
  stall: (): WireAnswer => Object.assign(new Error("timed out"), { name: "TimeoutError" }),
  cut: (code: string): WireAnswer => Object.assign(new Error(code), { code }),
};

/** One request as it would have gone out: the operation's name and its parsed body. */
export interface WireRequest {
  readonly operation: string;
  readonly input: Record<string, unknown>;
}

/**
 * A client whose wire is a function: the SDK serializes, retries and parses as usual, and only the socket is missing.
 * Its retries do not wait, so that a test can make a hundred thousand of them.
 */
export function clientOver(answer: (request: WireRequest) => WireAnswer): DynamoDBClient {
  return new DynamoDBClient({
    region: "eu-west-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    maxAttempts: 3,
    retryStrategy: impatient(3),
    signer: { sign: async (request) => request },
    requestHandler: {
      handle: async (request: { headers: Record<string, string>; body: string | Uint8Array }) => {
        const operation = (request.headers["x-amz-target"] ?? "").split(".")[1] ?? "";
        const text = typeof request.body === "string" ? request.body : utf8.decode(request.body);
        const wire = answer({ operation, input: JSON.parse(text) as Record<string, unknown> });
        if (wire instanceof Error) throw wire;
        const { status, body, headers = {} } = wire;
        return {
          response: {
            statusCode: status,
            headers: { "content-type": "application/x-amz-json-1.0", ...headers },
            body: Readable.from([Buffer.from(body)]),
          },
        };
      },
      // biome-ignore lint/suspicious/noExplicitAny: the SDK's handler interface is wider than its own tests need.
    } as any,
  });
}

const utf8 = new TextDecoder();

function impatient(attemptsMax: number) {
  const token = (count: number) => ({ getRetryCount: () => count, getRetryDelay: () => 0 });
  return {
    acquireInitialRetryToken: async () => token(0),
    refreshRetryTokenForRetry: async (
      current: { getRetryCount(): number },
      { errorType }: { errorType: string },
    ) => {
      const count = current.getRetryCount() + 1;
      if (count >= attemptsMax || errorType === "CLIENT_ERROR") throw new Error("no retry");
      return token(count);
    },
    recordSuccess: () => {},
  };
}
