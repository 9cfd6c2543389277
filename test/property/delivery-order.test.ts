import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contractBrand } from "../../lib/brand.ts";
import type { Lifecycle } from "../../lib/lifecycle.ts";
import { putSellOrder } from "../../lib/sell-orders/put-sell-order.ts";
import { type SellOrderState, sellOrderLifecycle } from "../../lib/sell-orders/sell-order-kinds.ts";
import { SellOrderRegister } from "../../lib/sell-orders/sell-order-register.ts";
import { SellOrderStore } from "../../lib/sell-orders/sell-order-store.ts";
import { putTransaction } from "../../lib/transactions/put-transaction.ts";
import { transactionLifecycle } from "../../lib/transactions/transaction-kinds.ts";
import { TransactionRegister } from "../../lib/transactions/transaction-register.ts";
import type { WriteOutcome } from "../../lib/write-outcome.ts";
import { membersOfState, sellOrderText, transactionText } from "../support/documents.ts";
import { type Engine, startEngine, testedStores } from "../support/engine.ts";

/** A version of a record that its source could have sent after the ones before it. */
interface Version<State> {
  readonly state: State;
  /** When it was updated: several versions may share an instant. */
  readonly second: number;
  readonly note: string;
  /** Whether it spells the record's id in capitals. */
  readonly isCapital: boolean;
}

/** Every way through a lifecycle, with repeated states, skipped ones, and instants that stand still. */
function historyOf<State extends string>(
  lifecycle: Lifecycle<State>,
): fc.Arbitrary<readonly Version<State>[]> {
  const states = Object.keys(lifecycle.reaches) as State[];
  const draw = fc.record({
    stay: fc.boolean(),
    choice: fc.nat(),
    pause: fc.nat({ max: 2 }),
    note: fc.constantFrom("a", "b", "ü", "😀"),
    isCapital: fc.boolean(),
  });
  return fc
    .tuple(fc.constantFrom(...states), fc.array(draw, { minLength: 1, maxLength: 6 }))
    .map(([first, draws]) => {
      let state = first;
      let second = 0;
      return draws.map(({ stay, choice, pause, note, isCapital }) => {
        const next = lifecycle.reaches[state];
        state = (stay ? undefined : next[choice % next.length]) ?? state;
        second += pause;
        return { state, second, note, isCapital };
      });
    });
}

/** The versions as up to four writers deliver them at the same time: each at least once, in any order. */
const deliveryOf = <State extends string>(lifecycle: Lifecycle<State>) =>
  historyOf(lifecycle).chain((history) => {
    const every = fc.shuffledSubarray([...history], { minLength: history.length });
    const some = fc.array(fc.constantFrom(...history), { maxLength: 4 });
    const writers = fc.tuple(every, fc.array(fc.oneof(every, some), { minLength: 1, maxLength: 3 }));
    return writers.map(([first, others]) => ({ history, writers: [first, ...others] }));
  });

const instantOf = (second: number) => `2026-03-01T10:00:${String(second).padStart(2, "0")}Z`;
const transactionMembers = ({ state, second, note }: Version<keyof typeof transactionLifecycle.rank>) => ({
  ...membersOfState(state),
  updated_at: instantOf(second),
  reference: note,
});

function statusOf(state: SellOrderState) {
  if (state === "AWAITING_DEPOSIT (SEEN)") return { status: "AWAITING_DEPOSIT", transaction_hash: "0xa1" };
  return state === "FAILED (EXPIRED)" ? { status: "FAILED", fail_reason: "EXPIRED" } : { status: state };
}

let serial = 0;

describe.each(testedStores)("several writers of one record on %s", (kind) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startEngine(kind);
  });
  afterAll(() => engine.close());

  async function deliver<State>(
    writers: readonly (readonly Version<State>[])[],
    put: (version: Version<State>) => Promise<WriteOutcome>,
  ): Promise<void> {
    const outcomes: WriteOutcome[] = [];
    const write = async (versions: readonly Version<State>[]) => {
      for (const version of versions) outcomes.push(await put(version));
    };
    await Promise.all(writers.map(write));
    expect(outcomes.filter(({ outcome }) => outcome === "refused")).toEqual([]);
    expect(outcomes.some(({ outcome }) => outcome === "written")).toBe(true);
  }

  const itemOf = async (table: "Transactions" | "SellOrders", Key: Record<string, { S: string }>) =>
    (
      await engine.client.send(
        new GetItemCommand({ TableName: engine.tableName(table), Key, ConsistentRead: true }),
      )
    ).Item;

  test("end with the same transaction in whatever order its versions come", async () => {
    const register = new TransactionRegister(engine.client, engine.tableName("Transactions"));
    await fc.assert(
      fc.asyncProperty(deliveryOf(transactionLifecycle), async (delivery) => {
        const id = `tx-${serial++}`;
        const put = (businessId: string) => (version: (typeof delivery.history)[number]) =>
          putTransaction(
            register,
            contractBrand,
            businessId,
            transactionText({ id, ...transactionMembers(version) }),
          );
        await deliver(delivery.writers, put("shuffled"));
        await deliver([delivery.history], put("in-order"));
        const [shuffled, inOrder] = await Promise.all(
          ["shuffled", "in-order"].map((business) =>
            itemOf("Transactions", { business_id: { S: business }, id: { S: id } }),
          ),
        );
        expect({ ...shuffled, business_id: undefined }).toEqual({ ...inOrder, business_id: undefined });
        const last = delivery.history.at(-1);
        expect(shuffled).toMatchObject({ state: { S: last?.state } });
      }),
      { numRuns: 40 },
    );
  });

  test("end with the same sell order, and with its first spelling, in whatever order its versions come", async () => {
    const register = new SellOrderRegister(engine.client, engine.tableName("SellOrders"));
    await fc.assert(
      fc.asyncProperty(deliveryOf(sellOrderLifecycle), async (delivery) => {
        const id = `abcdefab-0000-4000-8000-${String(serial++).padStart(12, "0")}`;
        const put = (partnerId: string) => (version: (typeof delivery.history)[number]) =>
          putSellOrder(
            register,
            contractBrand,
            partnerId,
            sellOrderText({
              id: version.isCapital ? id.toUpperCase() : id,
              ...statusOf(version.state),
              updated_at: instantOf(version.second),
              wallet: version.note,
            }),
          );
        await deliver(delivery.writers, put("shuffled"));
        await deliver([delivery.history], put("in-order"));
        const [shuffled, inOrder] = await Promise.all(
          ["shuffled", "in-order"].map((partner) =>
            itemOf("SellOrders", { partner_id: { S: partner }, order_id: { S: id } }),
          ),
        );
        expect({ ...shuffled, partner_id: undefined }).toEqual({ ...inOrder, partner_id: undefined });
        const oldest = delivery.history.filter(
          ({ second, state }) =>
            second === delivery.history[0]?.second && state === delivery.history[0].state,
        );
        const spelling = oldest.every(({ isCapital }) => isCapital) ? id.toUpperCase() : id;
        expect(
          await new SellOrderStore(engine.client, engine.tableName("SellOrders")).get("shuffled", id),
        ).toMatch(new RegExp(`^\\{"id":"${spelling}",`));
        expect(shuffled).toMatchObject({ state: { S: delivery.history.at(-1)?.state } });
      }),
      { numRuns: 40 },
    );
  });
});
