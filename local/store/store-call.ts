import { metered } from "./behaviour/consumption.ts";
import { writeUnits } from "./behaviour/item-units.ts";
import { type WireItem, WRITES } from "./behaviour/touched-items.ts";
import type { ChargeUpdate } from "./charged-tokens.ts";
import { tableNamesOf } from "./identity.ts";
import {
  exceptionOf,
  type StoreAnswer,
  type StoreHandler,
  type StoreInput,
  type StoreOperation,
  type StoreRequest,
} from "./wire.ts";

/** A call of the store by one execution environment, without any value of a record or a key. */
export interface StoreCall {
  /** The session token of the caller's credentials, which each execution environment has for itself. */
  readonly session: string;
  readonly operation: StoreOperation;
  /** The names of its tables, joined by commas. */
  readonly table: string;
  readonly index?: string;
  /** The names of the key's attributes, or the condition that a query puts on them; empty for other calls. */
  readonly key: string;
  /** The steady clock's reading when the call arrived; the threads of one process share this clock. */
  readonly arrivedNs: bigint;
  readonly durationMs: number;
  /** Units that the call used, as the engine counts them; 0 for a call that was refused or got no answer. */
  readonly readUnits: number;
  readonly writeUnits: number;
  /** The name of the exception, or `no answer`; absent for a call that succeeded. */
  readonly failure?: string;
  /** The update of an `UpdateItem`. Functions update only their limits, which hold instants. */
  readonly update?: ChargeUpdate;
}

/** The operations that read items. Like those that write items, they use capacity, and report it when they are asked to. */
const READS: ReadonlySet<StoreOperation> = new Set(["BatchGetItem", "GetItem", "Query", "Scan"]);

const NO_ANSWER = "no answer";

/** Answers a request, and tells of the call before the caller has the answer. */
export async function watchCall(
  handle: StoreHandler,
  request: StoreRequest,
  session: string,
  tell: (call: StoreCall) => void,
): Promise<StoreAnswer> {
  const arrivedNs = process.hrtime.bigint();
  const shape = { session, ...shapeOf(request), arrivedNs };
  try {
    const { answer, units } = await meter(handle, request);
    tell({ ...shape, durationMs: msSince(arrivedNs), ...outcomeOf(request.operation, answer, units) });
    return answer;
  } catch (error) {
    tell({ ...shape, durationMs: msSince(arrivedNs), readUnits: 0, writeUnits: 0, failure: NO_ANSWER });
    throw error;
  }
}

const msSince = (startedNs: bigint): number => Number(process.hrtime.bigint() - startedNs) / 1e6;

async function meter(
  handle: StoreHandler,
  request: StoreRequest,
): Promise<{ readonly answer: StoreAnswer; readonly units: number }> {
  const { operation } = request;
  if (!READS.has(operation) && !WRITES.has(operation)) return { answer: await handle(request), units: 0 };
  const { answer, units } = await metered(handle, request);
  return { answer, units: [...units.values()].reduce((sum, one) => sum + one, 0) };
}

/** A write whose condition fails uses units too (developer guide, Write request units), which no answer reports. */
function outcomeOf(
  operation: StoreOperation,
  answer: StoreAnswer,
  units: number,
): Pick<StoreCall, "readUnits" | "writeUnits" | "failure"> {
  const failure = answer.status === 200 ? undefined : (exceptionOf(answer) ?? `status ${answer.status}`);
  const isConditionFailed = failure === "ConditionalCheckFailedException";
  const used = isConditionFailed ? writeUnits(answer.body.Item as WireItem | undefined) : units;
  return {
    readUnits: READS.has(operation) ? used : 0,
    writeUnits: READS.has(operation) ? 0 : used,
    ...(failure !== undefined && { failure }),
  };
}

function shapeOf(request: StoreRequest): Pick<StoreCall, "operation" | "table" | "index" | "key" | "update"> {
  const { operation, input } = request;
  const { IndexName, UpdateExpression, ExpressionAttributeValues } = input;
  const values = (ExpressionAttributeValues ?? {}) as ChargeUpdate["values"];
  return {
    operation,
    table: tableNamesOf(request).join(","),
    key: keyOf(input),
    ...(typeof IndexName === "string" && { index: IndexName }),
    ...(typeof UpdateExpression === "string" && { update: { expression: UpdateExpression, values } }),
  };
}

function keyOf({ Key, KeyConditionExpression, ExpressionAttributeNames }: StoreInput): string {
  if (typeof KeyConditionExpression !== "string")
    return Object.keys((Key as object | undefined) ?? {}).join(", ");
  const names = new Map(Object.entries((ExpressionAttributeNames ?? {}) as Record<string, string>));
  return KeyConditionExpression.replace(/#\w+/g, (placeholder) => names.get(placeholder) ?? placeholder);
}
