import type { Clock } from "../../lib/clock.ts";
import { expiring } from "./behaviour/expiry.ts";
import { lagging } from "./behaviour/lag.ts";
import { losingAnswers } from "./behaviour/lost-answers.ts";
import { capacityShare } from "./behaviour/partitions.ts";
import { throttling } from "./behaviour/throttling.ts";
import { writesInTurn } from "./behaviour/writes-in-turn.ts";
import { openEmbeddedEngine, type StoreEngine } from "./embedded-engine.ts";
import { tableNamesOf } from "./identity.ts";
import { checkRules } from "./rules/check-rules.ts";
import type { StoreBehaviour } from "./store-behaviour.ts";
import { type DescribedTable, type TableShape, type TableShapes, tableShapeOf } from "./table-shape.ts";
import { TimeToLive } from "./time-to-live.ts";
import {
  type Refusal,
  refusalAnswer,
  type StoreHandler,
  type StoreOperation,
  type StoreRequest,
} from "./wire.ts";

export interface StrictStoreOptions {
  readonly engine: StoreEngine;
  readonly behaviour: StoreBehaviour;
  /** The clock of lag and throttles, whose waits are real. */
  readonly clock: Clock;
  /** The clock by which items expire; `clock` unless given. */
  readonly expiryClock?: Clock;
  /** Returns a number from 0 to below 1, which decides what DynamoDB leaves to chance. */
  readonly random: () => number;
  /** Whether the store may throttle and lose answers now. Without this function it may do so from the beginning. */
  readonly isStirred?: () => boolean;
}

/**
 * A store that answers as DynamoDB would: it refuses what DynamoDB refuses, and adds behaviour that the engine lacks.
 */
export function strictStore(options: StrictStoreOptions): StoreHandler {
  const tables = new KnownTables(options.engine.handle);
  const store = behaving(options, tables);
  return async (request) => {
    const refusal = await refusalOf(request, tables);
    if (refusal !== undefined) return refusalAnswer(refusal);
    const answer = await store(request);
    if (CHANGES_OF_SHAPES.has(request.operation)) tables.forget(request);
    return answer;
  };
}

const CHANGES_OF_SHAPES: ReadonlySet<StoreOperation> = new Set(["CreateTable", "DeleteTable"]);

/** Learns the tables' shapes again before it refuses a request: another program may have recreated a table. */
async function refusalOf(request: StoreRequest, tables: KnownTables): Promise<Refusal | undefined> {
  await tables.learn(request);
  if (checkRules({ ...request, tables: tables.shapes }) === undefined) return undefined;
  tables.forget(request);
  await tables.learn(request);
  return checkRules({ ...request, tables: tables.shapes });
}

/**
 * The engine, and in front of it a layer for each behaviour that is switched on. From the inside out: turns of writes,
 * expiry, lag, time to live, throttling, lost answers.
 */
function behaving(
  { engine, behaviour, clock, expiryClock = clock, random, isStirred = () => true }: StrictStoreOptions,
  known: KnownTables,
): StoreHandler {
  const tables = known.shapes;
  const timeToLive = new TimeToLive(tables);
  const expire = (store: StoreHandler): StoreHandler =>
    behaviour.expiry === "late"
      ? store
      : expiring({ engine: store, tables, expiresAt: timeToLive.attributeOf, clock: expiryClock });
  const { indexLagMs, eventualLagMs, partitionShare, lostShare } = behaviour;
  let store = expire(writesInTurn(engine.handle, tables));
  if (indexLagMs > 0 || eventualLagMs > 0) {
    const replica = async (): Promise<StoreHandler> => expire(openEmbeddedEngine().handle);
    store = lagging({ engine: store, replica, tables, clock, random, indexLagMs, eventualLagMs });
  }
  const calm = timeToLive.inFrontOf(store);
  let stirred = calm;
  if (partitionShare !== undefined)
    stirred = throttling({ engine: stirred, tables, clock, capacity: capacityShare(partitionShare) });
  if (lostShare > 0) stirred = losingAnswers({ engine: stirred, share: lostShare, random });
  return (request) => (isStirred() ? stirred : calm)(request);
}

/** DynamoDB takes at most 100 items in a batch, and so at most 100 tables. */
const BATCH_TABLES_MAX = 100;

/** The shapes of an engine's tables. Each is asked for once, and kept until `forget`. */
class KnownTables {
  readonly #engine: StoreHandler;
  readonly #shapes = new Map<string, TableShape>();

  constructor(engine: StoreHandler) {
    this.#engine = engine;
  }

  /** The known shapes; `learn` adds those of a request's tables. */
  readonly shapes: TableShapes = (name) => this.#shapes.get(name);

  /** Asks the engine for the unknown shapes of a request's tables. A table that does not exist has no shape. */
  async learn(request: StoreRequest): Promise<void> {
    for (const name of tableNamesOf(request).slice(0, BATCH_TABLES_MAX)) {
      if (this.#shapes.has(name)) continue;
      const { body } = await this.#engine({ operation: "DescribeTable", input: { TableName: name } });
      const described = body.Table as DescribedTable | undefined;
      if (described !== undefined) this.#shapes.set(name, tableShapeOf(described));
    }
  }

  /** Forgets the shapes of a request's tables, which may have changed. */
  forget(request: StoreRequest): void {
    for (const name of tableNamesOf(request)) this.#shapes.delete(name);
  }
}
