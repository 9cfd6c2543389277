import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { idOf } from "../../bench/support/busy-trades.ts";
import { readMessage } from "../../lib/ingest/message.ts";
import { writeMessage } from "../../lib/ingest/write-message.ts";
import { marketOf } from "../../lib/markets/market.ts";
import { MarketRegister } from "../../lib/markets/market-register.ts";
import { TradeStore } from "../../lib/trades/trade-store.ts";
import { TransactionStore } from "../../lib/transactions/transaction-store.ts";
import { cases } from "../support/cases.ts";
import { transactionText } from "../support/documents.ts";
import { installedEngines, startEngine } from "../support/engine.ts";
import { failingClient, ingestOver, MessageQueue, RejectedMessages } from "../support/message-queue.ts";
import { listAll, NOW } from "../support/trades.ts";

const clock = () => NOW;

/** A record of a message: which one, in which of its versions, and whether it breaks its contract. */
interface Drawn {
  readonly n: number;
  readonly version: number;
  readonly isBad: boolean;
}

const drawn = fc.record({
  n: fc.nat({ max: 11 }),
  version: fc.nat({ max: 3 }),
  isBad: fc.integer({ min: 0, max: 7 }).map((of) => of === 0),
});

/** A message, and how often it is sent. */
const drawnMessage = fc.record({
  kind: fc.constantFrom("trade", "transaction" as const),
  records: fc.array(drawn, { minLength: 1, maxLength: 6 }),
  times: fc.constantFrom(1, 1, 2),
});

/** One delivery: which of the waiting messages come, what fails during it, and whether the function is killed at its end. */
const delivery = fc.record({
  seed: fc.nat(),
  share: fc.constantFrom(0.4, 1),
  isKilled: fc.constantFrom(false, false, true),
  /** From which call of the store on how many fail, and how. An import's eight attempts may outlast a fault or not. */
  store: fc.record({
    from: fc.nat({ max: 20 }),
    calls: fc.constantFrom(0, 1, 9, 1_000),
    kind: fc.constantFrom("before", "after", "refused" as const),
  }),
  rejected: fc.array(fc.constantFrom(undefined, "refused", "half", "lost" as const), { maxLength: 3 }),
});

type Delivery = typeof delivery extends fc.Arbitrary<infer Value> ? Value : never;
type Message = typeof drawnMessage extends fc.Arbitrary<infer Value> ? Value : never;

const tradeText = ({ n, isBad }: Drawn): string =>
  JSON.stringify({ tdt: NOW - 60_000 + 370 * n, p: isBad ? "1,5" : "65000.10", q: "0.50", tid: idOf(n) });

const versionText = ({ n, version, isBad }: Drawn): string =>
  transactionText({
    id: `tx-${n}`,
    updated_at: `2026-03-01T1${version}:00:00Z`,
    ...(isBad && { state: "lost" }),
  });

const draw = (seed: number, at: number): number => ((seed + 1) * (at + 7) * 2_654_435_761) % 1_000;

let worlds = 0;

const engine = await startEngine(installedEngines.at(-1) ?? "dynalite");
afterAll(() => engine.close());

/** Sends and delivers messages, some of it in vain, until all are done, and checks what is left of them. */
async function checkWorld(messages: readonly Message[], deliveries: readonly Delivery[]): Promise<void> {
  worlds += 1;
  const [symbol, owner] = [`W${worlds}-USD`, `business-${worlds}`];
  await new MarketRegister(engine.table("Settings")).add(marketOf(symbol));
  const queue = new MessageQueue();
  const rejected = new RejectedMessages();
  for (const { kind, records, times } of messages) {
    const isTrade = kind === "trade";
    const texts = records.map(isTrade ? tradeText : versionText);
    const body = writeMessage({ kind, owner: isTrade ? symbol : owner }, texts);
    queue.send(...Array<string>(times).fill(body));
  }
  const all = queue.size;
  for (const one of deliveries) await deliverUnder(one, queue, rejected, all);
  const handler = ingestOver(engine, { rejected, clock });
  rejected.nextFault = undefined;
  queue.redrive();
  expect(await queue.deliver(handler)).toEqual([]);
  expect([queue.size, queue.dead]).toEqual([0, []]);
  await checkStored(messages, { symbol, owner });
  checkRejected(messages, rejected, deliveries);
}

async function deliverUnder(
  { seed, share, isKilled, store, rejected: faults }: Delivery,
  queue: MessageQueue,
  rejected: RejectedMessages,
  all: number,
): Promise<void> {
  let call = -1;
  const client = failingClient(engine.client, () => {
    call += 1;
    return call >= store.from && call < store.from + store.calls ? store.kind : undefined;
  });
  let sends = 0;
  rejected.nextFault = () => faults[sends++];
  const handler = ingestOver(engine, { rejected, clock, client });
  await queue.deliver(handler, {
    isKilled,
    choose: (waiting) => {
      const chosen = waiting.filter((_, at) => draw(seed, at) < share * 1_000);
      // SQS may hand out a message twice in one batch.
      return chosen
        .toSorted((a, b) => draw(seed, a.body.length) - draw(seed, b.body.length))
        .concat(seed % 5 === 0 ? chosen.slice(0, 1) : []);
    },
  });
  const kept = queue.size + queue.dead.length;
  expect(kept).toBeLessThanOrEqual(all);
}

const goodOf = (messages: readonly Message[], kind: Message["kind"]): readonly Drawn[] =>
  messages
    .filter((message) => message.kind === kind)
    .flatMap(({ records }) => records.filter(({ isBad }) => !isBad));

async function checkStored(
  messages: readonly Message[],
  { symbol, owner }: { readonly symbol: string; readonly owner: string },
): Promise<void> {
  const window = { startMs: NOW - 120_000, endMs: NOW };
  const pages = await listAll(new TradeStore(engine.table("Trades")), { symbol, window, limit: 5, now: NOW });
  const trades = [...new Set(goodOf(messages, "trade").map(({ n }) => n))].toSorted((a, b) => b - a);
  expect(pages.flat().map(({ id }) => id)).toEqual(trades.map(idOf));
  const newest = new Map<number, number>();
  for (const { n, version } of goodOf(messages, "transaction"))
    newest.set(n, Math.max(version, newest.get(n) ?? 0));
  const transactions = new TransactionStore(engine.table("Transactions"));
  for (let n = 0; n <= 11; n += 1) {
    const stored = await transactions.get(owner, `tx-${n}`);
    const version = newest.get(n);
    if (version === undefined) expect(stored).toBeUndefined();
    else expect(stored).toContain(`"updated_at":"2026-03-01T1${version}:00:00Z"`);
  }
}

/** Every bad record of every message is rejected, in its place and with its text; twice only where an answer was lost. */
function checkRejected(
  messages: readonly Message[],
  rejected: RejectedMessages,
  deliveries: readonly Delivery[],
): void {
  const expected = messages.flatMap(({ kind, records, times }) =>
    Array.from({ length: times }, () =>
      records.flatMap((record, at) =>
        record.isBad ? [`${at + 1} ${kind === "trade" ? tradeText(record) : versionText(record)}`] : [],
      ),
    ).flat(),
  );
  const told = rejected.messages.map(({ body, attributes }) => {
    const read = readMessage(body);
    expect([attributes.reason, read.ok]).toEqual(["invalid_record", true]);
    return `${attributes.position} ${read.ok ? read.message.records.join() : ""}`;
  });
  expect([...new Set(told)].toSorted()).toEqual([...new Set(expected)].toSorted());
  const places = rejected.messages.map(({ attributes }) => `${attributes.message_id}/${attributes.position}`);
  expect(new Set(places).size).toBe(expected.length);
  const isLost = deliveries.some(
    ({ isKilled, seed, rejected: faults }) =>
      isKilled || seed % 5 === 0 || faults.includes("lost") || faults.includes("half"),
  );
  if (!isLost) expect(places).toHaveLength(expected.length);
}

describe("whatever comes, fails, is killed, comes twice or in another order", () => {
  test("each good record is read once, each bad one is rejected, and no message is lost", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(drawnMessage, { minLength: 1, maxLength: 6 }),
        fc.array(delivery, { maxLength: 6 }),
        checkWorld,
      ),
      { numRuns: cases(12) },
    );
  });
});
