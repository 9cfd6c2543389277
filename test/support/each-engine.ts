import { afterAll, beforeAll, describe } from "vitest";
import type { EngineKind } from "../../local/store/rules/rule.ts";
import type { StoreHandler } from "../../local/store/wire.ts";
import { installedEngines, type RawEngine, startRawEngine } from "./engine.ts";

/**
 * Describes what holds on each engine without the rules.
 *
 * @param title with `%s` for the engine's name.
 * @param tests of an engine that is there for hooks and tests within, and for no longer.
 */
export const describeEachEngine = (
  title: string,
  tests: (engine: StoreHandler, kind: EngineKind) => void,
): void =>
  describe.each(installedEngines)(title, (kind) => {
    let running: RawEngine;
    beforeAll(async () => {
      running = await startRawEngine(kind);
    });
    afterAll(() => running.close());
    tests((request) => running.handle(request), kind);
  });
