import { describe, expect, onTestFinished, test } from "vitest";
import { expiring } from "../../../../local/store/behaviour/expiry.ts";
import { type LagOptions, lagging } from "../../../../local/store/behaviour/lag.ts";
import { losingAnswers } from "../../../../local/store/behaviour/lost-answers.ts";
import { throttling } from "../../../../local/store/behaviour/throttling.ts";
import { writesInTurn } from "../../../../local/store/behaviour/writes-in-turn.ts";
import { openEmbeddedEngine } from "../../../../local/store/embedded-engine.ts";
import {
  type DescribedTable,
  type TableShape,
  type TableShapes,
  tableShapeOf,
} from "../../../../local/store/table-shape.ts";
import type { StoreHandler } from "../../../../local/store/wire.ts";
import { describeEachEngine } from "../../../support/each-engine.ts";
import { storeBehaviours } from "../../../support/fidelity.ts";
import { shapesOf } from "../../../support/store-handler.ts";
import { behavesAsNamed, probedBehaviours } from "../../../support/store-probes.ts";

describe("the list of behaviours", () => {
  test("each has a name of its own and a probe, and there are no other probes", () => {
    expect(storeBehaviours.map(({ name }) => name)).toEqual(probedBehaviours);
  });

  test("a behaviour that only a layer has, or that is not here, is one in which an engine differs", () => {
    for (const { name, place, differs } of storeBehaviours)
      expect(differs.length > 0, name).toBe(place !== "by both engines");
  });
});

/** The layers that imitate the behaviours in which an engine differs. */
const layers: Readonly<Record<string, (engine: StoreHandler, tables: TableShapes) => StoreHandler>> = {
  "index-lag": (engine, tables) => lag(engine, tables, { indexLagMs: 1_000, eventualLagMs: 0 }),
  "eventual-reads": (engine, tables) => lag(engine, tables, { indexLagMs: 0, eventualLagMs: 1_000 }),
  "partition-throttling": (engine, tables) => throttling({ engine, tables, clock }),
  expiry: (engine, tables) => expiring({ engine, tables, clock, expiresAt: () => "expires" }),
  "lost-answers": (engine) => losingAnswers({ engine, share: 0.5, random }),
  "failed-condition-item": writesInTurn,
  "sum-digits": writesInTurn,
};
const clock = () => 1_000_000;
const random = () => 0;
const lag = (
  engine: StoreHandler,
  tables: TableShapes,
  lags: Pick<LagOptions, "indexLagMs" | "eventualLagMs">,
): StoreHandler => {
  const replica = async () => {
    const running = openEmbeddedEngine();
    onTestFinished(running.close);
    return running.handle;
  };
  return lagging({ engine, tables, replica, clock, random, ...lags });
};

test("each behaviour that a layer adds has a layer", () => {
  const imitated = storeBehaviours.filter(({ place }) => place === "with a layer");
  expect(imitated.map(({ name }) => name)).toEqual(Object.keys(layers));
});

describeEachEngine("on %s", (engine, kind) => {
  test.each(storeBehaviours)("$name: $behaviour", async ({ name, differs }) => {
    expect(await behavesAsNamed(name, engine, name)).toBe(!differs.includes(kind));
  });

  test.each(Object.keys(layers))("%s, with its layer", async (name) => {
    const shapes: TableShape[] = [];
    const noting: StoreHandler = (request) => {
      if (request.operation === "CreateTable")
        shapes.push(tableShapeOf(request.input as unknown as DescribedTable));
      return engine(request);
    };
    const store = layers[name]?.(noting, (table) => shapesOf(...shapes)(table)) as StoreHandler;
    expect(await behavesAsNamed(name, store, `layered-${name}`)).toBe(true);
  });
});
