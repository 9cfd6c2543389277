import {
  type DynamoDBClient,
  GetItemCommand,
  type PutItemCommand,
  type PutItemCommandOutput,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { randomOf } from "../../bench/support/random-of.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import type { WriteOutcome } from "../../lib/write-outcome.ts";
import { cases } from "../support/cases.ts";
import { type Engine, startEngine, testedStores } from "../support/engine.ts";
import {
  compareVersions,
  type Draw,
  drawBelow,
  drawDeliveries,
  drawSet,
  endOf,
  newTable,
  permutationsOf,
  recordKinds,
  shuffled,
  type Version,
} from "../support/record-sets.ts";

/** Sets of versions of one record of each kind, over a table with conditional writes only. */
const SETS_OF_KIND = cases(20);
/** How many interleavings of three processes are tried for each set. */
const INTERLEAVINGS = 4;
/**
 * Sets on an engine: each is delivered by three processes at once, and written to the engine and the table side by
 * side.
 */
const ENGINE_SETS = cases(4);
const TWIN_SETS = cases(6);
const RUN_MS = 3_600_000;

/** A pause of some turns, so that each write of one process falls before or after each of another. */
const pauseOf = (draw: Draw) => async (): Promise<void> => {
  for (let turns = drawBelow(draw, 8); turns > 0; turns -= 1) await Promise.resolve();
};

/** Writes each delivery one version after the other, all deliveries at once. */
async function deliver(deliveries: readonly (readonly Version[])[], place: Table): Promise<WriteOutcome[]> {
  const outcomes: WriteOutcome[] = [];
  const write = async (versions: readonly Version[]) => {
    for (const version of versions) outcomes.push(await version.write(place));
  };
  await Promise.all(deliveries.map(write));
  return outcomes;
}

/** What is wrong with outcomes of which none may be refused, and the first must be written. */
const faultOf = (outcomes: readonly WriteOutcome[]): string | undefined =>
  outcomes.find(({ outcome }) => outcome === "refused" || outcome === "corrected")?.outcome ??
  (outcomes.some(({ outcome }) => outcome === "written") ? undefined : "nothing was written");

describe.each(recordKinds)("versions of one %s", (_name, kind) => {
  const table = newTable(kind);
  const place = { client: table.client, name: "table" };

  test(
    "end as the newest one, in every order of delivery, by one process and by three",
    async () => {
      const draw = randomOf(1);
      let histories = 0;
      for (let set = 0; set < SETS_OF_KIND; set += 1) {
        const versions = drawSet(kind, draw, "owner", set);
        const ends = new Set<string>();
        const tryOut = async (deliveries: readonly (readonly Version[])[]) => {
          table.clear();
          const fault = faultOf(await deliver(deliveries, place));
          ends.add(fault ?? JSON.stringify(table.items));
          histories += 1;
        };
        table.pause = undefined;
        for (const order of permutationsOf(versions)) await tryOut([order]);
        table.pause = pauseOf(draw);
        for (let way = 0; way < INTERLEAVINGS; way += 1) await tryOut(drawDeliveries(draw, versions));
        const texts = [...ends].map((end) => (end.startsWith("[") ? JSON.parse(end)[0].doc.S : end));
        if (texts.length !== 1 || texts[0] !== endOf(versions)) expect(texts).toEqual([endOf(versions)]);
      }
      expect(histories).toBeGreaterThan(10 * SETS_OF_KIND);
    },
    RUN_MS,
  );

  test(
    "that corrections took out stay out, and the others end as the newest of them once all have come again",
    async () => {
      const draw = randomOf(2);
      let corrections = 0;
      for (let set = 0; set < SETS_OF_KIND; set += 1) {
        const versions = drawSet(kind, draw, "owner", set);
        table.clear();
        table.pause = undefined;
        await deliver([versions], place);
        let [stored] = versions.toSorted(compareVersions).slice(-1);
        let takenOut: Version[] = [];
        for (const right of shuffled(draw, versions).slice(0, drawBelow(draw, 4))) {
          const { outcome } = await right.write(place, { at: 0 });
          const others = takenOut.filter((out) => compareVersions(out, right) !== 0);
          if (outcome === "corrected" && stored !== undefined) takenOut = [...others, stored];
          if (outcome === "corrected") corrections += 1;
          stored = right;
        }
        table.pause = pauseOf(draw);
        await deliver(drawDeliveries(draw, versions), place);
        if (table.items[0]?.doc?.S !== endOf(versions, takenOut))
          expect(table.items[0]?.doc?.S).toBe(endOf(versions, takenOut));
      }
      expect(corrections).toBeGreaterThan(SETS_OF_KIND / 4);
    },
    RUN_MS,
  );
});

/** The answer of a put: the item that it replaced, or its error and the stored item. */
const partsOf = (answer: PromiseSettledResult<PutItemCommandOutput>): object =>
  answer.status === "fulfilled"
    ? { before: answer.value.Attributes }
    : { name: answer.reason.name, stored: answer.reason.Item };

describe.each(testedStores)("on %s", (store) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startEngine(store);
  });
  afterAll(() => engine.close());

  describe.each(recordKinds)("versions of one %s", (_name, kind) => {
    const placeOn = (client: DynamoDBClient): Table => ({ client, name: engine.tableName(kind.table) });

    test("end as the newest one, by three processes at once and by one in another order", async () => {
      const draw = randomOf(3);
      for (let set = 0; set < ENGINE_SETS; set += 1) {
        const versions = drawSet(kind, draw, "three", set);
        expect(
          faultOf(await deliver(drawDeliveries(draw, versions), placeOn(engine.client))),
        ).toBeUndefined();
        const Key = { ...versions[0]?.key };
        const TableName = engine.tableName(kind.table);
        const { Item } = await engine.client.send(
          new GetItemCommand({ TableName, Key, ConsistentRead: true }),
        );
        expect(Item?.doc?.S).toBe(endOf(versions));
        const table = newTable(kind);
        await deliver([shuffled(draw, versions)], { client: table.client, name: "table" });
        expect(Item).toEqual(table.items[0]);
      }
    });

    test("are answered by the table of conditional writes as by the engine, write by write", async () => {
      const draw = randomOf(4);
      const table = newTable(kind);
      let puts = 0;
      const send = async (put: PutItemCommand) => {
        puts += 1;
        const [expected] = await Promise.allSettled([table.client.send(put)]);
        const [answer] = await Promise.allSettled([engine.client.send(put)]);
        expect(partsOf(answer)).toEqual(partsOf(expected));
        if (answer.status === "rejected") throw answer.reason;
        return answer.value;
      };
      const twin = placeOn({ send } as unknown as DynamoDBClient);
      for (let set = 0; set < TWIN_SETS; set += 1) {
        for (const version of shuffled(draw, drawSet(kind, draw, "twin", set)))
          await version.write(twin, draw() < 0.2 ? { at: 0, reason: "a slip" } : undefined);
      }
      expect(puts).toBeGreaterThan(2 * TWIN_SETS);
    });
  });
});
