import { createServer } from "node:http";
import { expect, test } from "vitest";
import { claimPort } from "../../../../local/gateway/port.ts";
import { listenOn } from "../../../../local/http/server.ts";
import { takePorts } from "../../../../publish/worlds/world-ports.ts";

const HOST = "127.0.0.1";

test("worlds share no port of a list, pass over another program's, and give theirs back", async () => {
  const held = await Promise.all([claimPort(0, HOST), claimPort(0, HOST)]);
  await Promise.all(held.map(({ release }) => release()));
  const foreign = await listenOn(createServer(), 0, HOST);
  const ports = [foreign.port, ...held.map(({ port }) => port)];
  const takePort = takePorts(ports, HOST);
  const [one, other] = [new AsyncDisposableStack(), new AsyncDisposableStack()];
  const taken = [(await takePort(one)).port, (await takePort(other)).port];
  expect(taken).toEqual(ports.slice(1));
  await expect(takePort(other)).rejects.toThrow("--world-ports");
  await one.disposeAsync();
  expect((await takePort(other)).port).toBe(taken[0]);
  await foreign.close();
  expect((await takePort(other)).port).toBe(foreign.port);
});
