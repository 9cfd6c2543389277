import { SQSClient } from "@aws-sdk/client-sqs";
import { WholeAnswers } from "../dynamo/whole-answers.ts";

/** The longest wait for an answer to begin, and for more of it. */
const CALL_TIMEOUT_MS = 3_000;
/** Of each of ten messages, SQS answers some three hundred bytes. */
const ANSWER_BYTES_MAX = 64 * 1024;

/** The client that rejected records are sent with. The SDK repeats a call twice, after a dead connection or a throttle. */
export const createQueueClient = (): SQSClient =>
  new SQSClient({
    maxAttempts: 3,
    requestHandler: new WholeAnswers(
      {
        connectionTimeout: 1_000,
        requestTimeout: CALL_TIMEOUT_MS,
        socketTimeout: CALL_TIMEOUT_MS,
        throwOnRequestTimeout: true,
      },
      ANSWER_BYTES_MAX,
    ),
  });
