import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Context } from "aws-lambda";
import { newApiKey, rampKeyId } from "../lib/auth/credential.ts";
import { contractBrand } from "../lib/brand.ts";
import { physicalTableName, type TableName } from "../lib/dynamo/tables.ts";
import type { EndpointHandler } from "../lib/http/endpoint.ts";
import { putSellOrder } from "../lib/sell-orders/put-sell-order.ts";
import { SellOrderRegister } from "../lib/sell-orders/sell-order-register.ts";
import { CredentialRegister } from "../local/credentials/credential-register.ts";
import type { DemoFile } from "../local/demo/demo-file.ts";
import { sellOrderText } from "../test/support/documents.ts";
import type { Engine } from "../test/support/engine.ts";
import { type Figure, figureOfPairs, type Measurement } from "./figure.ts";
import { startBenchEngine } from "./support/bench-engine.ts";
import { deployedBundles } from "./support/bundles.ts";
import { getEvent } from "./support/canned-service.ts";
import { quietly } from "./support/quietly.ts";
import { answersPerSecond, type Load, requestsPerSecond } from "./support/requests-per-second.ts";
import { startCommand } from "./support/start-command.ts";
import { withEnvironment } from "./support/with-environment.ts";

const ORDER_ID = "8f14e45f-ceea-467f-a0e6-0f9b1c2d3e4f";
/** Enough partners that none reaches its limit of twenty requests a second in this process. */
const PARTNERS = 200;
/**
 * Enough for the gateway, and so few that each comes back to an environment within the five seconds in which that
 * remembers its key, as a partner does who polls. With more, almost every request would read a key.
 */
const SERVED_PARTNERS = 80;
const ROUNDS = 6;
/** As long as an environment remembers a key. The next slice finds few of them: a short one would read little else. */
const SLICE_MS = 5_000;
const REQUESTS_PER_SECOND_MIN = 300;
const LOCAL_STAGE = "local";
const context = { getRemainingTimeInMillis: () => 10_000, awsRequestId: "invocation-1" } as Context;

export const localStack: Measurement = {
  name: "local-stack",
  about:
    "Requests a second for one sell order of eighty partners, sixteen at a time, in alternating slices of five seconds after " +
    "one slice that is not counted: through the local gateway with its threads (as `npm start` runs it), by calling the same " +
    "deployed bundle in this process, and through Fastify with nothing but the read. All use one engine; the client and, " +
    "where installed, the engine's program share the machine's cores with them. Ours checks a key, a switch and a limit; " +
    "Fastify's does not.",
  run: measure,
};

async function measure(): Promise<readonly Figure[]> {
  await using running = new AsyncDisposableStack();
  const { engine, demo } = await startBenchService(running);
  const { baseUrl } = demo;
  const keys = await addPartners(engine.client);
  const fastify = await startFastify(engine.endpoint);
  running.defer(async () => void fastify.child.kill("SIGKILL"));
  const keyOf = (n: number) => keys[n % PARTNERS] ?? "";
  const order = () => `/sell-orders/${ORDER_ID}`;
  const ours: Load = {
    url: baseUrl,
    path: order,
    headers: (n) => ({ "x-api-key": keyOf(n % SERVED_PARTNERS) }),
  };
  const peer: Load = {
    ...ours,
    url: fastify.url,
    headers: (n) => ({ "x-partner": `partner-${n % SERVED_PARTNERS}` }),
  };
  const inProcess = await loadHandler(engine.endpoint, keyOf);
  const [againstHandler, againstFastify]: [number, number][][] = [[], []];
  for (let round = -1; round < ROUNDS; round += 1) {
    const gateway = await requestsPerSecond(ours, SLICE_MS);
    const handler = await inProcess(SLICE_MS);
    const framework = await requestsPerSecond(peer, SLICE_MS);
    if (round < 0) continue;
    againstHandler?.push([gateway, handler]);
    againstFastify?.push([gateway, framework]);
  }
  const figure = (peerName: string, pairs: readonly [number, number][]): Figure => {
    const made = figureOfPairs({ what: "requests a second", unit: "/s", peerName }, pairs);
    const isMet = made.ours.median >= REQUESTS_PER_SECOND_MIN;
    return { ...made, aim: { text: `at least ${REQUESTS_PER_SECOND_MIN} a second`, isMet } };
  };
  return [
    figure("the same handler in process", againstHandler ?? []),
    figure("the same read behind Fastify", againstFastify ?? []),
  ];
}

const tableOf = (table: TableName): string => physicalTableName(LOCAL_STAGE, table);

/** Registers partners, each with a key and an order. @returns their keys. */
async function addPartners(client: DynamoDBClient): Promise<string[]> {
  const register = new CredentialRegister({ client, name: tableOf("Credentials") });
  const orders = new SellOrderRegister({ client, name: tableOf("SellOrders") });
  const keys = Array.from({ length: PARTNERS }, newApiKey);
  for (const [at, key] of keys.entries()) {
    const owner = `partner-${at}`;
    await register.add({ id: rampKeyId(key), kind: "ramp-key", owner, scopes: [], createdAt: 0 });
    await putSellOrder(orders, contractBrand, owner, sellOrderText());
  }
  return keys;
}

async function startFastify(endpoint: string) {
  const program = path.join(import.meta.dirname, "peers", "fastify-read.ts");
  const child = spawn(process.execPath, [program, endpoint, tableOf("SellOrders")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [url] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return { child, url };
}

/**
 * Loads the deployed bundle into this process. @returns a run of sixteen callers, which resolves with calls a second.
 */
async function loadHandler(
  endpoint: string,
  keyOf: (n: number) => string,
): Promise<(durationMs: number) => Promise<number>> {
  const bundle = deployedBundles("https://identity.test/jwks.json").get("get-sell-order");
  if (bundle === undefined) throw new Error("There is no bundle of get-sell-order.");
  const local = Object.fromEntries(
    Object.entries(bundle.environment).map(([name, value]) => [
      name,
      value.replace("countinghouse-test-", `countinghouse-${LOCAL_STAGE}-`),
    ]),
  );
  const variables = {
    ...local,
    AWS_REGION: "local",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  };
  const { handler } = await withEnvironment(
    variables,
    async () => (await import(bundle.file)) as { handler: EndpointHandler },
  );
  const ask = async (n: number): Promise<number> => {
    const event = getEvent(`/sell-orders/${ORDER_ID}`, { "x-api-key": keyOf(n) }, { order_id: ORDER_ID });
    return (await handler(event, context)).statusCode;
  };
  return (durationMs) => withEnvironment(variables, () => quietly(() => answersPerSecond(ask, durationMs)));
}

/** An `npm start` on an engine that a measurement can fill. */
interface BenchService {
  readonly engine: Engine;
  readonly demo: DemoFile;
}

/** Starts both, and ends them with `running`. */
async function startBenchService(running: AsyncDisposableStack): Promise<BenchService> {
  const engine = await startBenchEngine();
  running.defer(() => engine.close());
  const dataDir = await mkdtemp(path.join(tmpdir(), "countinghouse-bench-"));
  running.defer(() => rm(dataDir, { recursive: true }));
  const options = ["--port", "0", "--data", dataDir, "--dynamodb-endpoint", engine.endpoint];
  const service = await startCommand(options);
  running.defer(async () => void (await service.stop()));
  service.child.stdout?.resume();
  const demo = JSON.parse(await readFile(path.join(dataDir, "demo.json"), "utf8")) as DemoFile;
  return { engine, demo };
}
