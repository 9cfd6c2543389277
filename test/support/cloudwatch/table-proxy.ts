import { once } from "node:events";
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** What a table answers in place of the store: DynamoDB's own error, or a throttle. */
export type TableFault = "InternalServerError" | "ThrottlingException";

const STATUS: Readonly<Record<TableFault, number>> = { InternalServerError: 500, ThrottlingException: 400 };

/** A request that met the fault of its table. */
interface RefusedRequest {
  readonly table: string;
  /** As the API names it: `UpdateItem`. */
  readonly operation: string;
}

/** A proxy in front of a DynamoDB engine, in which single tables fail on demand. */
export interface TableProxy {
  readonly endpoint: string;
  /** The fault of each table that has one, by the table's name. */
  readonly faults: Map<string, TableFault>;
  readonly refused: readonly RefusedRequest[];
  close(): Promise<void>;
}

/** Starts a proxy in which no table fails yet. */
export async function startTableProxy(engineEndpoint: string): Promise<TableProxy> {
  const faults = new Map<string, TableFault>();
  const refused: RefusedRequest[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const { TableName: table = "" } = JSON.parse(body.toString()) as { readonly TableName?: string };
    const fault = faults.get(table);
    if (fault === undefined) return passOn(engineEndpoint, request, body, response);
    const operation = String(request.headers["x-amz-target"]).split(".")[1] ?? "";
    refused.push({ table, operation });
    response.writeHead(STATUS[fault], { "content-type": "application/x-amz-json-1.0" });
    response.end(
      JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${fault}`, message: "by the test" }),
    );
  };
  const server = createServer(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    refused,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

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
