import type { DynamoDBClient, PutItemCommand, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, test, vi } from "vitest";
import { contractBrand } from "../../lib/brand.ts";
import type { Item } from "../../lib/dynamo/item.ts";
import { Failure } from "../../lib/errors.ts";
import type { Intake } from "../../lib/intake.ts";
import type { WriteOutcome } from "../../lib/write-outcome.ts";
import { type DocumentKindName, documentKinds } from "../../local/records/document-kinds.ts";
import { LineRun } from "../../local/records/line-run.ts";
import type { Line } from "../../local/records/read-lines.ts";
import { lineCount, type Tally } from "../../local/records/tally.ts";
import { writeLines } from "../../local/records/write-lines.ts";
import { cases } from "../support/cases.ts";
import { ConditionalWrites } from "../support/conditional-writes.ts";
import { membersOfState, sellOrderText, transactionText } from "../support/documents.ts";

vi.mock("node:timers/promises", () => ({
  // Pauses pass at once, but a signal still ends them early.
  setTimeout: async (_ms: number, _value: unknown, { signal }: { signal: AbortSignal }) => {
    signal.throwIfAborted();
  },
}));

/** The ways in which a store call may cut an import short. */
const cutKinds = [
  "Ctrl-C",
  "Ctrl-C while the store throttles",
  "a store that throttles for longer than a line is tried",
  "a fault of the store",
  "a store that is gone",
] as const;

/** A point of an import: the number of a store call, and the cut that happens there. */
interface Cut {
  readonly call: number;
  readonly kind: (typeof cutKinds)[number];
  /** Whether the call takes effect all the same. Its answer is then lost, except at a plain Ctrl-C. */
  readonly takesEffect: boolean;
}

/** The store calls of one import, in their order, one of which may cut it short. */
class StoreCalls {
  readonly stop = new AbortController();
  readonly #cut: Cut | undefined;
  #cutRecord: string | undefined;
  count = 0;

  constructor(cut?: Cut) {
    this.#cut = cut;
  }

  /** Makes a call about a record; `effect` is what the store does. */
  async call<Result>(record: string, effect: () => Result): Promise<Result> {
    this.count += 1;
    const isCut = this.count === this.#cut?.call;
    if (isCut) this.#cutRecord = record;
    if (isCut && !this.#cut.takesEffect && this.#cut.kind === "Ctrl-C") this.stop.abort();
    // By the time of the answer, later lines are under way.
    await new Promise(setImmediate);
    const fault = this.#faultOf(record, isCut);
    if (fault === undefined || (isCut && this.#cut?.takesEffect)) {
      const result = effect();
      if (isCut && this.#cut?.kind === "Ctrl-C") this.stop.abort();
      if (fault === undefined) return result;
    }
    throw fault;
  }

  #faultOf(record: string, isCut: boolean): Error | undefined {
    if (this.#cut === undefined || this.count < this.#cut.call) return undefined;
    const { kind } = this.#cut;
    const throttled = () => new Failure("temporarily_unavailable", "The store did not answer.");
    if (kind === "a store that is gone") return new Error("no such table");
    if (kind === "a fault of the store") return isCut ? new Error("no such table") : undefined;
    if (kind === "Ctrl-C while the store throttles") {
      if (isCut) this.stop.abort();
      return isCut ? throttled() : undefined;
    }
    return kind !== "Ctrl-C" && record === this.#cutRecord ? throttled() : undefined;
  }
}

/** The results of an import that has ended. */
interface ImportRun {
  readonly tally: Tally;
  /** The reasons of the lines that were listed as refused, unusual or corrected, by line number. */
  readonly refused: ReadonlyMap<number, string>;
  readonly unusual: ReadonlyMap<number, string>;
  readonly corrected: ReadonlyMap<number, string>;
  /** The number of store calls that the import made. */
  readonly calls: number;
  readonly fault: unknown;
}

/** Imports lines, each by `write`, whose store calls go through `calls`. */
async function importLines(
  texts: readonly string[],
  write: (text: string) => Promise<WriteOutcome>,
  calls: StoreCalls,
): Promise<ImportRun> {
  const lines = (async function* (): AsyncGenerator<Line> {
    for (const [at, text] of texts.entries()) yield { number: at + 1, text };
  })();
  const [refused, unusual, corrected] = [new Map(), new Map(), new Map()];
  const lists = { refused, unusual, corrected, remark: unusual };
  const run = new LineRun(async (line, kind, reason) => void lists[kind].set(line, reason), calls.stop);
  const fault = await writeLines(lines, run, write).catch((error: unknown) => error);
  return { tally: run.tally, refused, unusual, corrected, calls: calls.count, fault };
}

/** A store of one kind of record, empty at first. */
interface Store {
  writerOf(calls: StoreCalls): (text: string) => Promise<WriteOutcome>;
  /** The texts that readers would get. */
  readonly shown: unknown;
}

const clock = () => Date.parse("2026-03-02T00:00:00Z");

/** A table of versioned records under a key of these names; each call of a client of its own goes through `calls`. */
function tableOf(keyNames: readonly string[], kind: DocumentKindName, intake: Intake): Store {
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
    writerOf: (calls) => {
      const client = clientOf(calls);
      const place = { table: () => ({ client, name: "table" }), brand: contractBrand, owner: "acme" };
      return documentKinds[kind].writer({ ...place, intake: { clock, ...intake } });
    },
    get shown() {
      return new Map(table.items.map((item) => [idOf(item), { ...item, corrections: undefined }]));
    },
  };
}

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
    open: (intake: Intake) => tableOf(["business_id", "id"], "transactions", intake),
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
    open: (intake: Intake) => tableOf(["partner_id", "order_id"], "sell-orders", intake),
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
    open: (intake: Intake) => tableOf(["partner_reference"], "passes", intake),
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
  expect(last && lineCount(last.tally)).toBe(lineCount(whole.tally));
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

  const once = (calls: number): Cut[][] => cutsOf(calls).map((cut) => [cut]);
  const twice = (calls: number): Cut[][] =>
    cutsOf(calls).flatMap((first) =>
      cutsOf(calls)
        .filter(({ kind }) => kind === first.kind)
        .map((second) => [first, second]),
    );
  const short = [...filesOf(lines, 1), ...filesOf(lines, 2)];
  const longer = [...short, ...some(filesOf(lines, 3), cases(5))];

  test.each<[string, Intake, readonly string[][], typeof once]>([
    ["at any of its store calls, in any way", {}, longer, once],
    ["twice", {}, some(filesOf(lines, 2), cases(3)), twice],
    ["with corrections", { correct: {} }, short, once],
  ])(
    "that is cut short %s, and imported again, ends as it would have at once",
    async (_, intake, files, cutsIn) => {
      for (const file of files) {
        const store = open(intake);
        const whole = await run(store, file);
        for (const cuts of cutsIn(whole.calls)) {
          const again = open(intake);
          const runs: ImportRun[] = [];
          for (const cut of [...cuts, undefined]) runs.push(await run(again, file, cut));
          expect([file, cuts, again.shown]).toEqual([file, cuts, store.shown]);
          expect(sorted(together(runs, "refused"))).toEqual(sorted(whole.refused));
          expect(runs.at(-1)?.fault).toBeUndefined();
          if (intake.correct === undefined) expectSame(whole, runs, cuts);
        }
      }
    },
    120_000,
  );
});
