import { GetItemCommand, type GetItemInput, QueryCommand, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import type { Context } from "aws-lambda";
import { createDynamoClient } from "../lib/dynamo/client.ts";
import type { EndpointHandler } from "../lib/http/endpoint.ts";
import { sampleChain, sampleEvent } from "../test/support/chain.ts";
import { type Figure, figureOfPairs, type Measurement, summarize } from "./figure.ts";
import { deployedBundles } from "./support/bundles.ts";
import { cannedService, type EndpointName } from "./support/canned-service.ts";
import { startCannedStore } from "./support/canned-store.ts";
import { cpuOf, timePairs } from "./support/pairs.ts";
import { quietly } from "./support/quietly.ts";
import { withEnvironment } from "./support/with-environment.ts";

const context = { getRemainingTimeInMillis: () => 10_000, awsRequestId: "invocation-1" } as Context;
const BARE = "the same store calls alone";
/** Endpoints with bearer tokens: each call reads whether the subject is revoked, because absence is not cached. */
const BEARER: ReadonlySet<EndpointName> = new Set(["get-pass", "get-transaction", "list-transactions"]);
const OWN_CPU_MS_MAX = 1;
const MIDDLEWARE_US_MAX = 25;

export const warmRequest: Measurement = {
  name: "warm-request",
  about:
    "CPU of a call of each deployed bundle in a running process: credential, switch and market are remembered, the limit is " +
    "charged, and the record is read over TLS from a store on loopback in another process. The peer makes the same two or " +
    "three store calls through the SDK alone, so the difference is the cost of our own code. The middleware is measured on " +
    "a chain whose parts all answer at once.",
  run: () => quietly(measure),
};

async function measure(): Promise<readonly Figure[]> {
  const service = await cannedService();
  await using store = await startCannedStore(service);
  const figures: Figure[] = [await measureMiddleware()];
  for (const [name, { file, environment }] of deployedBundles(store.jwksUrl)) {
    const variables = { ...environment, ...store.environment };
    const ours = await withEnvironment(variables, async () => {
      const { handler } = (await import(file)) as { handler: EndpointHandler };
      return await callerOf(handler, () => service.event(name as EndpointName, environment));
    });
    figures.push(
      ...(await withEnvironment(store.environment, () => measureEndpoint(name as EndpointName, ours))),
    );
  }
  return figures;
}

/** Calls a handler with an event that is made in advance; `renew` makes another before the event is too old. */
async function callerOf(handler: EndpointHandler, makeEvent: () => Promise<object>) {
  let event = await makeEvent();
  const call = async () => {
    const { statusCode } = await handler(event, context);
    if (statusCode !== 200) throw new Error(`A handler answered ${statusCode}.`);
  };
  await call();
  return {
    call,
    renew: async () => {
      event = await makeEvent();
    },
  };
}

async function measureEndpoint(
  name: EndpointName,
  { call, renew }: Awaited<ReturnType<typeof callerOf>>,
): Promise<Figure[]> {
  const peer = bareCalls(name);
  const options = { ours: call, peer, calls: 30 };
  const timings = [...(await timePairs({ ...options, pairs: 10, warmUp: 250 }))];
  for (let more = 0; more < 2; more += 1) {
    await renew();
    timings.push(...(await timePairs({ ...options, pairs: 10, warmUp: 0 })));
  }
  const pairs = cpuOf(timings);
  const own = summarize(pairs.map(([ours, bare]) => ours - bare));
  const figure = figureOfPairs({ what: `${name}: CPU a call`, unit: "ms", peerName: BARE }, pairs);
  const aim = {
    text: `own CPU at most ${OWN_CPU_MS_MAX} ms (${own.median.toFixed(2)})`,
    isMet: own.median <= OWN_CPU_MS_MAX,
  };
  return [name.startsWith("get-") ? { ...figure, aim } : figure];
}

/** The store calls of a request when everything else is cached, as `test/infra/bundles.test.ts` lists them. */
function bareCalls(name: EndpointName): () => Promise<void> {
  const client = createDynamoClient();
  const table = (of: string) => `countinghouse-test-${of}`;
  const charge = () => client.send(chargeOf(table("RateLimits")));
  const item = (of: string, key: Readonly<Record<string, string>>, more: Partial<GetItemInput> = {}) => {
    const Key = Object.fromEntries(Object.entries(key).map(([name, value]) => [name, { S: value }]));
    return client.send(new GetItemCommand({ TableName: table(of), Key, ConsistentRead: true, ...more }));
  };
  const doc = { ProjectionExpression: "#doc", ExpressionAttributeNames: { "#doc": "doc" } };
  const reads: Record<EndpointName, () => Promise<unknown>> = {
    "get-transaction": () => item("Transactions", { business_id: "business-1", id: "tx-1" }, doc),
    "get-pass": () => item("Passes", { partner_reference: "ref-1" }),
    "get-sell-order": () =>
      item("SellOrders", { partner_id: "owner-1", order_id: "8f14e45f-ceea-467f-a0e6-0f9b1c2d3e4f" }),
    "list-transactions": () => client.send(queryOf(table("Transactions"))),
    "list-trades": () => client.send(queryOf(table("Trades"))),
  };
  const isRevoked = () => item("Credentials", { id: "subject#https://identity.test#business-1" });
  return async () => {
    if (BEARER.has(name)) await isRevoked();
    await charge();
    await reads[name]();
  };
}

const chargeOf = (TableName: string) =>
  new UpdateItemCommand({
    TableName,
    Key: { k: { S: "business#business-1" } },
    UpdateExpression: "SET #x = :x, #t0 = :c0",
    ConditionExpression: "(attribute_not_exists(#t0) OR #t0 <= :now OR #t0 > :b0)",
    ExpressionAttributeNames: { "#x": "x", "#t0": "t_second" },
    ExpressionAttributeValues: {
      ":x": { N: "1795554000" },
      ":now": { N: "1795554000000" },
      ":c0": { N: "1795554000050" },
      ":b0": { N: "1795554006000" },
    },
    ReturnValues: "UPDATED_NEW",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });

const queryOf = (TableName: string) =>
  new QueryCommand({
    TableName,
    KeyConditionExpression: "#pk = :pk AND #sk BETWEEN :from AND :to",
    ExpressionAttributeNames: { "#pk": "pk", "#sk": "sk" },
    ExpressionAttributeValues: { ":pk": { S: "a" }, ":from": { S: "b" }, ":to": { S: "c" } },
    ScanIndexForward: false,
    Limit: 100,
  });

/** Measures the chain of steps around a use case that answers at once, against the use case alone. */
async function measureMiddleware(): Promise<Figure> {
  const { call } = sampleChain({ log: () => {} });
  const event = sampleEvent();
  const answer = async () => ({ statusCode: 200, headers: {}, body: '{"sample":true}' });
  const timings = await timePairs({
    ours: () => call(event),
    peer: answer,
    pairs: 40,
    calls: 1_000,
    warmUp: 3_000,
  });
  const figure = figureOfPairs(
    { what: "the chain of steps: CPU a call", unit: "µs", peerName: "a function that answers at once" },
    cpuOf(timings, 1_000),
  );
  return {
    ...figure,
    aim: { text: `at most ${MIDDLEWARE_US_MAX} µs`, isMet: figure.ours.median <= MIDDLEWARE_US_MAX },
  };
}
