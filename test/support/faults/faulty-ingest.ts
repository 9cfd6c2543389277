import { randomUUID } from "node:crypto";
import { systemClock } from "../../../lib/clock.ts";
import { type Table, tablesOf } from "../../../lib/dynamo/table.ts";
import type { TableName } from "../../../lib/dynamo/tables.ts";
import { ClockShift } from "../../../local/clock/clock-shift.ts";
import { failedIds } from "../../../local/queue/event-source.ts";
import type { LocalQueues } from "../../../local/queue/local-queues.ts";
import type { InvocationOutcome } from "../../../local/runtime/execution-environment.ts";
import type { FunctionPool } from "../../../local/runtime/function-pool.ts";
import { openPools } from "../../../local/runtime/function-pools.ts";
import { createTables } from "../../../local/store/tables.ts";
import { LOCAL_STAGE } from "../../../local/template/local-stage.ts";
import type { Application } from "../../../local/template/template.ts";
import { stageTables } from "../../../ops/store/local-tables.ts";
import { type Engine, startEngine } from "../engine.ts";
import { startQueueEndpoint } from "../local-queues.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import {
  END_HEADER,
  type EndOfThread,
  faultyApplication,
  toldClock,
  type Work,
  withFragile,
} from "./faulty-application.ts";
import type { Batch } from "./ingest-batch.ts";
import { LineLog } from "./line-log.ts";

/** The function's time limit: long enough to write a batch to a slow store, and short of the minute that it has on AWS. */
export const INGEST_LIMIT_MS = 18_000;

/** What became of a batch that the function got once. */
export interface Delivered {
  /** The ids of the messages that are received again. */
  readonly returned: ReadonlySet<string>;
  readonly tookMs: number;
  /** The lines that the function wrote, as they were printed. */
  readonly lines: readonly string[];
  /** What the function has done; absent where it ended in the middle. */
  readonly work: Work | undefined;
}

/** The function that takes in messages, with a way of its own to the store and to the queue for rejected records. */
export interface IngestLane {
  readonly store: FaultProxy;
  readonly queue: FaultProxy;
  /** How far the function's clock is from the machine's. */
  readonly clockShift: ClockShift;
  /** Gives messages of a batch to the function, once; `endsBy` ends its thread in the middle. */
  deliver(batch: Batch, by: { readonly receives: number; readonly endsBy?: EndOfThread }): Promise<Delivered>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A strict store and the queue for rejected records, and as many functions in front of them as tests open. */
export interface FaultyIngest {
  /** A table as everybody else reaches it. */
  readonly table: (name: TableName) => Table;
  readonly queues: LocalQueues;
  open(kind?: "deployed" | "fragile"): Promise<IngestLane>;
  close(): Promise<void>;
}

/** Starts the store and the queue, with which nothing is wrong. */
export async function startFaultyIngest(): Promise<FaultyIngest> {
  const [engine, queue, application] = await Promise.all([
    startEngine("dynalite"),
    startQueueEndpoint(),
    faultyApplication(INGEST_LIMIT_MS),
  ]);
  await createTables(engine.client, stageTables(LOCAL_STAGE));
  const fed = { ...application, routes: [] };
  return {
    table: tablesOf(engine.client, LOCAL_STAGE),
    queues: queue.queues,
    open: (kind = "deployed") =>
      openLane(kind === "deployed" ? fed : withFragile(fed), engine, queue.endpoint),
    close: async () => {
      await queue[Symbol.asyncDispose]();
      await engine.close();
    },
  };
}

async function openLane(
  application: Application,
  engine: Engine,
  queueEndpoint: string,
): Promise<IngestLane> {
  const log = new LineLog();
  const clockShift = new ClockShift();
  const [store, queue] = await Promise.all([
    startFaultProxy(engine.endpoint),
    startFaultProxy(queueEndpoint),
  ]);
  const pools = await openPools({
    application,
    store: { endpoint: store.url, admit: async (identity) => engine.admit(identity) },
    queuesEndpoint: `${queue.url}/`,
    overrides: {},
    clock: toldClock(clockShift),
    clockShift,
    log: log.take,
  });
  const [pool] = [...pools.values()];
  if (pool === undefined) throw new Error("No function takes messages.");
  return {
    store,
    queue,
    clockShift,
    deliver: (batch, by) => deliver(pool, log, batch, by),
    [Symbol.asyncDispose]: async () => {
      await pool.close();
      await Promise.all([store.close(), queue.close()]);
    },
  };
}

async function deliver(
  pool: FunctionPool,
  log: LineLog,
  { messages, kinds }: Batch,
  { receives, endsBy }: { readonly receives: number; readonly endsBy?: EndOfThread },
): Promise<Delivered> {
  const requestId = randomUUID();
  const [before, worksBefore] = [log.lines.length, log.works.length];
  const startedMs = systemClock();
  const outcome = await pool.invoke(eventTextOf(messages, receives, endsBy), requestId);
  const tookMs = systemClock() - startedMs;
  const ids = messages.map(({ id }) => id);
  const returned = returnedBy(outcome, ids);
  if (endsBy === undefined) await log.untilWritten(`"aws_request_id":"${requestId}"`, kinds);
  const work = log.works[worksBefore]?.work;
  return { returned, tookMs, lines: log.lines.slice(before), work };
}

/** After an error or a crash, all messages of an event are received again. */
const returnedBy = (outcome: InvocationOutcome | "throttled", ids: readonly string[]): ReadonlySet<string> =>
  outcome === "throttled" || outcome.kind === "failure" ? new Set(ids) : failedIds(outcome.payload, ids);

const eventTextOf = (
  messages: Batch["messages"],
  receives: number,
  endsBy: EndOfThread | undefined,
): string =>
  JSON.stringify({
    Records: messages.map(({ id, body }) => ({
      messageId: id,
      body,
      attributes: { ApproximateReceiveCount: String(receives) },
      messageAttributes: { ...(endsBy !== undefined && { [END_HEADER]: { stringValue: endsBy } }) },
      eventSource: "aws:sqs",
    })),
  });
