import type { Clock } from "../../../lib/clock.ts";
import { ownMember } from "../../../lib/own-member.ts";
import { listOf, membersOf } from "../members.ts";
import type { TableShapes } from "../table-shape.ts";
import {
  exceptionOf,
  type StoreAnswer,
  type StoreHandler,
  type StoreInput,
  type StoreRequest,
} from "../wire.ts";
import {
  batchReadCharges,
  LEAST_READ_UNITS,
  type Metering,
  metered,
  type Plan,
  planRead,
  planWrite,
  readCharges,
  writeCharges,
} from "./consumption.ts";
import type { PartitionCapacity } from "./partitions.ts";
import { positionOf, startOf } from "./position.ts";
import { Throughput, throttled, type Use } from "./throughput.ts";
import { keyOf, type TouchedItem, touchedItems, type WireItem, WRITES } from "./touched-items.ts";

export interface ThrottlingOptions extends Metering {
  readonly clock: Clock;
  /** A missing member has its documented value, which a laptop hardly reaches. */
  readonly capacity?: Partial<PartitionCapacity>;
}

/**
 * Refuses requests that are too much for a partition, as DynamoDB does for on-demand tables and indexes. Each partition
 * has a number of units a second, keeps unused units for a while, and splits when it is overloaded for long. A request
 * is admitted while its partitions have units left, and is charged what it consumed. A batch does the parts that are
 * admitted, and leaves the rest unprocessed.
 *
 * The engine counts the units of a read. The units of a write are counted here, for the table and each index; a write
 * that fails its condition consumes units as well.
 */
export function throttling(options: ThrottlingOptions): StoreHandler {
  const store = new ThrottledStore(options);
  return (request) => store.answer(request);
}

class ThrottledStore {
  readonly #metering: Metering;
  readonly #throughput: Throughput;

  constructor({ clock, capacity, ...metering }: ThrottlingOptions) {
    this.#metering = metering;
    this.#throughput = new Throughput(clock, capacity);
  }

  async answer(request: StoreRequest): Promise<StoreAnswer> {
    const { operation, input } = request;
    if (operation === "BatchGetItem" || operation === "BatchWriteItem") return this.#batch(request);
    if (WRITES.has(operation)) return this.#write(request);
    if (operation === "GetItem" || operation === "Query" || operation === "Scan") return this.#read(request);
    const answer = await this.#metering.engine(request);
    if (operation === "DeleteTable") this.#throughput.forget(input.TableName as string);
    return answer;
  }

  async #read(request: StoreRequest): Promise<StoreAnswer> {
    const { engine, tables } = this.#metering;
    const { TableName, IndexName, Key } = request.input as { [name: string]: string } & { Key?: WireItem };
    const table = tables(TableName as string);
    const shape = IndexName === undefined ? table : table?.indexes.find(({ name }) => name === IndexName);
    if (shape === undefined) return engine(request);
    const key = keyOf(shape, Key);
    const position = key === undefined ? startOf(shape, request.input) : positionOf(shape, key);
    const use: Use = {
      kind: "Read",
      tableName: TableName as string,
      indexName: IndexName,
      position,
      leastUnits: LEAST_READ_UNITS,
    };
    return this.#admitted([use], async () => {
      const { answer, units } = await metered(engine, request);
      for (const charge of readCharges(shape, use, answer, units.get(use.tableName) ?? 0))
        this.#throughput.charge(charge);
      return answer;
    });
  }

  async #write(request: StoreRequest): Promise<StoreAnswer> {
    const { engine, tables } = this.#metering;
    const [item] = touchedItems(request, tables);
    if (item === undefined) return engine(request);
    const plan = await planWrite(this.#metering, item, request.input.Item as WireItem | undefined);
    return this.#admitted(plan.uses, async () => {
      const answer = await engine(request);
      const isFailed = exceptionOf(answer) === "ConditionalCheckFailedException";
      if (answer.status === 200 || isFailed) await this.#chargeWrites([plan]);
      return answer;
    });
  }

  /** Runs `act` if all `uses` have units left, and refuses the request if not. */
  async #admitted(uses: readonly Use[], act: () => Promise<StoreAnswer>): Promise<StoreAnswer> {
    const refused = this.#throughput.admit(uses);
    if (refused.length > 0) return throttled(refused);
    try {
      return await act();
    } finally {
      this.#throughput.release(uses);
    }
  }

  async #batch(request: StoreRequest): Promise<StoreAnswer> {
    const parts = partsOf(request, this.#metering.tables);
    const plans = await Promise.all(parts.map((part) => this.#planPart(request, part)));
    const refused = plans.map((plan) => this.#throughput.admit(plan?.uses ?? []));
    const left = parts.filter((_, at) => refused[at]?.length !== 0);
    if (left.length > 0 && left.length === parts.length) return throttled(refused.flat());
    const admitted = plans.filter((_, at) => refused[at]?.length === 0).filter((plan) => plan !== undefined);
    try {
      const answer = await this.#doBut(left, request, admitted);
      return answer.status === 200 ? this.#leaving(left, request, answer) : answer;
    } finally {
      this.#throughput.release(admitted.flatMap(({ uses }) => uses));
    }
  }

  async #planPart({ operation }: StoreRequest, { part, item }: BatchPart): Promise<Plan | undefined> {
    if (item === undefined) return undefined;
    if (operation === "BatchGetItem") return planRead(this.#metering, item);
    const { PutRequest } = part as { readonly PutRequest?: { readonly Item: WireItem } };
    return planWrite(this.#metering, item, PutRequest?.Item);
  }

  /** Does a batch without the parts that are `left`. */
  async #doBut(
    left: readonly BatchPart[],
    request: StoreRequest,
    plans: readonly Plan[],
  ): Promise<StoreAnswer> {
    const parts = partsOf(request, this.#metering.tables);
    const done = parts.filter(({ part }) => left.every((other) => other.part !== part));
    const RequestItems = left.length === 0 ? request.input.RequestItems : batchOf(request, done);
    const some = { ...request, input: { ...request.input, RequestItems } };
    const { answer, units } = await metered(this.#metering.engine, some);
    if (answer.status !== 200) return answer;
    if (request.operation === "BatchWriteItem") await this.#chargeWrites(plans);
    else for (const charge of batchReadCharges(plans, units)) this.#throughput.charge(charge);
    return answer;
  }

  async #chargeWrites(plans: readonly Plan[]): Promise<void> {
    const charges = await Promise.all(plans.map((plan) => writeCharges(this.#metering, plan)));
    for (const charge of charges.flat()) this.#throughput.charge(charge);
  }

  /** Adds the parts that are `left` to those that the engine left unprocessed. */
  #leaving(left: readonly BatchPart[], request: StoreRequest, answer: StoreAnswer): StoreAnswer {
    if (left.length === 0) return answer;
    const member = request.operation === "BatchGetItem" ? "UnprocessedKeys" : "UnprocessedItems";
    const byEngine = partsOf(request, this.#metering.tables, answer.body[member] as StoreInput);
    return { ...answer, body: { ...answer.body, [member]: batchOf(request, [...byEngine, ...left]) } };
  }
}

/** One of the items that a batch asks for or changes. */
interface BatchPart {
  readonly tableName: string;
  /** In a batch of reads, the item's key; in a batch of writes, the request to put or delete the item. */
  readonly part: unknown;
  /** Undefined when the part is malformed. */
  readonly item: TouchedItem | undefined;
}

type RequestItems = Readonly<Record<string, unknown>>;

/** The parts of a batch; with `items`, those that an answer left unprocessed. */
function partsOf(
  { operation, input }: StoreRequest,
  tables: TableShapes,
  items: RequestItems = input.RequestItems as RequestItems,
): readonly BatchPart[] {
  return Object.entries(items ?? {}).flatMap(([tableName, asked]) => {
    const parts = operation === "BatchGetItem" ? membersOf(asked)?.Keys : asked;
    return listOf(parts).map((part) => {
      const RequestItems = { [tableName]: operation === "BatchGetItem" ? { Keys: [part] } : [part] };
      return { tableName, part, item: touchedItems({ operation, input: { RequestItems } }, tables)[0] };
    });
  });
}

/** A batch's `RequestItems` with only some of its parts. */
function batchOf({ operation, input }: StoreRequest, parts: readonly BatchPart[]): RequestItems {
  const asked = input.RequestItems as Readonly<Record<string, object>>;
  const byTable = Object.groupBy(parts, ({ tableName }) => tableName);
  return Object.fromEntries(
    Object.entries(byTable).map(([tableName, some = []]) => {
      const these = some.map(({ part }) => part);
      return [
        tableName,
        operation === "BatchGetItem" ? { ...ownMember(asked, tableName), Keys: these } : these,
      ];
    }),
  );
}
