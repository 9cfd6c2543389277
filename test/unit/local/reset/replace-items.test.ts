import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { Item } from "../../../../lib/dynamo/item.ts";
import { scan } from "../../../../lib/dynamo/scan.ts";
import { planReplacement, replaceItems } from "../../../../local/reset/replace-items.ts";
import { stageTables } from "../../../../ops/store/local-tables.ts";
import { cases } from "../../../support/cases.ts";
import { openNearStore } from "../../../support/engine.ts";

const engine = await openNearStore();
afterAll(() => engine.close());

/** Segments of trades, whose sort key is of bytes; more of them than fit into one batch. */
const itemsArbitrary = fc
  .uniqueArray(fc.integer({ min: 0, max: 80 }), { maxLength: 60 })
  .chain((keys) =>
    fc.tuple(
      ...keys.map((key) => fc.integer({ min: 0, max: 2 }).map((content): Item => segment(key, content))),
    ),
  );
const segment = (key: number, content: number): Item => ({
  pk: { S: key % 2 === 0 ? "BTC-USD" : "SOL-EUR" },
  sk: { B: Uint8Array.of(key) },
  d: { B: Uint8Array.of(content) },
});

const spelled = (items: readonly Item[]): Set<string> =>
  new Set(items.map(({ pk, sk, d }) => [pk?.S, String(sk?.B), String(d?.B)].join("/")));

test("whatever a table holds, it then holds exactly the wanted items, and a second look finds nothing to write", async () => {
  const definition = stageTables("test").find(({ name }) => name === engine.tableName("Trades"));
  if (definition === undefined) throw new Error("The table is not defined.");
  const plan = (wanted: readonly Item[]) => planReplacement(engine.client, definition, wanted);
  await fc.assert(
    fc.asyncProperty(itemsArbitrary, async (wanted) => {
      await replaceItems(engine.client, await plan(wanted));
      const stored = await Array.fromAsync(scan(engine.table("Trades")));
      expect(spelled(stored)).toEqual(spelled(wanted));
      expect(await plan(wanted)).toMatchObject({ puts: [], deletions: [] });
    }),
    { numRuns: cases(10) },
  );
});
