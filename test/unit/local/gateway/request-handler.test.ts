import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import {
  createRequestHandler,
  type HandlerOptions,
  newGatewayRequestId,
} from "../../../../local/gateway/request-handler.ts";
import { NOW } from "../../../support/chain.ts";

/** A gateway without a route, and the lines that it logs. */
function gateway() {
  const lines: string[] = [];
  const options: HandlerOptions = {
    application: { routes: [], cors: undefined },
    pools: new Map(),
    basePath: "",
    clock: () => NOW,
    log: (name, line) => void lines.push(`${name}: ${line}`),
  };
  return { handle: createRequestHandler(options), lines };
}

test("a request that cannot be read for a fault of ours is answered with 500, and ends no server", async () => {
  const { handle, lines } = gateway();
  const broken = {
    method: "GET",
    url: "/",
    rawHeaders: ["Host", "h"],
    httpVersion: "1.1",
    get socket() {
      throw new TypeError("broken");
    },
  };
  const { statusCode, headers } = await handle(broken as unknown as IncomingMessage);
  expect([statusCode, headers["apigw-requestid"]]).toEqual([500, expect.stringMatching(/^\S{16}$/)]);
  expect(lines).toEqual([expect.stringMatching(/^gateway: TypeError: broken\n/)]);
});

test("a request id has the form of API Gateway's, is not an option of a command line, and comes once", () => {
  // One in 64 random ids begins with a hyphen.
  const ids = Array.from({ length: 2_000 }, newGatewayRequestId);
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{14}=$/);
  expect(new Set(ids).size).toBe(ids.length);
});
