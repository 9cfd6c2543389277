import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { claimPort, claimQueuePort, claimTlsPort, exposureWarnings } from "../../../../local/gateway/port.ts";

const host = "127.0.0.1";

async function listenAt(port: number): Promise<Server> {
  const server = createServer().listen(port, host);
  await once(server, "listening");
  return server;
}
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** A server on the default port of mutual TLS for an HTTP port, and that HTTP port. */
async function takenBeside() {
  const server = await listenAt(0);
  return { server, taken: portOf(server), port: portOf(server) - 443 };
}

describe("a claimed port", () => {
  test("is held until it is released when it was picked, so that no other program gets it", async () => {
    const { port, release } = await claimPort(0, host);
    await expect(listenAt(port)).rejects.toThrow("EADDRINUSE");
    await release();
    await release();
    const server = await listenAt(port);
    server.close();
  });

  test("cuts the connections that come before its listener", async () => {
    const { port, release } = await claimPort(0, host);
    await expect(fetch(`http://${host}:${port}/`)).rejects.toThrow("fetch failed");
    await release();
  });

  test("is not held when it was given, so that nothing takes a service that starts for ready", async () => {
    const server = await listenAt(0);
    const port = portOf(server);
    server.close();
    await once(server, "close");
    await claimPort(port, host);
    const next = await listenAt(port);
    next.close();
  });
});

describe("the port of mutual TLS", () => {
  test("is by default 443 above the port of HTTP, or a free one with a warning when that is taken", async () => {
    const { server, taken, port } = await takenBeside();
    const lines: string[] = [];
    const { port: free, release } = await claimTlsPort({ port, host }, (line) => lines.push(line));
    await release();
    expect([taken, port]).not.toContain(free);
    expect(lines).toEqual([
      `Port ${taken}, 443 above --port, is taken, so clients with certificates are served on port ${free}. Choose another with --tls-port.`,
    ]);
    server.close();
    await once(server, "close");
    expect(await claimTlsPort({ port, host }, (line) => lines.push(line))).toMatchObject({ port: taken });
    expect(lines).toHaveLength(1);
  });

  test("is the requested one, or an error", async () => {
    const { server, taken, port } = await takenBeside();
    await expect(claimTlsPort({ port, tlsPort: taken, host }, () => {})).rejects.toThrow(
      `Port ${taken} of 127.0.0.1 is taken. Stop the program that uses it, or choose another port with --tls-port, 0 for any free one.`,
    );
    server.close();
  });

  test.each([0, 65_093, 65_535])(
    "is any free one when no port is 443 above that of HTTP: %d",
    async (port) => {
      const lines: string[] = [];
      const { port: free, release } = await claimTlsPort({ port, host }, (line) => lines.push(line));
      await release();
      expect(free).toBeGreaterThan(0);
      expect(free).not.toBe(port + 443);
      expect(lines).toEqual([]);
    },
  );

  test("is refused for a host that is not an address of this machine", async () => {
    await expect(claimTlsPort({ port: 4400, host: "192.0.2.1" }, () => {})).rejects.toThrow("--host");
  });
});

describe("the port of the queues", () => {
  test("is by default 324 above the port of HTTP, or a free one with a warning when that is taken", async () => {
    const server = await listenAt(0);
    const taken = portOf(server);
    const given = { port: taken - 324, host };
    const lines: string[] = [];
    const { port: free, release } = await claimQueuePort(given, (line) => lines.push(line));
    await release();
    expect(lines).toEqual([
      `Port ${taken}, 324 above --port, is taken, so the queues are served on port ${free}. Choose another with --queue-port.`,
    ]);
    await expect(claimQueuePort({ ...given, queuePort: taken }, () => {})).rejects.toThrow(
      `Port ${taken} of 127.0.0.1 is taken. Stop the program that uses it, or choose another port with --queue-port, 0 for any free one.`,
    );
    server.close();
    await once(server, "close");
    expect(await claimQueuePort(given, () => {})).toMatchObject({ port: taken });
  });
});

test.each(["127.0.0.1", "127.8.0.9", "::1", "localhost"])("a page on %s is this machine's alone", (host) => {
  expect(exposureWarnings({ host, hasPage: true })).toEqual([]);
});

test.each(["0.0.0.0", "::", "192.168.1.20", "build-box", "127.example.com"])(
  "a page on %s is announced, unless it is left out",
  (host) => {
    expect(exposureWarnings({ host, hasPage: true })).toEqual([
      expect.stringMatching(`^Everybody who reaches ${host} can open the page.* --no-page leaves it out\\.$`),
    ]);
    expect(exposureWarnings({ host, hasPage: false })).toEqual([]);
  },
);
