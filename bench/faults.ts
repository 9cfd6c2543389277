import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { EndpointHandler } from "../lib/http/endpoint.ts";
import { INGEST_NAME } from "../lib/ingest/settings.ts";
import { writeMessage } from "../lib/ingest/write-message.ts";
import { queueFaults } from "../test/support/faults/queue-faults.ts";
import { storeFaults } from "../test/support/faults/store-faults.ts";
import type { IngestHandler } from "../test/support/message-queue.ts";
import { everySetting } from "../test/support/three-stages.ts";
import { type Figure, figureOfPairs, type Measurement } from "./figure.ts";
import { deployedBundles } from "./support/bundles.ts";
import { cannedService, type EndpointName } from "./support/canned-service.ts";
import { KEPT_PATH } from "./support/canned-store.ts";
import type { Addresses, Answers, FaultOn } from "./support/faulty-server.ts";
import type { Pair } from "./support/pairs.ts";
import { quietly } from "./support/quietly.ts";
import { SYMBOL } from "./support/trade-data.ts";
import { withEnvironment } from "./support/with-environment.ts";

const PAIRS = 3;
const TRIES = 5;
const RATIO_MAX = 2;
const PEER = "the same while nothing is wrong";
/** Requests to each endpoint in a sample, at the same time: under many faults they mostly wait. */
const REQUESTS = 8;
const REQUEST_MS = 5_000;
const RECORDS = 1_000;
const MESSAGE_RECORDS = 100;
/** Ten seconds are kept for rejections, so that two are left for writing. */
const BATCH_MS = 12_000;

export const faults: Measurement = {
  name: "faults",
  about:
    "CPU of the deployed bundles, with their source maps, while something is wrong, against the same work in the same process while nothing " +
    "is; each fault of docs/faults.md in pairs whose order alternates. For endpoints, a request to each of the five, with the fault " +
    "in the table of limits or, where it is not tried there, in that of records. For messages, a batch of " +
    `${RECORDS.toLocaleString("en-US")} trades, or of as many records that have to be rejected, in messages of ${MESSAGE_RECORDS}; the function is told that it has ` +
    "12 seconds in place of its minute. The store and the queue are in another process, over HTTP. Repeated calls are part of what a fault costs.",
  run: ({ isQuick = false } = {}) => quietly(() => measure(isQuick ? 1 : PAIRS)),
};

/** Work that a sample does, which resolves with whether all went well; `prepare` makes what must be fresh. */
interface Load {
  readonly prepare: () => Promise<() => Promise<boolean>>;
  readonly faults: readonly LoadFault[];
}

interface LoadFault {
  readonly what: string;
  readonly fault: FaultOn;
  /** How long it is still noticed after its end. */
  readonly lastsMs?: number | undefined;
}

async function measure(pairs: number): Promise<readonly Figure[]> {
  const service = await cannedService();
  const { answers, keySet = "" } = service;
  const ofMarkets = Object.entries(answers).filter(([question]) => question.includes("-Settings market"));
  return [
    ...(await measureLoads({ ...answers, GET: keySet }, pairs, async (at) => [
      await requestsOf(service, at),
    ])),
    ...(await measureLoads(Object.fromEntries(ofMarkets), pairs, batchesOf)),
  ];
}

/** Measures loads in front of a store with these answers. */
async function measureLoads(
  answers: Answers,
  pairs: number,
  loadsAt: (addresses: Addresses) => Promise<readonly Load[]>,
): Promise<readonly Figure[]> {
  const child = fork(path.join(import.meta.dirname, "support", "faulty-server.ts"));
  try {
    child.send(answers);
    const [addresses] = (await once(child, "message")) as [Addresses];
    return await withEnvironment(variablesOf(addresses), async () => {
      const figures: Figure[] = [];
      for (const load of await loadsAt(addresses))
        for (const one of load.faults) {
          const options = { what: one.what, unit: "ms", peerName: PEER, ratioMax: RATIO_MAX };
          figures.push(figureOfPairs(options, await pairsOf(child, load, one, pairs)));
        }
      return figures;
    });
  } finally {
    child.kill();
  }
}

async function pairsOf(
  child: ChildProcess,
  { prepare }: Load,
  { what, fault, lastsMs }: LoadFault,
  pairs: number,
): Promise<readonly Pair[]> {
  const sample = async (on: FaultOn | null) => {
    const work = await prepare();
    child.send({ fault: on });
    await once(child, "message");
    if (on === null && lastsMs !== undefined) await pause(lastsMs);
    const before = process.cpuUsage();
    const isWell = await work();
    const { user, system } = process.cpuUsage(before);
    return { isWell, ms: (user + system) / 1_000 };
  };
  /** Dead connections, and a client that may repeat nothing for now, may outlast a fault by a sample. */
  const timed = async (on: FaultOn | null): Promise<number> => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { isWell, ms } = await sample(on);
      if (on !== null || isWell) return ms;
    }
    throw new Error(`Something fails although nothing is wrong any more: ${what}.`);
  };
  // Each fault is met once before, and nothing wrong too, so that code and connections are warm.
  await timed(fault);
  await timed(null);
  const all: Pair[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    if (pair % 2 === 0) {
      const ours = await timed(fault);
      all.push([ours, await timed(null)]);
    } else {
      const peer = await timed(null);
      all.push([await timed(fault), peer]);
    }
  }
  return all;
}

const variablesOf = ({ store, queue }: Addresses): Readonly<Record<string, string>> => ({
  AWS_REGION: "eu-central-1",
  AWS_ACCESS_KEY_ID: "key-id",
  AWS_SECRET_ACCESS_KEY: "not-a-secret",
  AWS_ENDPOINT_URL_DYNAMODB: store,
  AWS_ENDPOINT_URL_SQS: queue,
});

/** Limits that never refuse, by the variable of each: what a limit counts for itself would refuse a sample's end. */
const unlimited = (environment: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      name.startsWith("RATE_LIMIT_") ? value.replaceAll(/"burst":\d+/g, '"burst":100000') : value,
    ]),
  );

async function requestsOf(
  service: Awaited<ReturnType<typeof cannedService>>,
  addresses: Addresses,
): Promise<Load> {
  const bundles = deployedBundles(`${addresses.issuer}${KEPT_PATH}`);
  const functions: { handler: EndpointHandler; makeEvent: () => Promise<object> }[] = [];
  for (const [name, { file, environment }] of bundles) {
    const { handler } = (await withEnvironment(unlimited(environment), () => import(file))) as {
      handler: EndpointHandler;
    };
    functions.push({ handler, makeEvent: () => service.event(name as EndpointName, environment) });
  }
  const prepare = async () => {
    const events = await Promise.all(functions.map(({ makeEvent }) => makeEvent()));
    return async () => {
      const asked = functions.flatMap(({ handler }, at) =>
        Array.from({ length: REQUESTS }, () => handler(events[at], contextOf(REQUEST_MS) as never)),
      );
      return (await Promise.all(asked)).every(({ statusCode }) => statusCode === 200);
    };
  };
  const tried = storeFaults.flatMap(({ what, answers, lastsMs }, at) => {
    const part = (["limits", "records", "indexes"] as const).find((one) => answers[one] !== undefined);
    return part === undefined
      ? []
      : [
          {
            what: `requests: the store ${what} (${part})`,
            fault: { of: "store", at, part } as const,
            lastsMs,
          },
        ];
  });
  return { prepare, faults: tried };
}

const contextOf = (remainingMs: number) => {
  const endsAt = Date.now() + remainingMs;
  return { awsRequestId: "invocation-1", getRemainingTimeInMillis: () => endsAt - Date.now() };
};

async function batchesOf(addresses: Addresses): Promise<readonly Load[]> {
  const bundle = deployedBundles(addresses.issuer, { ingest: everySetting.ingest }).get(INGEST_NAME);
  if (bundle === undefined) throw new Error("No function takes in messages.");
  const variables = { ...bundle.environment, REJECTED_QUEUE_URL: `${addresses.queue}/rejected` };
  const { handler } = (await withEnvironment(variables, () => import(bundle.file))) as {
    handler: IngestHandler;
  };
  const prepareOf = (bodyOf: (from: number) => string) => async () => {
    const bodies = Array.from({ length: RECORDS / MESSAGE_RECORDS }, (_, at) => bodyOf(at * MESSAGE_RECORDS));
    const attributes = { ApproximateReceiveCount: "1" };
    const Records = bodies.map((body, at) => ({ messageId: String(at), body, attributes }));
    return async () => (await handler({ Records }, contextOf(BATCH_MS))).batchItemFailures.length === 0;
  };
  const some = (textOf: (n: number) => string, from: number): readonly string[] =>
    Array.from({ length: MESSAGE_RECORDS }, (_, n) => textOf(from + n));
  const now = Date.now();
  const tradeText = (n: number): string => `{"tdt":${now - n},"p":"1.50","q":"2.0","tid":"${n}","s":"buy"}`;
  const trades = (from: number) => writeMessage({ kind: "trade", owner: SYMBOL }, some(tradeText, from));
  const bad = (from: number) =>
    writeMessage(
      { kind: "pass" },
      some((n) => `{"partner_reference":"${n}"}`, from),
    );
  return [
    {
      prepare: prepareOf(trades),
      faults: storeFaults.flatMap(({ what, ingest }, at) =>
        ingest === undefined
          ? []
          : [{ what: `trades of messages: the store ${what}`, fault: { of: "store", at } as const }],
      ),
    },
    {
      prepare: prepareOf(bad),
      faults: queueFaults.map(({ what }, at) => ({
        what: `rejected records: the queue ${what}`,
        fault: { of: "queue", at } as const,
      })),
    },
  ];
}
