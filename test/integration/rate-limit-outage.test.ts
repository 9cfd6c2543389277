import { connect, createServer, type Server, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { logOf } from "../../lib/log.ts";
import { createRateLimit } from "../../lib/rate-limit/create-rate-limit.ts";
import { NOW } from "../support/chain.ts";
import { type Engine, startEngine } from "../support/engine.ts";
import { exchangeBuckets } from "../support/limits.ts";
import { listenOnLoopback } from "../support/listen-on-loopback.ts";

let engine: Engine;
let server: Server;
const sockets = new Set<Socket>();
let onConnection: (socket: Socket) => void;

const forward = (socket: Socket) => {
  const { hostname, port } = new URL(engine.endpoint);
  const upstream = connect(Number(port), hostname);
  sockets.add(upstream);
  socket.pipe(upstream).pipe(socket);
};

beforeAll(async () => {
  engine = await startEngine("dynalite");
  server = createServer((socket) => {
    sockets.add(socket);
    onConnection(socket);
  });
  vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", `http://127.0.0.1:${await listenOnLoopback(server)}`);
  vi.stubEnv("AWS_REGION", "local");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "local");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "local");
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  server.close();
  await engine.close();
  vi.unstubAllEnvs();
});

let lines: string[];
beforeEach(() => {
  lines = [];
  vi.spyOn(process.stdout, "write").mockImplementation((line) => lines.push(String(line)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const newLimit = (tableName = engine.tableName("RateLimits")) =>
  createRateLimit({ name: "sample", costMax: 30 }, exchangeBuckets, {
    tableName,
    clock: () => NOW,
    log: logOf({ stage: "test", endpoint: "get-sample" }),
  });

test("a socket that is reset is replaced once, and nothing is reported", async () => {
  let connections = 0;
  onConnection = (socket) => {
    connections += 1;
    if (connections === 1) socket.once("data", () => socket.resetAndDestroy());
    else forward(socket);
  };
  expect((await newLimit().charge("owner", 1)).waitMs).toBe(0);
  expect(connections).toBe(2);
  expect(lines).toEqual([]);
});

test("a store that does not answer is given up after one attempt, and the outage is a metric", async () => {
  let connections = 0;
  onConnection = () => {
    connections += 1;
  };
  const { waitMs, headers } = await newLimit().charge("owner", 1);
  expect(waitMs).toBe(0);
  expect(headers.RateLimit).toMatch(/"second";r=99/);
  expect(connections).toBe(1);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    _aws: {
      Timestamp: NOW,
      CloudWatchMetrics: [
        {
          Namespace: "countinghouse",
          Dimensions: [["stage", "endpoint"]],
          Metrics: [{ Name: "RateLimitOutage" }],
        },
      ],
    },
    stage: "test",
    endpoint: "get-sample",
    limit: "sample",
    RateLimitOutage: 1,
    fault: { name: "TimeoutError" },
  });
});

test("a missing table is a fault, not an outage", async () => {
  onConnection = forward;
  await expect(newLimit("no-such-table").charge("owner", 1)).rejects.toThrow(
    expect.objectContaining({ name: "ResourceNotFoundException" }),
  );
  expect(lines).toEqual([]);
});
