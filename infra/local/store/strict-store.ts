import type { StoreEngine } from "./embedded-engine.ts";
import { KnownTables } from "./known-tables.ts";
import { TimeToLive } from "./time-to-live.ts";
import type { StoreHandler } from "./wire.ts";

/**
 * An engine as DynamoDB would answer: what DynamoDB refuses is refused, and what it does beyond the engine is done.
 */
export function strictStore(engine: StoreEngine): StoreHandler {
  const tables = new KnownTables(engine.handle);
  const timeToLive = new TimeToLive(tables.shapes);
  const store = timeToLive.inFrontOf(engine.handle);
  return async (request) => {
    await tables.learn(request);
    const answer = await store(request);
    tables.note(request);
    return answer;
  };
}
