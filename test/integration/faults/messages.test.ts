import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { DISK_FULL_EXCEPTION } from "../../../local/store/full-disk.ts";
import { PLANTED, refused } from "../../support/faults/acts.ts";
import {
  clockFaults,
  fullDisk,
  queueFaults,
  storeFaults,
  threadFaults,
} from "../../support/faults/fault-tables.ts";
import {
  type Allowance,
  type EndOfThread,
  isLittleMore,
  type Work,
} from "../../support/faults/faulty-application.ts";
import {
  type Delivered,
  type FaultyIngest,
  INGEST_LIMIT_MS,
  type IngestLane,
  startFaultyIngest,
} from "../../support/faults/faulty-ingest.ts";
import { BAD_RECORDS, makeBatch, SECRET, type WholeBatch } from "../../support/faults/ingest-batch.ts";
import { type IngestOutcome, type IngestOutcomeName, ingestOutcomes } from "../../support/faults/outcomes.ts";
import { queueOf } from "../../support/local-queues.ts";

/** By when an answer must be there: the function keeps three seconds for it, of which a busy machine may take one. */
const ANSWERED_MS = INGEST_LIMIT_MS - 2_000;

// A batch mostly waits.
vi.setConfig({ maxConcurrency: 12 });

let ingest: FaultyIngest;
/** What is done for a batch while nothing is wrong. */
let usual: Work;
beforeAll(async () => {
  ingest = await startFaultyIngest();
  await using lane = await ingest.open();
  const { work } = await lane.deliver(makeBatch(), { receives: 1 });
  if (work === undefined) throw new Error("The function ended.");
  usual = work;
});
afterAll(() => ingest.close());

/** Which messages of a batch an outcome returns. */
function returnedBy({ returned }: IngestOutcome, { messages, idOf }: WholeBatch): ReadonlySet<string> {
  const isReturned = {
    none: () => false,
    all: () => true,
    good: (id: string) => id !== idOf("bad"),
    bad: (id: string) => id === idOf("bad"),
  }[returned];
  return new Set(messages.map(({ id }) => id).filter(isReturned));
}

/** Eight attempts at a record, and three at each of its calls, whose answer is read, and the record perhaps once more. */
const ALLOWANCE: Allowance = { attempts: 8 * 3, textsOfCall: 4 };

/** The batch came back as the table says, in time, and operators were told of each record that was returned. */
function expectOutcome(
  name: IngestOutcomeName,
  batch: WholeBatch,
  { returned, tookMs, lines, work }: Delivered,
): void {
  const outcome: IngestOutcome = ingestOutcomes[name];
  const own = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  expect(returned, JSON.stringify(own)).toEqual(returnedBy(outcome, batch));
  expect(tookMs).toBeLessThan(ANSWERED_MS);
  const telling = lines.filter((line) => [PLANTED, SECRET].some((text) => line.includes(text)));
  expect(telling).toEqual([]);
  if (work !== undefined) {
    const told = JSON.stringify({ work, usual });
    // What it does grows with its calls, and not with the records that have failed: a line tells of all of a kind.
    expect(isLittleMore(work, usual, ALLOWANCE), told).toBe(true);
    expect(work.lines, told).toBe(batch.kinds);
  }
  if (outcome.returned === "all") return;
  const faulty = own.filter((line) => line.RecordsReturned !== undefined);
  const levels = new Set(faulty.map(({ level }) => level));
  expect(levels, JSON.stringify(own)).toEqual(new Set(outcome.level === undefined ? [] : [outcome.level]));
  expect(faulty).toHaveLength({ none: 0, good: batch.kinds, bad: 1, all: 0 }[outcome.returned]);
}

/** How often the queue for rejected records has the bad ones of a batch. */
function rejectedCount({ idOf }: WholeBatch): number {
  const { ready } = queueOf(ingest.queues, "rejected").inspectMessages();
  return ready.filter(({ messageAttributes }) => messageAttributes.message_id?.StringValue === idOf("bad"))
    .length;
}

interface Trial {
  /** What the table says. */
  readonly name: IngestOutcomeName;
  readonly lane: IngestLane;
  /** Gives the batch to the function while something is wrong. */
  readonly underFault: (deliver: () => Promise<Delivered>) => Promise<Delivered>;
  readonly endsBy?: EndOfThread;
}

/**
 * Gives a batch to the function while something is wrong, and what it returns again when nothing is. What it does not return
 * is stored at once, and in the end everything is, once.
 */
async function expectRecovery({ name, lane, underFault, endsBy }: Trial): Promise<WholeBatch> {
  const batch = makeBatch();
  const first = await underFault(() =>
    lane.deliver(batch, { receives: 1, ...(endsBy !== undefined && { endsBy }) }),
  );
  expectOutcome(name, batch, first);
  await batch.expectStored(ingest, first.returned);
  if (first.returned.size > 0) {
    const second = await lane.deliver(batch.only(first.returned), { receives: 2 });
    expect(second.returned, second.lines.join("\n")).toEqual(new Set());
  }
  await batch.expectStored(ingest);
  return batch;
}

/** The faults that messages meet, with the outcome of each. */
const met = <Fault extends { readonly ingest?: IngestOutcomeName }>(faults: readonly Fault[]) =>
  faults.flatMap((fault) => (fault.ingest === undefined ? [] : [{ ...fault, name: fault.ingest }]));

describe.concurrent("messages of each kind, and one with records that can never be stored,", () => {
  test.each(met(storeFaults))(
    "while the store $what: every record is stored or received again, and is there once in the end",
    async ({ act, name }) => {
      await using lane = await ingest.open();
      const underFault: Trial["underFault"] = (deliver) => lane.store.under(act, deliver);
      expect(rejectedCount(await expectRecovery({ name, lane, underFault }))).toBe(BAD_RECORDS);
    },
  );

  test.each(queueFaults)(
    "while the queue for rejected records $what: the bad record is rejected or received again, and is in the queue in the end",
    async ({ act, outcome: name, isTaken = false }) => {
      await using lane = await ingest.open();
      const underFault: Trial["underFault"] = (deliver) => lane.queue.under(act, deliver);
      const count = rejectedCount(await expectRecovery({ name, lane, underFault }));
      expect(count > BAD_RECORDS, `${count}`).toBe(isTaken);
      expect(count).toBeGreaterThanOrEqual(BAD_RECORDS);
    },
  );

  test.each(met(clockFaults))(
    "while the function's clock $what: everything is stored",
    async ({ aheadMs, name }) => {
      await using lane = await ingest.open();
      lane.clockShift.ms = aheadMs;
      const underFault: Trial["underFault"] = (deliver) => deliver();
      expect(rejectedCount(await expectRecovery({ name, lane, underFault }))).toBe(BAD_RECORDS);
    },
  );

  test.each(met(threadFaults))(
    "while the function $what: all are received again, and everything is there once in the end",
    async ({ endsBy, name }) => {
      await using lane = await ingest.open("fragile");
      const underFault: Trial["underFault"] = (deliver) => deliver();
      expect(rejectedCount(await expectRecovery({ name, lane, underFault, endsBy }))).toBe(BAD_RECORDS);
    },
  );

  test("while the disk of the local store is full: they are received again, and the log says why", async () => {
    await using lane = await ingest.open();
    const { act, ingest: name } = fullDisk;
    const underFault: Trial["underFault"] = async (deliver) => {
      const delivered = await lane.store.under(act, deliver);
      expect(delivered.lines.join()).toContain(DISK_FULL_EXCEPTION);
      return delivered;
    };
    expect(rejectedCount(await expectRecovery({ name, lane, underFault }))).toBe(BAD_RECORDS);
  });

  test.each([
    ["Transactions", ["transaction"]],
    ["SellOrders", ["sell_order"]],
    ["Passes", ["pass"]],
    ["Trades", ["trade"]],
    ["Settings", ["market", "trade"]],
  ] as const)(
    "a fault of the table %s returns the messages of %j, and all others are stored",
    async (table, kinds) => {
      await using lane = await ingest.open();
      const batch = makeBatch();
      const { returned } = await lane.store.under(
        refused(500, "InternalServerError"),
        () => lane.deliver(batch, { receives: 1 }),
        ({ body }) => body.includes(`-${table}"`),
      );
      expect(returned).toEqual(new Set(kinds.map(batch.idOf)));
      await batch.expectStored(ingest, returned);
    },
  );
});
