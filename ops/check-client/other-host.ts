import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { joinHeaders } from "../../local/gateway/event.ts";

/** A host of somebody else: its name is not the one that the client was told. */
const NAME = "localhost";

/** A request that came to the other host. */
export interface AstrayRequest {
  /** Path and query as they were sent. */
  readonly target: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A server at another host and port, which keeps every request that it gets. */
export interface OtherHost {
  readonly url: string;
  readonly requests: readonly AstrayRequest[];
  close(): Promise<void>;
}

/** Starts the server that redirects point to. It rejects every caller as unknown. */
export async function startOtherHost(): Promise<OtherHost> {
  const requests: AstrayRequest[] = [];
  const server = createServer((request, response) => {
    requests.push({ target: request.url ?? "", headers: joinHeaders(request.rawHeaders) });
    response.writeHead(401, { "content-type": "application/json" }).end('{"message":"Unauthorized"}');
  });
  server.listen(0, NAME);
  await once(server, "listening");
  return {
    url: `http://${NAME}:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
