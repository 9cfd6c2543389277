import type { DynamoDBClient, PutItemCommand, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, test, vi } from "vitest";
import { contractBrand } from "../../lib/brand.ts";
import type { Item } from "../../lib/dynamo/item.ts";
import type { Intake } from "../../lib/intake.ts";
import { PassRegister } from "../../lib/passes/pass-register.ts";
import { putPass } from "../../lib/passes/put-pass.ts";
import { putSellOrder } from "../../lib/sell-orders/put-sell-order.ts";
import { SellOrderRegister } from "../../lib/sell-orders/sell-order-register.ts";
import { putTransaction } from "../../lib/transactions/put-transaction.ts";
import { TransactionRegister } from "../../lib/transactions/transaction-register.ts";
import type { WriteOutcome } from "../../lib/write-outcome.ts";
import { lineCount } from "../../local/records/tally.ts";
import { cases } from "../support/cases.ts";
import { ConditionalWrites } from "../support/conditional-writes.ts";
import { membersOfState, sellOrderText, transactionText } from "../support/documents.ts";
import {
  type Cut,
  cutKinds,
  type ImportRun,
  importLines,
  StoreCalls,
} from "../support/interrupted-import.ts";

vi.mock("node:timers/promises", () => ({
  // Pauses pass at once, but a signal still ends them early.
  setTimeout: async (_ms: number, _value: unknown, { signal }: { signal: AbortSignal }) => {
    signal.throwIfAborted();
  },
}));

/** A store of one kind of record, empty at first. */
interface Store {
  writerOf(calls: StoreCalls): (text: string) => Promise<WriteOutcome>;
  /** The texts that readers would get. */
  readonly shown: unknown;
}

const clock = () => Date.parse("2026-03-02T00:00:00Z");

type Put = (client: DynamoDBClient, text: string, intake: Intake) => Promise<WriteOutcome>;

/** A table of versioned records under a key of these names; each call of a client of its own goes through `calls`. */
function tableOf(keyNames: readonly string[], put: Put, intake: Intake): Store {
  const table = new ConditionalWrites(...keyNames);
  const idOf = (item: Item = {}) => item[keyNames.at(-1) ?? ""]?.S ?? "";
  const clientOf = (calls: StoreCalls) => {
    const send = async (command: PutItemCommand | UpdateItemCommand) => {
      const effect = () => table.client.send(command as PutItemCommand).catch((error: unknown) => error);
      const { input } = command;
      const answer = await calls.call(idOf("Item" in input ? input.Item : input.Key), effect);
      if (answer instanceof Error) throw answer;
      return answer;
    };
    return { send } as unknown as DynamoDBClient;
  };
  return {
    writerOf: (calls) => (text) => put(clientOf(calls), text, { clock, ...intake }),
    get shown() {
      return new Map(table.items.map((item) => [idOf(item), { ...item, corrections: undefined }]));
    },
  };
}

const putAcmeTransaction: Put = (client, text, intake) =>
  putTransaction(new TransactionRegister({ client, name: "table" }), contractBrand, "acme", text, intake);
const putAcmeSellOrder: Put = (client, text, intake) =>
  putSellOrder(new SellOrderRegister({ client, name: "table" }), contractBrand, "acme", text, intake);

const putAcmePass: Put = (client, text, intake) =>
  putPass(new PassRegister({ client, name: "table" }), text, intake);

const version = (minute: number, state: "pending" | "declined" | "completed", id = "tx-1") =>
  transactionText({ id, ...membersOfState(state), updated_at: `2026-03-01T10:0${minute}:00Z` });
const ORDER_ID = "0bcdefab-0000-4000-8000-000000000001";
const order = (minute: number, status: string, id = ORDER_ID) =>
  sellOrderText({ id, status, transaction_hash: "0xa1", updated_at: `2026-03-01T10:0${minute}:00Z` });
const pass = (number: number, members: object = {}) =>
  JSON.stringify({ partner_reference: "ref-1", type: "event_pass", version: number, ...members });

/**
 * Lines of two records: versions, an unusual step, versions that contradict each other, and lines that break the
 * contract.
 */
const kinds = [
  {
    what: "transactions",
    outcomes: ["written", "unusual", "unchanged", "stale", "refused"],
    open: (intake: Intake) => tableOf(["business_id", "id"], putAcmeTransaction, intake),
    lines: [
      version(1, "declined"),
      version(2, "completed"),
      version(3, "completed"),
      version(1, "pending", "tx-2"),
      version(2, "pending").replace('"id"', '"idd"'),
    ],
  },
  {
    what: "sell orders",
    outcomes: ["written", "unusual", "unchanged", "stale", "refused"],
    open: (intake: Intake) => tableOf(["partner_id", "order_id"], putAcmeSellOrder, intake),
    lines: [
      order(1, "COMPLETED", ORDER_ID.toUpperCase()),
      order(2, "AWAITING_DEPOSIT"),
      order(2, "AWAITING_DEPOSIT", ORDER_ID.replace("0", "1")),
      order(2, "GONE"),
    ],
  },
  {
    what: "passes",
    outcomes: ["written", "unchanged", "stale", "refused"],
    open: (intake: Intake) => tableOf(["partner_reference"], putAcmePass, intake),
    lines: [
      pass(1),
      pass(1, { semantics: { gate: "B" } }),
      pass(2, { template_id: "tpl-1" }),
      pass(2, { template_id: "tpl-2", semantics: { gate: "C" } }),
      pass(1, { partner_reference: "ref-2" }),
      pass(1, { type: 7 }),
    ],
  },
] as const;

/** Every file of this many lines, each of which may be any of these. */
const filesOf = (lines: readonly string[], length: number): string[][] =>
  length === 0 ? [[]] : filesOf(lines, length - 1).flatMap((file) => lines.map((line) => [...file, line]));

/** As many of these as there are cases, spread evenly over all. */
const some = <T>(all: readonly T[], count: number): readonly T[] =>
  all.filter(
    (_, at) => Math.floor((at * count) / all.length) !== Math.floor(((at - 1) * count) / all.length),
  );

const cutsOf = (calls: number): Cut[] =>
  Array.from({ length: calls }, (_, at) => at + 1).flatMap((call) =>
    cutKinds.flatMap((kind) => [true, false].map((takesEffect) => ({ call, kind, takesEffect }))),
  );

async function run(store: Store, file: readonly string[], cut?: Cut): Promise<ImportRun> {
  const calls = new StoreCalls(cut);
  return await importLines(file, store.writerOf(calls), calls);
}

/** Whether a call took effect although its answer was lost: its line counts as unchanged from then on. */
const losesAnswer = ({ kind, takesEffect }: Cut): boolean => takesEffect && kind !== "Ctrl-C";

const together = (runs: readonly ImportRun[], kind: "refused" | "unusual" | "corrected") =>
  new Map(runs.flatMap((one) => [...one[kind]]));

/** Compares imports of one file, all but the last cut short, with one that was not. */
function expectSame(whole: ImportRun, runs: readonly ImportRun[], cuts: readonly Cut[]): void {
  const last = runs.at(-1);
  if (cuts[0]?.kind !== "Ctrl-C")
    expect(runs[0] && lineCount(runs[0].tally)).toBeLessThan(lineCount(whole.tally));
  expect(last?.fault).toBeUndefined();
  expect(last && lineCount(last.tally)).toBe(lineCount(whole.tally));
  expect(sorted(together(runs, "refused"))).toEqual(sorted(whole.refused));
  const lost = cuts.filter(losesAnswer).length;
  for (const kind of ["unusual", "written"] as const) {
    const sum = runs.reduce((count, { tally }) => count + tally[kind], 0);
    expect(sum).toBeLessThanOrEqual(whole.tally[kind]);
    expect(sum).toBeGreaterThanOrEqual(whole.tally[kind] - lost);
  }
}

const sorted = (lines: ReadonlyMap<number, string>) => [...lines].toSorted(([one], [other]) => one - other);

describe.each(kinds)("a file of $what", ({ open, lines, outcomes }) => {
  test("ends with every outcome that such lines may have", async () => {
    const seen = new Set<string>();
    for (const file of filesOf(lines, 3)) {
      const { tally } = await run(open({}), file);
      for (const [outcome, count] of Object.entries(tally)) if (count > 0) seen.add(outcome);
    }
    expect(seen).toEqual(new Set(outcomes));
  });

  test("that is cut short at any of its store calls, in any way, and imported again, ends as it would have at once", async () => {
    for (const file of [...filesOf(lines, 1), ...filesOf(lines, 2), ...some(filesOf(lines, 3), cases(20))]) {
      const store = open({});
      const whole = await run(store, file);
      for (const cut of cutsOf(whole.calls)) {
        const again = open({});
        const runs = [await run(again, file, cut), await run(again, file)];
        expect([file, cut, again.shown]).toEqual([file, cut, store.shown]);
        expectSame(whole, runs, [cut]);
      }
    }
  }, 120_000);

  test("that is cut short twice ends the same", async () => {
    for (const file of some(filesOf(lines, 2), cases(8))) {
      const store = open({});
      const whole = await run(store, file);
      for (const first of cutsOf(whole.calls)) {
        for (const second of cutsOf(whole.calls).filter(({ kind }) => kind === first.kind)) {
          const again = open({});
          const runs = [
            await run(again, file, first),
            await run(again, file, second),
            await run(again, file),
          ];
          expect([file, first, second, again.shown]).toEqual([file, first, second, store.shown]);
          expectSame(whole, runs, [first, second]);
        }
      }
    }
  }, 120_000);

  test("of corrections that is cut short, and imported again with them, ends as it would have at once", async () => {
    const correct = { correct: {} };
    for (const file of [1, 2].flatMap((length) => filesOf(lines, length))) {
      const store = open(correct);
      const whole = await run(store, file);
      for (const cut of cutsOf(whole.calls)) {
        const again = open(correct);
        const runs = [await run(again, file, cut), await run(again, file)];
        expect([file, cut, again.shown]).toEqual([file, cut, store.shown]);
        expect(sorted(together(runs, "refused"))).toEqual(sorted(whole.refused));
        expect(runs.at(-1)?.fault).toBeUndefined();
      }
    }
  }, 120_000);
});
