import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";

/** Lets a server listen on a free port of this machine alone, and gives the port. */
export async function listenOnLoopback(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}
