import { once } from "node:events";
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { listenOnLoopback } from "./listen-on-loopback.ts";

/** A request to the store. */
export interface StoreCall {
  /** As the API names it: `UpdateItem`. */
  readonly operation: string;
  readonly table: string;
}

/** An error in place of the store's answer, by its name in DynamoDB's API, or no answer at all. */
export type StoreFault = { readonly status: number; readonly type: string } | "silence";

/** Starts a proxy in front of a DynamoDB engine. A fault that `faultOf` returns for a request replaces its answer. */
export async function startStoreProxy(
  engineEndpoint: string,
  faultOf: (call: StoreCall) => StoreFault | undefined,
) {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const operation = String(request.headers["x-amz-target"]).split(".")[1] ?? "";
    const { TableName: table = "" } = JSON.parse(body.toString()) as { readonly TableName?: string };
    const fault = faultOf({ operation, table });
    if (fault === "silence") return;
    if (fault === undefined) return passOn(engineEndpoint, request, body, response);
    response.writeHead(fault.status, { "content-type": "application/x-amz-json-1.0" });
    response.end(JSON.stringify({ __type: fault.type, message: "by the test" }));
  };
  // Tests kill clients in the middle of a request.
  const server = createServer(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  );
  const port = await listenOnLoopback(server);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

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
