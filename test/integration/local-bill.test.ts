import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contractBrand } from "../../lib/brand.ts";
import { createCompanion } from "../../local/companion.ts";
import { startService } from "../../local/local-service.ts";
import { createLocalClient, openStore } from "../../local/store/engine.ts";
import { engineAt } from "../../local/store/engine-at.ts";
import { createTables } from "../../local/store/tables.ts";
import { exceptionOf, type StoreInput, type StoreOperation } from "../../local/store/wire.ts";
import { stageTables } from "../../ops/store/local-tables.ts";
import { startEngine } from "../support/engine.ts";
import { fillEngine } from "../support/filled-demo.ts";
import { listenOnLoopback } from "../support/listen-on-loopback.ts";
import { startTestGateway } from "../support/local-gateway.ts";
import { scratchDirectory } from "../support/scratch.ts";
import { serviceOptions } from "../support/service-options.ts";

/** The members of the header's dictionary. */
const membersOf = (answer: Response): Record<string, number> =>
  Object.fromEntries(
    (answer.headers.get("x-local-bill") ?? "").split(", ").map((member) => {
      const [name = "", value] = member.split("=");
      return [name, Number(value)];
    }),
  );

const total = (numbers: readonly (number | undefined)[]): number =>
  numbers.reduce<number>((sum, one) => sum + (one ?? 0), 0);

describe("the calls in a bill are those of this very request", () => {
  /** Functions that make as many reads and writes as their query says. They share the store and run side by side. */
  const code = `
    const { AWS_ENDPOINT_URL_DYNAMODB: url, AWS_ACCESS_KEY_ID: key, AWS_SESSION_TOKEN: token } = process.env;
    const call = async (operation, input) => {
      const headers = { "x-amz-target": "DynamoDB_20120810." + operation, "x-amz-security-token": token, authorization: "AWS4-HMAC-SHA256 Credential=" + key + "/x" };
      await (await fetch(url, { method: "POST", headers, body: JSON.stringify({ TableName: "countinghouse-local-Passes", ...input }) })).text();
    };
    const Key = { partner_reference: { S: "a" } };
    export const a = async ({ queryStringParameters: { reads, writes } }) => {
      await Promise.all([
        ...Array.from({ length: Number(reads) }, () => call("GetItem", { Key, ConsistentRead: true })),
        ...Array.from({ length: Number(writes) }, (_, at) => call("PutItem", { Item: { partner_reference: { S: "w" + at } } })),
      ]);
      return "done";
    };
    export const b = a;
  `;

  test("however many run at the same time, in one function and in several", async () => {
    const store = await openStore(scratchDirectory());
    const client = createLocalClient(store);
    await createTables(client, stageTables("local"));
    const TableName = "countinghouse-local-Passes";
    // 4 KB and a little more: two units for each strong read.
    const Item = { partner_reference: { S: "a" }, doc: { S: "x".repeat(4_100) } };
    await client.send(new PutItemCommand({ TableName, Item }));
    const allowed = [{ effect: "Allow", actions: ["*"], resources: ["*"] }] as const;
    const gateway = await startTestGateway({
      // On a busy machine, so many calls at once take longer than the time of a function usually is.
      endpoints: {
        a: { routeKey: "GET /a", function: { Timeout: 29 } },
        b: { routeKey: "GET /b", function: { Timeout: 29 } },
      },
      code,
      store: { ...store, admit: (identity) => store.admit({ ...identity, statements: allowed }) },
      companionOf: (application) =>
        createCompanion({
          brand: contractBrand,
          isDefaultData: true,
          isOwnHost: () => true,
          application,
          calls: store.calls,
          answered: () => {},
        }),
    });
    const asked = Array.from({ length: 35 }, (_, at) => ({ reads: at % 7, writes: (at * 3) % 5 }));
    const billed = await Promise.all(
      asked.map(async ({ reads, writes }, at) => {
        const answer = await fetch(
          `${gateway.url}/${at % 2 === 0 ? "a" : "b"}?reads=${reads}&writes=${writes}`,
        );
        const { "read-units": readUnits, "write-units": writeUnits } = membersOf(answer);
        return { reads: (readUnits ?? 0) / 2, writes: writeUnits };
      }),
    );
    expect(billed).toEqual(asked);
    await gateway.close();
    client.destroy();
    await store.close();
  });
});

/** A server in front of an engine, which adds up the units that the engine counts. */
async function countUnits(engineEndpoint: string) {
  const counted = { reads: 0, writes: 0 };
  const engine = engineAt(engineEndpoint);
  const answerTo = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const operation = String(request.headers["x-amz-target"]).split(".")[1] as StoreOperation;
    const answer = await engine.handle({ operation, input: (await json(request)) as StoreInput });
    const used = [answer.body.ConsumedCapacity ?? []].flat() as { CapacityUnits: number }[];
    const kind = ["BatchGetItem", "GetItem", "Query"].includes(operation) ? "reads" : "writes";
    counted[kind] += total(used.map(({ CapacityUnits }) => CapacityUnits));
    // A write whose condition fails uses a unit, and the engine does not say so.
    if (exceptionOf(answer) === "ConditionalCheckFailedException") counted.writes += 1;
    response.writeHead(answer.status, { "content-type": "application/x-amz-json-1.0" });
    response.end(JSON.stringify(answer.body));
  };
  const server = createServer((request, response) => void answerTo(request, response));
  const port = await listenOnLoopback(server);
  return { counted, endpoint: `http://127.0.0.1:${port}`, server };
}

describe("the bills of the endpoints", () => {
  const lines: string[] = [];
  let engine: Awaited<ReturnType<typeof startEngine>>;
  let meter: Awaited<ReturnType<typeof countUnits>>;
  let service: Awaited<ReturnType<typeof startService>>;
  beforeAll(async () => {
    engine = await startEngine("dynalite");
    await fillEngine(engine);
    meter = await countUnits(engine.rawEndpoint);
    const options = { ...serviceOptions(scratchDirectory()), engineEndpoint: meter.endpoint };
    const log = (_: string, line: string) => void lines.push(line);
    service = await startService(options, { progress: () => {}, log });
  });
  afterAll(async () => {
    await service.close();
    meter.server.closeAllConnections();
    meter.server.close();
    await engine.close();
  });

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  /** Requests of every kind, some of which are refused. */
  const requests = (): [path: string, headers: Record<string, string>][] => {
    const { business, ramp, passes } = service.demo;
    const pass = { ...bearer(passes.token), [passes.versionHeader]: passes.version };
    return [
      [`/transaction/${business.transactionId}`, bearer(business.token)],
      [`/transaction/none`, bearer(business.otherToken)],
      [`/transactions?count=50`, bearer(business.token)],
      [`/transactions?count=x`, bearer(business.token)],
      [`/passes/${passes.partnerReference}`, pass],
      [`/passes/${passes.partnerReference}`, bearer(passes.token)],
      [`/sell-orders/${ramp.orderId}`, { "x-api-key": ramp.apiKey }],
      [`/sell-orders/${ramp.orderId}`, { "x-api-key": ramp.otherApiKey }],
      [`/sell-orders/${ramp.orderId}`, {}],
      ["/unknown", {}],
    ];
  };

  test("add up to what the store counted, but for functions that load and for calls that were given up", async () => {
    const before = { ...meter.counted };
    const bills: Record<string, number>[] = [];
    for (let round = 0; round < 4; round += 1) {
      const asked = requests().map(([path, headers]) => fetch(`${service.demo.baseUrl}${path}`, { headers }));
      bills.push(...(await Promise.all(asked)).map(membersOf));
    }
    const missing = (kind: "reads" | "writes", name: string): number =>
      meter.counted[kind] - before[kind] - total(bills.map((bill) => bill[name]));
    // On a busy machine a limiter gives up a charge and says so; the store finishes it after the answer.
    const givenUp = lines.filter((line) => line.includes("RateLimitOutage")).length;
    expect(missing("writes", "write-units")).toBeGreaterThanOrEqual(0);
    expect(missing("writes", "write-units")).toBeLessThanOrEqual(2 * givenUp);
    // Each of five functions may have loaded three times more, and read a switch each time; three read a key set as well.
    expect(missing("reads", "read-units")).toBeGreaterThanOrEqual(0);
    expect(missing("reads", "read-units")).toBeLessThanOrEqual(3 * (5 + 3));
    const tokens = total(bills.map((bill) => bill.tokens));
    expect(tokens).toBeGreaterThanOrEqual(24 - givenUp);
    expect(tokens).toBeLessThanOrEqual(24);
  });

  test("say what was charged, written and sent", async () => {
    const { ramp } = service.demo;
    const answer = await fetch(`${service.demo.baseUrl}/sell-orders/${ramp.orderId}`, {
      headers: { "x-api-key": ramp.apiKey },
    });
    const body = await answer.arrayBuffer();
    expect(membersOf(answer)).toMatchObject({ tokens: 1, bytes: body.byteLength, "write-units": 1 });
  });

  test("of a refused request have no token, and of a page that no deployment has there are none", async () => {
    const refused = await fetch(`${service.demo.baseUrl}/sell-orders/${service.demo.ramp.orderId}`);
    expect(membersOf(refused)).toMatchObject({ tokens: 0, "write-units": 0 });
    expect((await fetch(`${service.demo.baseUrl}/openapi.json`)).headers.has("x-local-bill")).toBe(false);
    expect(membersOf(await fetch(`${service.demo.baseUrl}/unknown`))).toMatchObject({
      tokens: 0,
      "read-units": 0,
    });
  });
});
