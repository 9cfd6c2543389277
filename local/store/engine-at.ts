import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { urlToHttpOptions } from "node:url";
import { wholeBody } from "../whole-body.ts";
import { type StoreEngine, TARGET_PREFIX, UNVERIFIED_SIGNATURE } from "./embedded-engine.ts";
import type { StoreAnswer, StoreRequest } from "./wire.ts";

/** An engine that runs elsewhere and serves DynamoDB's API at `endpoint`. Requests reject when it does not answer. */
export function engineAt(endpoint: string): StoreEngine {
  const url = new URL(endpoint);
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  const agent = url.protocol === "https:" ? undefined : new Agent({ keepAlive: true });
  const call = { ...urlToHttpOptions(url), method: "POST", ...(agent !== undefined && { agent }) };
  const handle = async ({ operation, input }: StoreRequest): Promise<StoreAnswer> => {
    const body = JSON.stringify(input);
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const headers = {
      ...UNVERIFIED_SIGNATURE,
      "x-amz-target": `${TARGET_PREFIX}${operation}`,
      "content-length": Buffer.byteLength(body),
    };
    send({ ...call, headers })
      .once("response", resolve)
      .once("error", reject)
      .end(body);
    const response = await promise;
    const text = String(await wholeBody(response, Number.POSITIVE_INFINITY));
    return { status: response.statusCode ?? 500, body: JSON.parse(text) as StoreAnswer["body"] };
  };
  return { handle, close: async () => agent?.destroy() };
}
