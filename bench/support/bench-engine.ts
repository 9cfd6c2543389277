import { type Engine, type EngineKind, installedEngines, startEngine } from "../../test/support/engine.ts";

/** The engine that measurements run on: the nearest to the real store that is installed. */
export const benchEngine: EngineKind = installedEngines.includes("dynoxide") ? "dynoxide" : "dynalite";

/** Starts it, empty, with every table of the project. */
export const startBenchEngine = (): Promise<Engine> => startEngine(benchEngine);
