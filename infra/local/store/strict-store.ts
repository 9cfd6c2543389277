import type { Clock } from "../../../lib/clock.ts";
import { completingFailedConditions } from "./behaviour/old-item.ts";
import type { StoreEngine } from "./embedded-engine.ts";
import { KnownTables } from "./known-tables.ts";
import type { StoreBehaviour } from "./store-behaviour.ts";
import { TimeToLive } from "./time-to-live.ts";
import type { StoreHandler } from "./wire.ts";

export interface StrictStoreOptions {
  readonly engine: StoreEngine;
  readonly behaviour: StoreBehaviour;
  readonly clock: Clock;
  /** From 0 to below 1: decides what DynamoDB leaves to chance. */
  readonly random: () => number;
}

/** An engine as DynamoDB would answer: what DynamoDB refuses is refused, and what it does beyond the engine is done. */
export function strictStore({ engine }: StrictStoreOptions): StoreHandler {
  const tables = new KnownTables(engine.handle);
  const timeToLive = new TimeToLive(tables.shapes);
  const complete = completingFailedConditions({ engine: engine.handle, tables: tables.shapes });
  const store = timeToLive.inFrontOf(complete);
  return async (request) => {
    await tables.learn(request);
    const answer = await store(request);
    tables.note(request);
    return answer;
  };
}
