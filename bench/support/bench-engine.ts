import { type Engine, type EngineKind, installedEngines, startEngine } from "../../test/support/engine.ts";

/** The engine that measurements run on: the nearest to the real store that is installed. */
export const benchEngine: EngineKind = installedEngines.includes("dynoxide") ? "dynoxide" : "dynalite";

/**
 * Starts it, empty, with every table of the project. What is measured asks the engine itself: the store in front of it
 * would be measured as well.
 */
export async function startBenchEngine(): Promise<Engine> {
  const engine = await startEngine(benchEngine);
  // dynalite needs the store in front of it, which gives back the item that failed a condition.
  return benchEngine === "dynalite" ? engine : { ...engine, endpoint: engine.rawEndpoint };
}
