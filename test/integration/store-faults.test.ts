import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { callStore, createDynamoClient } from "../../lib/dynamo/client.ts";
import { TransactionStore } from "../../lib/transactions/transaction-store.ts";
import { sampleChain, sampleEvent } from "../support/chain.ts";
import { listenOnLoopback } from "../support/listen-on-loopback.ts";

type Reply = (response: ServerResponse, request: IncomingMessage) => void;

const found: Reply = (response) => {
  response
    .writeHead(200, { "content-type": "application/x-amz-json-1.0" })
    .end('{"Item":{"doc":{"S":"{\\"id\\":\\"x\\"}"}}}');
};
const absent: Reply = (response) => {
  const body = '{"ConsumedCapacity":{"TableName":"transactions","CapacityUnits":1}}';
  response.writeHead(200, { "content-type": "application/x-amz-json-1.0" }).end(body);
};
const nothingShown: Reply = (response) => {
  response.writeHead(200, { "content-type": "application/x-amz-json-1.0" }).end("{}");
};
const refuse =
  (name: string, status = 400): Reply =>
  (response) => {
    const body = JSON.stringify({
      __type: `com.amazonaws.dynamodb.v20120810#${name}`,
      message: "table secret-table",
    });
    response.writeHead(status, { "content-type": "application/x-amz-json-1.0" }).end(body);
  };
const hangUp: Reply = (_response, request) => request.socket.destroy();

/** A store that gives the listed replies in turn, and the last one from then on. */
let replies: Reply[] = [];
let asked = 0;
const server = createServer((request, response) => {
  request.resume().on("end", () => {
    const reply = replies[Math.min(asked, replies.length - 1)];
    asked += 1;
    reply?.(response, request);
  });
});
let client: DynamoDBClient;

beforeAll(async () => {
  vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", `http://127.0.0.1:${await listenOnLoopback(server)}`);
  vi.stubEnv("AWS_REGION", "eu-west-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "key");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
  client = createDynamoClient();
});
beforeEach(() => {
  asked = 0;
});
afterAll(() => {
  vi.unstubAllEnvs();
  client.destroy();
  server.closeAllConnections();
  server.close();
});

async function read(...given: Reply[]) {
  replies = given;
  const store = new TransactionStore({ client, name: "transactions" });
  const answer = async () => ({ body: (await store.get("business-1", "x")) ?? "none" });
  const { call, lines } = sampleChain({ answer });
  return { response: await call(sampleEvent()), lines };
}

test("an absent item of a read that succeeded is absent, after one request", async () => {
  expect((await read(absent)).response).toMatchObject({ statusCode: 200, body: "none" });
  expect(asked).toBe(1);
});

test("an answer that does not show that the store looked does not prove absence", async () => {
  expect((await read(nothingShown)).response).toMatchObject({
    statusCode: 503,
    headers: { "Retry-After": "1" },
  });
});

test("a connection that dies, as one does while a function is frozen, is tried again silently", async () => {
  expect((await read(hangUp, found)).response).toMatchObject({ statusCode: 200, body: '{"id":"x"}' });
});

test.each(["ThrottlingException", "ProvisionedThroughputExceededException", "RequestLimitExceeded"])(
  "one %s is tried again silently; a store that keeps throttling is a 503 with a wait, never a 404",
  async (name) => {
    expect((await read(refuse(name), found)).response).toMatchObject({ statusCode: 200, body: '{"id":"x"}' });
    const { response, lines } = await read(refuse(name));
    expect(response).toMatchObject({ statusCode: 503, headers: { "Retry-After": "1" } });
    expect(lines[0]).toMatchObject({
      code: "temporarily_unavailable",
      error_id: JSON.parse(response.body).error_id,
    });
    expect(response.body).not.toContain("secret-table");
  },
);

test.each([hangUp, refuse("InternalServerError", 500), refuse("ServiceUnavailable", 503)])(
  "a store that stays away is a 503 with a wait (%#)",
  async (reply) => {
    expect((await read(reply)).response).toMatchObject({ statusCode: 503, headers: { "Retry-After": "1" } });
  },
);

test.each(["ResourceNotFoundException", "AccessDeniedException", "ValidationException"])(
  "%s is a fault of ours: 500, never a 404, and the log says what it was",
  async (name) => {
    const { response, lines } = await read(refuse(name));
    expect(response.statusCode).toBe(500);
    expect(response.body).not.toContain("secret-table");
    expect(lines[0]?.fault).toMatchObject({ name });
  },
);

test("a store that stalls is given up on, and that is a 503 as well", async () => {
  replies = [() => {}];
  const impatient = new DynamoDBClient({
    maxAttempts: 1,
    requestHandler: { requestTimeout: 20, throwOnRequestTimeout: true },
  });
  const store = new TransactionStore({ client: impatient, name: "transactions" });
  await expect(store.get("business-1", "x")).rejects.toMatchObject({ code: "temporarily_unavailable" });
  impatient.destroy();
});

test("an error that did not come from a store does not count as its answer", async () => {
  await expect(callStore(() => Promise.reject(new TypeError("a bug")))).rejects.toThrow(TypeError);
});
