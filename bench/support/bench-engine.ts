import { type Engine, type EngineKind, installedEngines, startEngine } from "../../test/support/engine.ts";

/** The engine that measurements run on: the installed one that is nearest to DynamoDB. */
export const benchEngine: EngineKind = installedEngines.includes("dynoxide") ? "dynoxide" : "dynalite";

/**
 * Starts the empty engine with every table of the project. Measurements ask the engine itself, because they would
 * measure a store in front of it too.
 */
export async function startBenchEngine(): Promise<Engine> {
  const engine = await startEngine(benchEngine);
  // dynalite needs the local store in front of it, which returns the item that failed a condition.
  return benchEngine === "dynalite" ? engine : { ...engine, endpoint: engine.rawEndpoint };
}
