import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { createRequestHandler, type HandlerOptions } from "../../../../local/gateway/request-handler.ts";
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
