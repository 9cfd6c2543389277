import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest, Agent as SecureAgent } from "node:https";
import { urlToHttpOptions } from "node:url";
import { crc32 } from "node:zlib";
import { wholeBody } from "../http/server.ts";
import { type StoreEngine, TARGET_PREFIX, UNVERIFIED_SIGNATURE } from "./embedded-engine.ts";
import { AnswerLost, type StoreAnswer, type StoreOperation, type StoreRequest } from "./wire.ts";

/** Operations that change nothing, so that they may be repeated here. A caller knows whether it may repeat another one. */
const READS: ReadonlySet<StoreOperation> = new Set([
  "BatchGetItem",
  "DescribeTable",
  "DescribeTimeToLive",
  "GetItem",
  "ListTables",
  "Query",
  "Scan",
]);

/** As often as functions read. */
const ATTEMPTS_MAX = 3;

/** Functions call side by side: with one kept connection, most calls would begin one of their own. */
const KEPT = { keepAlive: true, maxFreeSockets: 8 };

/** Engines cut no batch at DynamoDB's 16 MB: it may have a hundred items of 400 KB, and a byte takes six in JSON at most. */
const ANSWER_BYTES_MAX = 256 * 1024 * 1024;

/**
 * An engine that runs elsewhere and serves DynamoDB's API at `endpoint`. An answer that does not arrive as it was sent, by
 * its length and by `x-amz-crc32`, is lost. A read whose answer is lost is repeated; any other request rejects with
 * `AnswerLost`, and so does a read whose third answer is.
 */
export function engineAt(endpoint: string): StoreEngine {
  const url = new URL(endpoint);
  const isSecure = url.protocol === "https:";
  const agent = isSecure ? new SecureAgent(KEPT) : new Agent(KEPT);
  const ask = isSecure ? httpsRequest : httpRequest;
  const call = { ...urlToHttpOptions(url), method: "POST", agent };
  const attempt = async ({ operation, input }: StoreRequest): Promise<StoreAnswer> => {
    const body = JSON.stringify(input);
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const headers = {
      ...UNVERIFIED_SIGNATURE,
      "x-amz-target": `${TARGET_PREFIX}${operation}`,
      "content-length": Buffer.byteLength(body),
    };
    ask({ ...call, headers })
      .once("response", resolve)
      .on("error", reject)
      .end(body);
    const [response, text] = await received(promise);
    return { status: response.statusCode ?? 500, body: JSON.parse(text) as StoreAnswer["body"] };
  };
  const handle = async (request: StoreRequest, attempts = 1): Promise<StoreAnswer> => {
    try {
      return await attempt(request);
    } catch (error) {
      // The other connections may be dead too: a repetition, here or by the caller, begins a new one.
      for (const idle of Object.values(agent.freeSockets).flat()) idle?.destroy();
      const isFinal = attempts === ATTEMPTS_MAX || !READS.has(request.operation);
      if (isFinal || !(error instanceof AnswerLost)) throw error;
      return handle(request, attempts + 1);
    }
  };
  return { handle: (request) => handle(request), close: async () => agent.destroy() };
}

/** An answer and its text. @throws {AnswerLost} when the text is not as it was sent, or none came. */
async function received(
  answer: Promise<IncomingMessage>,
): Promise<readonly [response: IncomingMessage, text: string]> {
  try {
    const response = await answer;
    const bytes = await wholeBody(response, ANSWER_BYTES_MAX);
    if (bytes === undefined) throw new Error("the answer is too long");
    const sum = response.headers["x-amz-crc32"];
    if (sum !== undefined && crc32(bytes) !== Number(sum))
      throw new Error("the answer is not what its checksum says");
    return [response, String(bytes)];
  } catch (cause) {
    throw new AnswerLost(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
