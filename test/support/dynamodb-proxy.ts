import { once } from "node:events";
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A fault in place of the store's answer: an error by its name in DynamoDB's API, or no answer at all. */
export type StoreAnswer = "ThrottlingException" | "AccessDeniedException" | "silence" | undefined;

/** Passes a request on to an engine, and the answer back. */
function passOn(
  engineEndpoint: string,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): void {
  const onward = forward(`${engineEndpoint}${request.url}`, { method: "POST", headers: request.headers });
  onward.on("response", (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  onward.end(body);
}

/**
 * Starts a proxy between a client and a DynamoDB engine. `onPut` is called before the nth write (from 1) is passed on;
 * a fault that it returns replaces the answer.
 */
export async function startDynamoProxy(engineEndpoint: string, onPut: (nth: number) => StoreAnswer) {
  let puts = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const isPut = String(request.headers["x-amz-target"]).endsWith(".PutItem");
    if (isPut) puts += 1;
    const error = isPut ? onPut(puts) : undefined;
    if (error === "silence") return;
    if (error === undefined) return passOn(engineEndpoint, request, body, response);
    response.writeHead(400, { "content-type": "application/x-amz-json-1.0" });
    response.end(
      JSON.stringify({ __type: `com.amazon.coral.availability#${error}`, message: "by the test" }),
    );
  };
  // Tests kill clients in the middle of a request.
  const server = createServer(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
