import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { parsedJson } from "../../lib/json-value.ts";
import { namedHost } from "../gateway/host-rule.ts";
import { refusePort } from "../gateway/port.ts";
import { type HttpAnswer, type Listening, listenOn, sendLater, wholeBody } from "../http/server.ts";
import { SqsError } from "./fauxqs.ts";
import type { LocalQueues } from "./local-queues.ts";
import { actionNames, actionOf } from "./queue-actions.ts";

/** A batch of a MiB, of which every byte may be escaped in JSON, and the rest of the call. */
const BODY_BYTES_MAX = 8 * 1_048_576;
const TARGET = /^AmazonSQS\.(\w+)$/;

export interface QueueServerOptions {
  readonly queues: LocalQueues;
  readonly host: string;
  readonly port: number;
  /** Whether a `Host` names this machine: a web page may point a name of its own at it. */
  readonly isOwnHost: (host: string) => boolean;
  /** Receives the errors of answers, which callers do not see. */
  readonly log: (line: string) => void;
}

/** The endpoint of queues, until it is closed. */
export type QueueServer = Pick<Listening, "close">;

/**
 * Answers SQS's JSON protocol, which the SDKs and the AWS CLI speak since 2023, for the queues of the template.
 * Credentials and signatures are not checked. Requests of web pages are refused. Throws a `StartError` for a port that
 * another program has taken.
 */
export async function serveQueues(options: QueueServerOptions): Promise<QueueServer> {
  const { port, host } = options;
  const server = createServer((message, response) => sendLater(response, answer(message, options)));
  return await listenOn(server, port, host).catch((error: unknown) =>
    refusePort(error, port, host, "--queue-port"),
  );
}

async function answer(message: IncomingMessage, options: QueueServerOptions): Promise<HttpAnswer> {
  const { headers, method } = message;
  const host = namedHost(message);
  if (headers.origin !== undefined || host === undefined || !options.isOwnHost(host))
    return fault(403, "AccessDenied", "Web pages are not answered.");
  const name = TARGET.exec(String(headers["x-amz-target"]))?.[1];
  if (method !== "POST" || name === undefined)
    return fault(
      400,
      "UnsupportedOperation",
      "This is an endpoint of SQS that speaks its JSON protocol alone.",
    );
  const body = await wholeBody(message, BODY_BYTES_MAX);
  if (body === undefined)
    return fault(413, "RequestEntityTooLarge", `The body is above ${BODY_BYTES_MAX} bytes.`);
  return await answerCall(name, body, options);
}

async function answerCall(
  name: string,
  body: Buffer,
  { queues: { store, journal }, log }: QueueServerOptions,
): Promise<HttpAnswer> {
  const act = actionOf(name);
  if (act === undefined)
    return fault(
      400,
      "UnsupportedOperation",
      `The local queues answer ${actionNames().join(", ")}, not ${name}.`,
    );
  try {
    const result = await act(parsed(body), store);
    journal?.flush();
    return answerOf(200, result);
  } catch (error) {
    if (error instanceof SqsError)
      return answerOf(error.statusCode, error.toJSON(), { "x-amzn-query-error": queryError(error) });
    log(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return fault(500, "InternalFailure", "It failed. The error is in the output of the service.");
  }
}

/** The codes that the older query protocol spells with the service before them. fauxqs does so with all. */
const PREFIXED = /^(?:NonExistentQueue|MessageNotInflight|.*Batch.*)$/;

const queryError = ({ queryCode, senderFault }: SqsError): string =>
  `${PREFIXED.test(queryCode) ? "AWS.SimpleQueueService." : ""}${queryCode};${senderFault ? "Sender" : "Receiver"}`;

const fault = (status: number, code: string, message: string): HttpAnswer =>
  answerOf(status, { __type: `com.amazonaws.sqs#${code}`, message });

const answerOf = (status: number, body: unknown, headers: HttpAnswer["headers"] = {}): HttpAnswer => ({
  status,
  headers: { "content-type": "application/x-amz-json-1.0", "x-amzn-requestid": randomUUID(), ...headers },
  body: JSON.stringify(body),
});

function parsed(body: Buffer): unknown {
  const value = parsedJson(body.toString());
  if (value === undefined) throw new SqsError("SerializationException", "The body is not a JSON object.");
  return value;
}
