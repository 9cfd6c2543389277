import { describe, expect, it } from "vitest";
import { contractBrand } from "../../../../lib/brand.ts";
import { transactionStates, transactionTypes } from "../../../../lib/transactions/transaction-kinds.ts";
import { readDemoRecords } from "../../../../local/demo/demo-records.ts";

const DAY_MS = 86_400_000;
const anchorMs = Date.UTC(2026, 10, 27);

const BUSINESSES = ["harbour-lane-roasters", "mill-street-print"] as const;

/** What was on each account before the first transaction, in minor units. */
const OPENING_MINOR = {
  "fb89dc76-36a2-868d-912a-6bf9de16e153": 48_250_00,
  "1d514270-8a53-88a3-8a94-43609f331dcb": 30_000_00,
  "cb4c5c33-a422-89ae-8866-5548c637a984": 21_400_00,
  "823f8f47-5278-8cef-8402-178e2db25aa4": 35_900_00,
  "e65a4e80-76ba-8d82-bc63-155a1121f73b": 12_600_00,
  "c31eaa47-eb33-8862-8b61-1d14fe346206": 5_000_00,
  "ec8ce9c1-cb6e-873e-bfd6-a5ed1f322eee": 4_100_00,
  "cd35ebe7-6327-815b-ab16-9b9827c4278a": 2_900_00,
} as const;

/** The types that undo or follow an earlier transaction, and the type of that one. */
const ORIGIN_TYPES = {
  card_refund: "card_payment",
  card_chargeback: "card_payment",
  card_credit: "card_payment",
  charge_refund: "charge",
  refund: "transfer",
  topup_return: "topup",
  tax_refund: "tax",
} as const;

/** The transactions of both businesses as they are written, in the order of their files. */
async function demoTransactions(ownAccount: string) {
  const { business, otherBusiness } = await readDemoRecords({ anchorMs, ownAccount });
  return [business, otherBusiness].flatMap(({ ownerId, lines }) =>
    lines.map((line) => ({ businessId: ownerId, text: "text" in line ? line.text : "" })),
  );
}

interface Leg {
  amount: number;
  currency: string;
  fee?: number;
  bill_amount?: number;
  bill_currency?: string;
  account_id: string;
  balance?: number;
  counterparty?: { account_type: string; account_id?: string };
}

interface Document {
  id: string;
  type: string;
  state: string;
  request_id?: string;
  created_at: string;
  updated_at: string;
  completed_at?: string;
  scheduled_for?: string;
  related_transaction_id?: string;
  merchant?: { name: string };
  legs: [Leg, ...Leg[]];
  card?: { card_number: string };
}

const parse = ({ text }: { readonly text: string }): Document => JSON.parse(text);
const records = await demoTransactions(contractBrand.ownAccount);
const inFiles = records.map(parse);
/** Oldest first. */
const documents = inFiles.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
const byId = new Map(documents.map((document) => [document.id, document]));

describe("the demo's transactions", () => {
  it("begin with one transaction of every type in every state", () => {
    const all = transactionTypes.flatMap((type) => transactionStates.map((state) => `${type} ${state}`));
    expect(inFiles.slice(0, all.length).map(({ type, state }) => `${type} ${state}`)).toEqual(all);
  });

  it("have ids of their own, and belong to two businesses that share no account", () => {
    expect(new Set(documents.map(({ id }) => id)).size).toBe(records.length);
    expect(new Set(records.map(({ businessId }) => businessId))).toEqual(new Set(BUSINESSES));
    const accountsOf = (businessId: string) =>
      new Set(
        records
          .filter((record) => record.businessId === businessId)
          .flatMap((record) => parse(record).legs.map((leg) => leg.account_id)),
      );
    const [own, other] = BUSINESSES.map(accountsOf);
    expect([...(own ?? [])].filter((account) => other?.has(account))).toEqual([]);
    expect(own?.size).toBe(4);
  });

  it("lie within the ninety days before the anchor, and nothing but a schedule lies after it", () => {
    for (const document of documents) {
      const { created_at, updated_at, completed_at = created_at, scheduled_for } = document;
      expect(Date.parse(created_at)).toBeGreaterThanOrEqual(anchorMs - 90 * DAY_MS);
      expect(updated_at >= completed_at && completed_at >= created_at).toBe(true);
      expect(Date.parse(updated_at)).toBeLessThan(anchorMs);
      if (scheduled_for !== undefined) expect(Date.parse(scheduled_for)).toBeGreaterThan(anchorMs);
    }
  });

  it("say when they completed if they did, also if they were reverted after it", () => {
    const claims = (state: string) =>
      new Set(
        documents
          .filter((document) => document.state === state)
          .map((document) => "completed_at" in document),
      );
    for (const state of transactionStates) {
      const expected = { completed: [true], reverted: [true, false] }[state as string] ?? [false];
      expect([state, claims(state)]).toEqual([state, new Set(expected)]);
    }
  });

  it("never let a transfer within the service wait, since such transfers are instant", () => {
    const internal = documents.filter(
      ({ type, legs }) => type === "transfer" && legs[0].counterparty?.account_type !== "external",
    );
    expect(internal.length).toBeGreaterThan(0);
    expect(internal.filter(({ state }) => state === "pending")).toEqual([]);
    const words = new Set(internal.map(({ legs }) => legs[0].counterparty?.account_type));
    expect(words).toEqual(new Set(["self", contractBrand.ownAccount]));
  });

  it("name other accounts of the service by the brand's own word", async () => {
    const branded = (await demoTransactions("acme")).map(parse);
    const words = new Set(branded.flatMap(({ legs }) => legs.map((leg) => leg.counterparty?.account_type)));
    expect(words).toEqual(new Set(["self", "external", "acme", undefined]));
  });

  it("relate what follows to an earlier, completed transaction of the right type and account", () => {
    for (const [type, originType] of Object.entries(ORIGIN_TYPES)) {
      const following = documents.filter((document) => document.type === type);
      expect(following.length).toBeGreaterThanOrEqual(transactionStates.length);
      for (const { related_transaction_id, created_at, legs } of following) {
        const origin = byId.get(related_transaction_id ?? "");
        expect(origin).toMatchObject({ type: originType, state: "completed" });
        expect(origin?.legs[0].account_id).toBe(legs[0].account_id);
        expect((origin?.completed_at ?? "z") < created_at).toBe(true);
        expect(Math.sign(legs[0].amount)).toBe(-Math.sign(origin?.legs[0].amount ?? 0));
      }
    }
  });

  it("have two legs between own accounts, one anywhere else", () => {
    for (const { legs } of documents) {
      expect(legs.length).toBe(legs[0].counterparty?.account_type === "self" ? 2 : 1);
      if (legs.length === 2) expect(legs[0].counterparty?.account_id).toBe(legs[1]?.account_id);
    }
    expect(new Set(documents.flatMap(({ legs }) => legs.map((leg) => leg.currency)))).toEqual(
      new Set(["GBP", "EUR", "USD"]),
    );
    const exchanges = documents.filter(({ type }) => type === "exchange");
    expect(exchanges.every(({ legs }) => legs[0].bill_currency === legs[1]?.currency)).toBe(true);
  });

  it("carry balances that add up", () => {
    const inPence = (amount: number) => Math.round(amount * 100);
    const balances = new Map<string, number>(Object.entries(OPENING_MINOR));
    for (const { state, legs } of documents) {
      for (const leg of legs) {
        expect("balance" in leg).toBe(state === "completed");
        if (leg.balance === undefined) continue;
        const after =
          (balances.get(leg.account_id) ?? Number.NaN) + inPence(leg.amount) - inPence(leg.fee ?? 0);
        expect(inPence(leg.balance)).toBe(after);
        expect(after).toBeGreaterThanOrEqual(0);
        balances.set(leg.account_id, after);
      }
    }
  });

  it("show no full card number, and a merchant on card transactions only", () => {
    const cards = documents.flatMap(({ card }) => (card === undefined ? [] : [card.card_number]));
    expect(cards.length).toBeGreaterThan(50);
    expect(cards.filter((shown) => !/^\d{6}\*{6}\d{4}$/.test(shown))).toEqual([]);
    expect(
      records.filter(({ text }) =>
        /"[^"]*\d[\d -]{12,}\d[^"]*"/.test(text.replaceAll(/[\da-f]+(?:-[\da-f]+){4}/g, "")),
      ),
    ).toEqual([]);
    expect(documents.filter(({ merchant, type }) => merchant && !type.startsWith("card_"))).toEqual([]);
  });

  it("include a request that was sent twice", () => {
    const counts = Map.groupBy(
      documents.filter(({ request_id }) => request_id !== undefined),
      ({ request_id }) => request_id,
    );
    const repeated = [...counts.values()].filter((group) => group.length > 1);
    expect(repeated.map((group) => group.map(({ state }) => state))).toEqual([["failed", "completed"]]);
  });
});
