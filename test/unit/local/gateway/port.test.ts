import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { claimTlsPort } from "../../../../local/gateway/port.ts";

const host = "127.0.0.1";

async function listenAt(port: number): Promise<Server> {
  const server = createServer().listen(port, host);
  await once(server, "listening");
  return server;
}
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** A server on a port that is as far above another as the port of mutual TLS is, and that other port. */
async function takenBeside() {
  const server = await listenAt(0);
  return { server, taken: portOf(server), port: portOf(server) - 443 };
}

describe("the port of mutual TLS", () => {
  test("that nobody asked for is 443 above the other, and another one where that is taken, which is said", async () => {
    const { server, taken, port } = await takenBeside();
    const lines: string[] = [];
    const free = await claimTlsPort({ port, host }, (line) => lines.push(line));
    expect([taken, port]).not.toContain(free);
    expect(lines).toEqual([
      `Port ${taken} is taken, so clients with certificates are answered at ${free}; --tls-port chooses one.`,
    ]);
    server.close();
    await once(server, "close");
    expect(await claimTlsPort({ port, host }, (line) => lines.push(line))).toBe(taken);
    expect(lines).toHaveLength(1);
  });

  test("that was asked for is that one or none", async () => {
    const { server, taken, port } = await takenBeside();
    await expect(claimTlsPort({ port, tlsPort: taken, host }, () => {})).rejects.toThrow(
      `Port ${taken} of 127.0.0.1 is taken. Stop what uses it, or choose another with --tls-port.`,
    );
    server.close();
  });

  test.each([0, 65_093, 65_535])("is any free one where there is none beside the other: %d", async (port) => {
    const lines: string[] = [];
    const free = await claimTlsPort({ port, host }, (line) => lines.push(line));
    expect(free).toBeGreaterThan(0);
    expect(free).not.toBe(port + 443);
    expect(lines).toEqual([]);
  });

  test("is refused where no port of the host can be had", async () => {
    await expect(claimTlsPort({ port: 4400, host: "192.0.2.1" }, () => {})).rejects.toThrow("--host");
  });
});
