import { BatchWriteItemCommand, type DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { idOf } from "../../bench/support/busy-trades.ts";
import { contractBrand } from "../../lib/brand.ts";
import { Failure } from "../../lib/errors.ts";
import { type IngestParts, ingestRecords } from "../../lib/ingest/ingest-records.ts";
import type { MessageHead } from "../../lib/ingest/message.ts";
import { writeMessage } from "../../lib/ingest/write-message.ts";
import type { RecordTables } from "../../lib/ingest/write-records.ts";
import { marketOf } from "../../lib/markets/market.ts";
import { MARKET_LIST_ID } from "../../lib/markets/market-store.ts";
import { cases } from "../support/cases.ts";
import { NOW } from "../support/trades.ts";

const HOSTILE_MESSAGES = 8;
const hostileMarket = (m: number): string => `M${m}-USD`;

/** The calls of a store or a queue that the time of a batch is enough for. */
class Calls {
  readonly #time = new AbortController();
  readonly #most: number;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get signal(): AbortSignal {
    return this.#time.signal;
  }

  async make(): Promise<void> {
    this.#count += 1;
    await new Promise(setImmediate);
    if (this.#count >= this.#most) this.#time.abort(new DOMException("over", "TimeoutError"));
    this.signal.throwIfAborted();
  }
}

interface Message {
  readonly messageId: string;
  readonly head: MessageHead;
  readonly records: readonly object[];
}

const priced = { ConsumedCapacity: { CapacityUnits: 1 } };

/** Tables with some listed markets and no trades yet, as far as the function reads and writes them. */
function tablesOf(listed: ReadonlySet<string>, store: Calls): RecordTables {
  const send = async (command: { readonly input: object }) => {
    await store.make();
    if (command instanceof BatchWriteItemCommand) return { ...priced, UnprocessedItems: {} };
    if (!(command instanceof GetItemCommand)) return { ...priced, Items: [] };
    const id = command.input.Key?.id?.S ?? "";
    if (id === MARKET_LIST_ID) return { ...priced, Item: { symbols: { SS: [...listed] } } };
    const { symbol: _key, ...constants } = marketOf(id.replace("market#", ""));
    const members = Object.entries(constants).map(([name, value]) => [name, { S: value }]);
    return { ...priced, Item: { id: { S: id }, ...Object.fromEntries(members) } };
  };
  const table = { client: { send } as unknown as DynamoDBClient, name: "a table" };
  return { settings: table, trades: table } as RecordTables;
}

/** Writers by what a record's id says. */
function writersOf(listed: Set<string>, store: Calls): IngestParts["writers"] {
  const write = async (_owner: string, text: string) => {
    await store.make();
    const { id, symbol } = JSON.parse(text) as { readonly id?: string; readonly symbol?: string };
    if (id?.startsWith("throttled")) throw new Failure("temporarily_unavailable", "It throttles.");
    if (id?.startsWith("wrong")) return { outcome: "refused", reason: "it is wrong" } as const;
    if (symbol !== undefined) listed.add(symbol);
    return { outcome: "written" } as const;
  };
  return { transaction: write, sell_order: write, pass: write, market: write };
}

/** Hands a batch to the function. @returns the good messages that it returns. */
async function returnedOf(
  messages: readonly Message[],
  { store, queue = store }: { readonly store: Calls; readonly queue?: Calls },
): Promise<readonly string[]> {
  const listed = new Set(["BTC-USD", "ETH-USD", ...times(HOSTILE_MESSAGES, hostileMarket)]);
  const signals = [store.signal, queue.signal];
  const handler = ingestRecords({
    tables: tablesOf(listed, store),
    writers: writersOf(listed, store),
    venue: contractBrand.venue,
    rejected: {
      send: async (taken) => {
        await queue.make();
        return { taken, refusals: [] };
      },
    },
    clock: () => NOW,
    log: () => undefined,
    signalAfter: () => signals.shift() ?? queue.signal,
    wait: async (_ms, signal) => signal.throwIfAborted(),
  });
  const Records = messages.map(({ messageId, head, records }) => ({
    messageId,
    body: writeMessage(
      head,
      records.map((record) => JSON.stringify(record)),
    ),
    attributes: { ApproximateReceiveCount: "1" },
  }));
  const context = { awsRequestId: "an id", getRemainingTimeInMillis: () => 60_000 };
  const { batchItemFailures } = await handler({ Records }, context);
  const returned = batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  // Without this, the time would have been enough for all.
  expect(returned.some((id) => id.startsWith("hostile"))).toBe(true);
  return returned.filter((id) => id.startsWith("good"));
}

const times = <Value>(count: number, make: (nth: number) => Value): Value[] =>
  Array.from({ length: count }, (_, nth) => make(nth));

const ownedKinds = ["transaction", "sell_order", "pass"] as const;
const headOf = (kind: (typeof ownedKinds)[number], owner: string): MessageHead =>
  kind === "pass" ? { kind } : { kind, owner };

/** A trade in a stretch of its own, so that it takes a write by itself. */
const lonely = (nth: number) => ({ tdt: NOW - nth * 10_000, p: "1", q: "2", tid: idOf(nth) });

/** The n-th record of the m-th hostile message. */
const hostileRecords = {
  "versions of one record": (m, n) => ({ id: "hot", partner_reference: "hot", version: m * 1_000 + n }),
  "many records": (m, n) => ({ id: `${m}-${n}`, partner_reference: `${m}-${n}` }),
  "records whose table throttles": (m, n) => ({ id: `throttled-${m}-${n}` }),
} satisfies Record<string, (m: number, n: number) => object>;

/** Messages of others, of a few records each, and where in the batch they come. */
const others = fc.record({
  counts: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 }),
  at: fc.nat({ max: HOSTILE_MESSAGES }),
  /** Whether all that is hostile comes from one owner. */
  isOne: fc.boolean(),
});

describe("a message is done at its first receive, whatever comes with it: among", () => {
  test("more records than the time is enough for", async () => {
    const kind = fc.constantFrom(...ownedKinds);
    const hostility = fc.constantFrom(...Object.values(hostileRecords));
    await fc.assert(
      fc.asyncProperty(others, kind, kind, hostility, async ({ counts, at, isOne }, bad, own, recordOf) => {
        const hostile = times(HOSTILE_MESSAGES, (m) => ({
          messageId: `hostile-${m}`,
          head: headOf(bad, isOne ? "hostile" : `hostile-${m}`),
          records: times(60, (n) => recordOf(m, n)),
        }));
        const good = counts.map((count, m) => ({
          messageId: `good-${m}`,
          head: headOf(own, `good-${m}`),
          records: times(count, (n) => ({ id: `good-${m}-${n}`, partner_reference: `good-${m}-${n}` })),
        }));
        const messages = hostile.toSpliced(at, 0, ...good);
        expect(await returnedOf(messages, { store: new Calls(200) })).toEqual([]);
      }),
      { numRuns: cases(12) },
    );
  });

  test("more trades than the time is enough for, of its own market or another, and more markets", async () => {
    const symbol = fc.constantFrom("BTC-USD", "ETH-USD", "NEW-USD");
    await fc.assert(
      fc.asyncProperty(others, symbol, fc.boolean(), async ({ counts, at, isOne }, owner, isTrade) => {
        const hostile = times(HOSTILE_MESSAGES, (m) => ({
          messageId: `hostile-${m}`,
          head: isTrade
            ? { kind: "trade" as const, owner: isOne ? "BTC-USD" : hostileMarket(m) }
            : { kind: "market" as const },
          records: times(isTrade ? 1_000 : 100, (n) =>
            isTrade ? lonely(m * 1_000 + n) : { symbol: `M${m}N${n}-USD` },
          ),
        }));
        const good = counts.map((count, m) => ({
          messageId: `good-${m}`,
          head: { kind: "trade" as const, owner },
          records: times(count, (n) => lonely(m + n)),
        }));
        const listing = {
          messageId: "good-market",
          head: { kind: "market" as const },
          records: [{ symbol: "NEW-USD" }],
        };
        const messages = hostile.toSpliced(at, 0, ...good, listing);
        expect(await returnedOf(messages, { store: new Calls(200) })).toEqual([]);
      }),
      { numRuns: cases(5) },
    );
  });

  test("more rejected records than the queue takes in the time that is left", async () => {
    const kind = fc.constantFrom(...ownedKinds);
    await fc.assert(
      fc.asyncProperty(others, kind, async ({ counts, at, isOne }, bad) => {
        const wrong = (messageId: string, owner: string, count: number) => ({
          messageId,
          head: headOf(bad, owner),
          records: times(count, (n) => ({ id: `wrong-${n}`, partner_reference: `wrong-${n}` })),
        });
        const hostile = times(HOSTILE_MESSAGES, (m) =>
          wrong(`hostile-${m}`, isOne ? "hostile" : `hostile-${m}`, 60),
        );
        const good = counts.map((count, m) => wrong(`good-${m}`, `good-${m}`, count));
        const calls = { store: new Calls(10_000), queue: new Calls(9) };
        expect(await returnedOf(hostile.toSpliced(at, 0, ...good), calls)).toEqual([]);
      }),
      { numRuns: cases(5) },
    );
  });
});
