import { afterAll, describe, expect, test } from "vitest";
import { contractBrand } from "../../../lib/brand.ts";
import { PassStore } from "../../../lib/passes/pass-store.ts";
import { putSellOrder } from "../../../lib/sell-orders/put-sell-order.ts";
import { failReasons, sellOrderStatuses } from "../../../lib/sell-orders/sell-order-kinds.ts";
import { SellOrderRegister } from "../../../lib/sell-orders/sell-order-register.ts";
import { putTransaction } from "../../../lib/transactions/put-transaction.ts";
import { transactionStates } from "../../../lib/transactions/transaction-kinds.ts";
import { TransactionRegister } from "../../../lib/transactions/transaction-register.ts";
import { advanceRecord } from "../../../local/demo/advance/advance-record.ts";
import { type RecordKind, sellOrderKind, transactionKind } from "../../../local/demo/advance/record-kinds.ts";
import { seedRecords } from "../../../local/demo/seed-records.ts";
import type { OperatorStore } from "../../../ops/store/operator-store.ts";
import { startEngine } from "../../support/engine.ts";
import { sellOrder } from "./records.ts";

/** An afternoon, so that the demo's newest update is of the day before. */
const NOW = Date.parse("2026-11-28T15:00:00Z");
const clock = () => NOW;

const engine = await startEngine("dynalite");
const store: OperatorStore = {
  table: (name) => engine.table(name),
  brand: contractBrand,
  name: "the store",
  close: async () => {},
};
const seeded = await seedRecords({ client: engine.client, stage: "test", brand: contractBrand, clock });
afterAll(() => engine.close());

const advance = (id: string, to?: string, owner?: string) => advanceRecord(store, { id, to, owner }, clock);

/** The files begin with a record of each type in each state. */
const RECORDS_MAX = 100;

/** Ids of demo records of a kind. */
const idsOf = (kind: RecordKind): string[] => {
  const { business, otherBusiness, partner, otherPartner } = seeded.records;
  const files = kind === transactionKind ? [business, otherBusiness] : [partner, otherPartner];
  return files.flatMap(({ documents }) => documents.slice(0, RECORDS_MAX).map(({ id }) => id));
};

/** Takes every step that is offered to any of the demo's records, and then those that are offered after it. */
async function takeAllSteps(kind: RecordKind): Promise<{ reached: Set<string>; unusual: string[] }> {
  const reached = new Set<string>();
  const unusual: string[] = [];
  const turns = new Map<string, number>();
  for (const id of idsOf(kind)) {
    for (let said: string | undefined; ; ) {
      const [record] = await kind.find(store, id);
      if (record === undefined) throw new Error(`${id} is not stored`);
      if (said !== undefined) expect(kind.stateOf(record.members)).toBe(said);
      const possible = kind.reaches(record.members, contractBrand);
      // The records that are in one state proceed to each of the next in turn.
      const from = kind.stateOf(record.members);
      const turn = turns.get(from) ?? 0;
      turns.set(from, turn + 1);
      const to = possible[turn % possible.length];
      if (to === undefined) break;
      const step = await advance(id, to);
      reached.add(step.to);
      if (step.unusual !== undefined) unusual.push(`${step.from} → ${step.to}: ${step.unusual}`);
      said = to;
    }
  }
  return { reached, unusual };
}

describe("each step that is offered is a usual one, and together they lead to every state of the contract", () => {
  test("of sell orders", async () => {
    const { reached, unusual } = await takeAllSteps(sellOrderKind);
    expect(unusual).toEqual([]);
    const later = [...sellOrderStatuses, ...failReasons].filter((state) => state !== "AWAITING_DEPOSIT");
    expect(reached).toEqual(new Set([...later, "DEPOSIT_SEEN"]));
  });

  test("of transactions", async () => {
    const { reached, unusual } = await takeAllSteps(transactionKind);
    expect(unusual).toEqual([]);
    expect(reached).toEqual(new Set(transactionStates.filter((state) => state !== "created")));
  });

  test("of passes: a higher version, and gone", async () => {
    expect(await advance("loyalty-88015")).toMatchObject({ from: "version 12", to: "version 13" });
    expect(await advance("loyalty-88015", "VOID")).toMatchObject({ from: "version 13", to: "void" });
    expect(await new PassStore(store.table("Passes")).get("loyalty-88015")).toMatchObject({ state: "void" });
    await expect(advance("loyalty-88015")).rejects.toThrow("which is final");
  });
});

const ORDER = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const put = (partner: string, id: string, changes: (text: string) => string = (text) => text) =>
  putSellOrder(
    new SellOrderRegister(store.table("SellOrders")),
    contractBrand,
    partner,
    changes(sellOrder(id, contractBrand.ownAccount)),
    { clock },
  );

describe("a record that was imported", () => {
  test("advances without a state to the next one, with what the state needs, and keeps its digits", async () => {
    await put("imported", ORDER);
    const [before] = await sellOrderKind.find(store, ORDER);
    const { record, from, to } = await advance(ORDER.toLowerCase());
    expect([from, to].every((state) => state !== "")).toBe(true);
    expect(JSON.stringify(record.members.crypto)).toBe(JSON.stringify(before?.members.crypto));
    expect(record.members.updated_at).toBe("2026-11-28T15:00:00.000Z");
  });

  test("of which the last version is ahead of the clock gets a version after that one", async () => {
    const id = "01ARZ3NDEKTSV4RRFFQ69G5FAW";
    await put("imported", id, (text) =>
      text.replace(/"updated_at":"[^"]*"/, '"updated_at":"2026-11-28T20:00:00.123456Z"'),
    );
    expect((await advance(id)).record.members.updated_at).toBe("2026-11-28T20:00:00.124Z");
  });

  test("is asked for by its owner when several owners have its id", async () => {
    const transaction = `{"id":"tx-7","type":"fee","state":"pending","created_at":"2026-11-27T10:00:00Z","updated_at":"2026-11-27T10:00:00Z","legs":[{"leg_id":"l","amount":-1.10,"currency":"EUR","account_id":"a"}]}`;
    const register = new TransactionRegister(store.table("Transactions"));
    for (const business of ["one", "two"])
      await putTransaction(register, contractBrand, business, transaction, { clock });
    await expect(advance("tx-7")).rejects.toThrow(
      /^tx-7 stands for several records: a transaction of (?:one, a transaction of two|two, a transaction of one)\. Say which with --owner\.$/,
    );
    await expect(advance("tx-7", undefined, "three")).rejects.toThrow(
      "three has no tx-7: it is a transaction of",
    );
    expect(await advance("tx-7", undefined, "two")).toMatchObject({
      from: "pending",
      to: "completed",
      record: { ownerId: "two", members: { completed_at: "2026-11-28T15:00:00.000Z" } },
    });
    const states = (await transactionKind.find(store, "tx-7")).map(({ members }) => members.state);
    expect(new Set(states)).toEqual(new Set(["completed", "pending"]));
  });
});

describe("what cannot be done is refused, with what can", () => {
  test("for an id of no record", async () => {
    await expect(advance("nobody")).rejects.toThrow(
      "There is no sell order, transaction or pass nobody in the store.",
    );
  });

  test("for a state that does not follow, and for one that is misspelled", async () => {
    const id = "01ARZ3NDEKTSV4RRFFQ69G5FAX";
    await put("imported", id);
    const possible = "It can become COMPLETED, REFUNDED, FAILED, CREDITED_AS_CRYPTO.";
    await expect(advance(id, "AWAITING_DEPOSIT")).rejects.toThrow(
      `cannot become AWAITING_DEPOSIT. ${possible}`,
    );
    await expect(advance(id, "complete")).rejects.toThrow(`Did you mean COMPLETED? ${possible}`);
  });
});

test("a transfer between accounts of the service is never pending", () => {
  const own = (type: string, account: string) =>
    transactionKind.reaches(
      { type, state: "created", legs: [{ counterparty: { account_type: account } }] },
      contractBrand,
    );
  for (const account of ["self", contractBrand.ownAccount])
    expect(own("transfer", account)[0]).toBe("completed");
  expect(own("transfer", "external")[0]).toBe("pending");
  expect(own("fee", "self")[0]).toBe("pending");
});
