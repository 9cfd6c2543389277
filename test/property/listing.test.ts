import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contractBrand } from "../../lib/brand.ts";
import { microsKey, parseInstant } from "../../lib/instant.ts";
import { checkTransaction, type TransactionRecord } from "../../lib/transactions/transaction.ts";
import { transactionStates } from "../../lib/transactions/transaction-kinds.ts";
import { TransactionListStore } from "../../lib/transactions/transaction-list-store.ts";
import type { TransactionQuery } from "../../lib/transactions/transaction-page.ts";
import { TransactionRegister } from "../../lib/transactions/transaction-register.ts";
import { cases } from "../support/cases.ts";
import { legOf, membersOfState, transactionText } from "../support/documents.ts";
import { type Engine, startEngine, testedStores } from "../support/engine.ts";

const accounts = ["account-1", "account-2", "account-3"];
const requests = ["request-1", "request-2"];
const types = ["exchange", "transfer"] as const;
const states = transactionStates.slice(0, 4);

/** Few instants, one of them written with an offset, so that many transactions share one. */
const instants = [
  "2026-03-01T10:00:00Z",
  "2026-03-01T10:00:00.000001Z",
  "2026-03-01T13:00:01+02:00",
  "2026-03-02T00:00:00Z",
];
const microsOf = (text: string): string => microsKey(parseInstant(text) ?? { seconds: 0, fraction: "" });

/** The members of a transaction that a listing uses. */
const listed = fc.record({
  id: fc.stringMatching(/^[A-Za-z0-9._~:-]{1,8}$/).filter((id) => !/^\.\.?$/.test(id)),
  created_at: fc.constantFrom(...instants),
  type: fc.constantFrom(...types),
  state: fc.constantFrom(...states),
  request_id: fc.option(fc.constantFrom(...requests), { nil: undefined }),
  accounts: fc.uniqueArray(fc.constantFrom(...accounts), { minLength: 1, maxLength: 2 }),
});
type Listed = typeof listed extends fc.Arbitrary<infer Value> ? Value : never;

const sampled = (count: number, seed: number) =>
  fc.sample(fc.uniqueArray(listed, { minLength: count, maxLength: count, selector: ({ id }) => id }), {
    numRuns: 1,
    seed,
  })[0] ?? [];

const some = <Value>(values: readonly Value[]) =>
  fc.option(fc.array(fc.constantFrom(...values), { maxLength: 3 }), { nil: undefined });
const bound = fc.option(
  fc.oneof(
    fc.constantFrom(...instants.map(microsOf)),
    fc.constantFrom("000000000000000000", "253402300799999999"),
  ),
  { nil: undefined },
);
const query = fc.record({
  fromMicros: bound,
  toMicros: bound,
  accounts: some([...accounts, "account-9"]),
  types: some(types),
  states: some(states),
  requestId: fc.option(fc.constantFrom(...requests, "request-9"), { nil: undefined, freq: 3 }),
  count: fc.oneof(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 8, max: 250 })),
});

/** The text of a transaction that is stored and served. */
function recordOf(businessId: string, { accounts, ...members }: Listed): TransactionRecord {
  const legs = accounts.map((account_id, index) => legOf({ leg_id: `leg-${index}`, account_id }));
  const text = transactionText({ ...members, ...membersOfState(members.state), legs });
  const checked = checkTransaction(contractBrand, businessId, text);
  if (!checked.ok) throw new Error(checked.reason);
  return checked.value;
}

const positionOf = ({ created_at, id }: Listed) => `${microsOf(created_at)}#${id}`;

const isAny = <Value>(wanted: readonly Value[] | undefined, found: readonly Value[]) =>
  wanted === undefined || wanted.length === 0 || found.some((value) => wanted.includes(value));

/** The expected listing, computed in the plain way. */
const expectedOf = (records: readonly Listed[], query: Omit<TransactionQuery, "businessId">) =>
  records
    .filter(({ created_at }) => query.fromMicros === undefined || microsOf(created_at) >= query.fromMicros)
    .filter(({ created_at }) => query.toMicros === undefined || microsOf(created_at) < query.toMicros)
    .filter(({ accounts }) => isAny(query.accounts, accounts))
    .filter(({ type }) => isAny(query.types, [type]))
    .filter(({ state }) => isAny(query.states, [state]))
    .filter(({ request_id }) => query.requestId === undefined || request_id === query.requestId)
    .toSorted((one, other) => (positionOf(one) < positionOf(other) ? 1 : -1));

const docOf = (record: Listed) => recordOf("business-1", record).doc;

describe.each(testedStores)("a listing on %s", (kind) => {
  const [records, others] = [sampled(200, 20260301), sampled(20, 20260302)];
  let engine: Engine;
  let store: TransactionListStore;

  beforeAll(async () => {
    engine = await startEngine(kind);
    store = new TransactionListStore(engine.table("Transactions"));
    const register = new TransactionRegister(engine.table("Transactions"));
    for (const [businessId, mine] of [
      ["business-1", records],
      ["business-2", others],
    ] as const) {
      for (const record of mine) {
        expect(await register.put(recordOf(businessId, record))).toEqual({ outcome: "written" });
      }
    }
    engine.settle();
  });
  afterAll(() => engine.close());

  test("is, page by page, what a sorted and filtered array is, with a next page exactly when there is more", async () => {
    await fc.assert(
      fc.asyncProperty(query, async (query) => {
        const expected = expectedOf(records, query).map(docOf);
        const found: string[] = [];
        let position: string | undefined;
        do {
          const page = await store.page({ ...query, businessId: "business-1", position });
          expect(page.docs).toEqual(expected.slice(found.length, found.length + query.count));
          found.push(...page.docs);
          expect(page.next === undefined).toBe(found.length === expected.length);
          position = page.next;
        } while (position !== undefined);
      }),
      { numRuns: cases(16) },
    );
  });

  test("may be continued from any position, also from one outside its window", async () => {
    const position = fc.oneof(
      fc.constantFrom(...records.map(positionOf)),
      fc.constantFrom("000000000000000000#a", "253402300799999999#~"),
    );
    await fc.assert(
      fc.asyncProperty(query, position, async (query, position) => {
        const page = await store.page({ ...query, businessId: "business-1", position });
        const expected = expectedOf(records, query).filter((record) => positionOf(record) < position);
        expect(page.docs).toEqual(expected.slice(0, query.count).map(docOf));
      }),
      { numRuns: cases(8) },
    );
  });
});
