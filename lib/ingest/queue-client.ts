import { Readable } from "node:stream";
import { SQSClient } from "@aws-sdk/client-sqs";
import { LoggableError } from "../errors.ts";

/** The longest wait for an answer to begin, and for more of it. */
const CALL_TIMEOUT_MS = 3_000;
/** Of each of ten messages, SQS answers some three hundred bytes. */
const ANSWER_BYTES_MAX = 64 * 1024;

/** The client that rejected records are sent with. The SDK repeats a call twice, after a dead connection or a throttle. */
export function createQueueClient(): SQSClient {
  const client = new SQSClient({
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 1_000,
      requestTimeout: CALL_TIMEOUT_MS,
      socketTimeout: CALL_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
  // Before the SDK reads an answer, because it collects answers of any length.
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const response = result.response as { body: Readable };
      response.body = Readable.from(bounded(response.body), { objectMode: false });
      return result;
    },
    { step: "deserialize", priority: "low", name: "boundedAnswer" },
  );
  return client;
}

/** The chunks of an answer. @throws {LoggableError} for one that is too long. */
async function* bounded(body: Readable): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new LoggableError("The answer is too long.");
    yield chunk;
  }
}
