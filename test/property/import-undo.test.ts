import { DeleteItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { marketOf } from "../../lib/markets/market.ts";
import { MarketRegister } from "../../lib/markets/market-register.ts";
import { PassRegister } from "../../lib/passes/pass-register.ts";
import { putPass } from "../../lib/passes/put-pass.ts";
import { ImportRegister } from "../../ops/import/journal/import-register.ts";
import { cases } from "../support/cases.ts";
import { InterruptedCalls, KilledCalls } from "../support/cut-client.ts";
import { sellOrderText, transactionText } from "../support/documents.ts";
import { openNearStore } from "../support/engine.ts";
import { importRecords, importTrades, undo } from "../support/journaled-import.ts";
import { recordTables, storedItems } from "../support/stored-items.ts";
import { NOW, trade } from "../support/trades.ts";

/** One version of a record: which of a few records, how new, and what it says. */
interface Version {
  readonly record: number;
  readonly minute: number;
  readonly word: string;
}

const version = (words: readonly string[]): fc.Arbitrary<Version> =>
  fc.record({
    record: fc.integer({ min: 0, max: 2 }),
    minute: fc.integer({ min: 0, max: 5 }),
    word: fc.constantFrom(...words),
  });

const at = (minute: number): string => `2026-03-01T10:0${minute}:00Z`;
const ORDER_ID = "8f14e45f-ceea-467f-a0e6-0f9b1c2d3e4";

/** The documents of each kind. The id of a sell order is spelled in two ways. */
const kinds = {
  transactions: ({ record, minute, word }: Version) =>
    transactionText({
      id: `tx-${record}`,
      updated_at: at(minute),
      request_id: `request-${word}`,
      reference: word,
    }),
  "sell-orders": ({ record, minute, word }: Version) =>
    sellOrderText({
      id: minute % 2 === 0 ? `${ORDER_ID}${record}` : `${ORDER_ID}${record}`.toUpperCase(),
      updated_at: at(minute),
      exchange_rate: word.length,
    }),
  passes: ({ record, minute, word }: Version) =>
    JSON.stringify({
      partner_reference: `pass-${record}`,
      type: "loyalty_pass",
      version: minute * 100 + word.length,
      ...(minute % 2 === 0 && { template_id: "template" }),
      semantics: { balance: word },
    }),
} as const;
type Kind = keyof typeof kinds;

const engine = await openNearStore();
beforeAll(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterAll(async () => {
  vi.restoreAllMocks();
  await engine.close();
});
beforeEach(() => engine.empty());

const stored = () => storedItems(engine, recordTables);
const whole = () => new KilledCalls().storeOf(engine);
const imported = (kind: Kind, versions: readonly Version[], store = whole(), intake = {}) =>
  importRecords(store, { kind, owner: "acme", texts: versions.map(kinds[kind]), intake });

/** Everything that a store has after an import, which may be refused in part. */
async function afterImport(kind: Kind, versions: readonly Version[]) {
  await engine.empty();
  await imported(kind, versions).catch(() => {});
  return await stored();
}

const ids = async (): Promise<readonly string[]> =>
  (await Array.fromAsync(new ImportRegister(engine.table("Imports")).heads())).map(({ id }) => id);

/** Imports, perhaps in vain. @returns the import's id; undefined when it stored nothing. */
async function idOf(importing: () => Promise<unknown>): Promise<string | undefined> {
  const known = await ids();
  await importing().catch(() => {});
  return (await ids()).find((id) => !known.includes(id));
}

const OLD = ["first", "second version"];
const WRONG = ["wrong", "mistaken text"];
const given = {
  old: fc.array(version(OLD), { maxLength: 4 }),
  wrong: fc.array(version(WRONG), { minLength: 1, maxLength: 5 }),
};
const runs = { numRuns: cases(2) };

describe.each(Object.keys(kinds) as Kind[])("an import of %s", (kind) => {
  test("that is taken back leaves every item and index entry as it was, and the mistaken versions can come again", async () => {
    await fc.assert(
      fc.asyncProperty(given.old, given.wrong, fc.boolean(), async (old, wrong, isCorrection) => {
        const before = await afterImport(kind, old);
        const intake = isCorrection ? { correct: { reason: "a mistake" } } : {};
        const id = await idOf(() => imported(kind, wrong, whole(), intake));
        const mistaken = await stored();
        expect((await undo(whole(), id)).left).toEqual([]);
        expect(await stored()).toEqual(before);
        // As if it had never been: the same import has the same result again.
        if (!isCorrection) {
          await imported(kind, wrong).catch(() => {});
          expect(await stored()).toEqual(mistaken);
        }
      }),
      runs,
    );
  });

  test("that is killed at any store call can be taken back, by an undo that is killed at any call too", async () => {
    const cut = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.boolean());
    await fc.assert(
      fc.asyncProperty(given.old, given.wrong, cut, cut, async (old, wrong, importCut, undoCut) => {
        const before = await afterImport(kind, old);
        const id = await idOf(() => imported(kind, wrong, new KilledCalls(...importCut).storeOf(engine)));
        await undo(new KilledCalls(...undoCut).storeOf(engine), id).catch(() => {});
        expect((await undo(whole(), id)).left).toEqual([]);
        expect(await stored()).toEqual(before);
      }),
      runs,
    );
  });

  test("with several versions of a record is taken back by an undo that is cut off anywhere, and its repetition", async () => {
    // One after the other, so that each version has a part of the journal of its own.
    const versions = [1, 2, 3].map((minute) => ({ record: 0, minute, word: "wrong" }));
    const before = await afterImport(kind, [{ record: 0, minute: 0, word: "first" }]);
    const id = await imported(kind, versions);
    const afterwards = await engine.content.read();
    let callCount = 1;
    for (let cut = 1; cut <= callCount; cut += 1) {
      await engine.content.replace(afterwards);
      const killed = new KilledCalls(cut, true);
      await undo(killed.storeOf(engine), id).catch(() => {});
      // An undo that was not cut off makes fewer calls than that.
      if (killed.count >= cut) callCount = cut + 1;
      expect([cut, (await undo(whole(), id)).left]).toEqual([cut, []]);
      expect(await stored()).toEqual(before);
    }
    expect(callCount).toBeGreaterThan(8);
  });

  test("that was taken back, or in part, takes back nothing that was stored since", async () => {
    const versions = [0, 1].flatMap((record) => [1, 2].map((minute) => ({ record, minute, word: "wrong" })));
    const id = await imported(kind, versions);
    await imported(kind, [{ record: 1, minute: 5, word: "later" }]);
    const afterwards = await engine.content.read();
    let callCount = 1;
    for (let at = 1; at <= callCount; at += 1) {
      await engine.content.replace(afterwards);
      const stop = new AbortController();
      const calls = new InterruptedCalls(at, async () => stop.abort());
      await undo(calls.storeOf(engine), id, { stop: stop.signal }).catch(() => {});
      // An undo that Ctrl-C did not meet makes fewer calls than that.
      if (calls.count >= at) callCount = at + 1;
      const undone = await stored();
      await imported(kind, versions);
      const since = (await stored()).filter((item) => !undone.includes(item));
      expect((await undo(whole(), id)).left).not.toEqual([]);
      expect([at, await stored()]).toEqual([at, expect.arrayContaining(since)]);
    }
    expect(callCount).toBeGreaterThan(8);
  });

  test("that is taken back leaves what others changed since, and says so", async () => {
    const later = fc.array(version(["later"]), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(given.old, given.wrong, later, async (old, wrong, since) => {
        await afterImport(kind, old);
        const id = await idOf(() => imported(kind, wrong));
        const mistaken = await stored();
        await imported(
          kind,
          since.map((one) => ({ ...one, minute: one.minute + 3 })),
        ).catch(() => {});
        const changed = (await stored()).filter((item) => !mistaken.includes(item));
        const rehearsed = await undo(whole(), id, { isRehearsal: true });
        const tally = await undo(whole(), id);
        expect(rehearsed).toEqual(tally);
        expect(await stored()).toEqual(expect.arrayContaining(changed));
      }),
      runs,
    );
  });
});

test("a pass that is published while its import is taken back is never overwritten", async () => {
  const id = await imported("passes", [{ record: 0, minute: 1, word: "wrong" }]);
  const right = JSON.stringify({ partner_reference: "pass-0", type: "loyalty_pass", version: 900 });
  await putPass(new PassRegister(engine.table("Passes")), right);
  expect((await undo(whole(), id)).left).toEqual([{ id: "pass-0", reason: "changed since" }]);
  expect((await stored()).join()).toContain("900");
});

describe("an import of trades", () => {
  const trades = [1, 2, 3, 4].map((n) => trade(n, NOW - n * 3_000));

  test("that is taken back leaves the market as it was, and unlists one that it listed", async () => {
    const before = await stored();
    const id = await importTrades(whole(), "ETH-USD", trades);
    expect((await undo(whole(), id)).left).toEqual([]);
    expect((await stored()).filter((item) => !item.includes('"markets"'))).toEqual(before);
  });

  test("that was taken back unlists no market that was listed since", async () => {
    const id = await importTrades(whole(), "ETH-USD", trades);
    await undo(whole(), id);
    const markets = new MarketRegister(engine.table("Settings"));
    await markets.add(marketOf("ETH-USD"), { at: NOW, by: "local:ada" });
    const listed = await stored();
    await undo(whole(), id);
    expect(await stored()).toEqual(listed);
  });

  test("that is killed at any store call can be taken back", async () => {
    await importTrades(whole(), "BTC-USD", trades.slice(0, 1));
    const [first, before] = [await engine.content.read(), await stored()];
    for (let call = 1; call <= 12; call += 1)
      for (const takesEffect of [false, true]) {
        await engine.content.replace(first);
        const killed = new KilledCalls(call, takesEffect).storeOf(engine);
        const id = await idOf(() => importTrades(killed, "BTC-USD", trades));
        const tally = await undo(whole(), id);
        expect([call, takesEffect, tally.left]).toEqual([call, takesEffect, []]);
        expect(await stored()).toEqual(before);
      }
  });

  test("that raced with another import of the same file leaves every trade to the other, or goes alone", async () => {
    await importTrades(whole(), "BTC-USD", trades.slice(0, 1));
    const [one, other] = await Promise.all([
      importTrades(whole(), "BTC-USD", trades),
      importTrades(whole(), "BTC-USD", trades),
    ]);
    const segments = async () => (await storedItems(engine, ["Trades"])).length;
    const all = await segments();
    const first = await undo(whole(), one);
    expect(await segments()).toBe(all - first.removed);
    const second = await undo(whole(), other);
    expect(first.removed + second.removed).toBe(trades.length - 1);
    expect(await segments()).toBe(1);
  });

  test("whose segments were compacted says that they are left", async () => {
    const id = await importTrades(whole(), "BTC-USD", trades);
    const [item] =
      (await engine.client.send(new ScanCommand({ TableName: engine.tableName("Trades") }))).Items ?? [];
    const Key = { pk: item?.pk as never, sk: item?.sk as never };
    await engine.client.send(new DeleteItemCommand({ TableName: engine.tableName("Trades"), Key }));
    const tally = await undo(whole(), id);
    expect(tally).toMatchObject({ removed: 3, left: [{ reason: "no longer stored as it was added" }] });
    expect((await undo(whole(), id)).left).toHaveLength(1);
  });
});
