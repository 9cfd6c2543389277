import { describe, expect, test } from "vitest";
import { contractBrand } from "../../../lib/brand.ts";
import { checkTransaction } from "../../../lib/transactions/transaction.ts";
import {
  cardTypes,
  transactionStates,
  transactionTypes,
} from "../../../lib/transactions/transaction-kinds.ts";
import { legOf, membersOfState, transactionText } from "../../support/documents.ts";

const check = (text: string, brand = contractBrand) => checkTransaction(brand, "business-1", text);
const violationOf = (members: Record<string, unknown>) => {
  const checked = check(transactionText(members));
  return checked.ok ? "none" : checked.reason;
};
const docOf = (text: string) => {
  const checked = check(text);
  return checked.ok ? checked.value.doc : checked.reason;
};

describe("a transaction", () => {
  test("of every member is served in the contract's order, as it came", () => {
    const doc = JSON.stringify({
      id: "tx-1",
      type: "card_payment",
      request_id: "request-1",
      state: "completed",
      created_at: "2026-03-01T10:00:00.5+01:00",
      updated_at: "2026-03-01T09:05:00Z",
      completed_at: "2026-03-01T09:05:00Z",
      scheduled_for: "2026-03-02",
      related_transaction_id: "tx-0",
      merchant: { id: "M 1/2", name: "Café", city: "Lyon", category_code: "5812", country: "FRA" },
      reference: "Dinner",
      legs: [
        {
          leg_id: "leg-1",
          amount: -47.8,
          fee: 0,
          currency: "EUR",
          bill_amount: -40.1,
          bill_currency: "GBP",
          account_id: "account-1",
          counterparty: { account_id: "account-9", account_type: "external", id: "counterparty-1" },
          description: "Dinner",
          balance: 952.2,
        },
      ],
      card: {
        id: "card-1",
        card_number: "459480******8529",
        first_name: "Ada",
        last_name: "Byron",
        phone: "+33123456789",
        references: [{ name: "cost-centre", value: "7" }],
      },
    });
    const reversed = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(doc)).toReversed()));
    expect(docOf(doc)).toBe(doc);
    expect(docOf(reversed)).toBe(doc);
  });

  test("keeps the digits of its amounts", () => {
    const text = transactionText().replace('"amount":-47.8', '"amount":12345678901234567.89,"balance":-0');
    expect(docOf(text)).toContain('"amount":12345678901234567.89,');
    expect(docOf(text)).toContain('"balance":0}');
  });

  test.each(["INV 2026/11 +A=", "a#b%2F", "счёт 7", "😀".repeat(128)])(
    "keeps the request id %j, which its client chose",
    (request_id) => {
      const checked = check(transactionText({ request_id }));
      expect(checked.ok && checked.value.requestId).toBe(request_id);
      expect(docOf(transactionText({ request_id }))).toContain(`"request_id":${JSON.stringify(request_id)}`);
    },
  );

  test("is found and ordered by its instants, its accounts, and its request", () => {
    const legs = [legOf(), legOf({ leg_id: "leg-2", account_id: "account-1" })];
    const updated_at = "2026-03-01T12:00:00.0000019+01:00";
    const checked = check(transactionText({ type: "exchange", request_id: "r", legs, updated_at }));
    expect(checked.ok && checked.value).toMatchObject({
      businessId: "business-1",
      id: "tx-1",
      requestId: "r",
      type: "exchange",
      state: "pending",
      createdMicros: "001772359200000000",
      updatedMicros: "001772362800000001",
      accounts: ["account-1"],
    });
  });

  test.each(["19-2000145399/0800", "GB33 BUKB 2020 1555 5555 55", "cp/1", "MTIzNDU2Nzg5MA==", "%2F é😀#?"])(
    "keeps %j letter for letter where no path carries it",
    (given) => {
      const counterparty = { account_id: given, account_type: "external", id: given };
      const members = { request_id: given, card: { id: given } };
      const legs = [legOf({ leg_id: given, counterparty })];
      expect(JSON.parse(docOf(transactionText({ ...members, legs })))).toMatchObject({
        ...members,
        legs: [{ leg_id: given, counterparty: { account_id: given, id: given } }],
      });
      const account = { legs: [legOf({ account_id: given })] };
      for (const changes of [{ id: given }, { related_transaction_id: given }, account])
        expect(violationOf(changes)).toContain("must be 1 to 128 of the characters");
    },
  );

  test.each(["a".repeat(129), "a\tb", "a\ud800"])("refuses %j there, with the member's name", (given) => {
    expect(violationOf({ legs: [legOf({ leg_id: given })] })).toMatch(/^legs\[0\]\.leg_id must be/);
    expect(violationOf({ card: { id: given } })).toMatch(/^card\.id must be/);
  });

  test.each([
    { reference: "", completed_at: null, merchant: {}, card: { id: null, references: [] } },
    { request_id: " ", reference: "\t\n", card: { id: "\u00a0", phone: " " }, related_transaction_id: " " },
  ])("loses members that are null, empty or blank, and whole objects of those: %j", (members) =>
    expect(docOf(transactionText(members))).toBe(docOf(transactionText())),
  );

  test("loses a counterparty without any content, even its kind, and keeps one with content", () => {
    const legsWith = (counterparty: unknown) => transactionText({ legs: [legOf({ counterparty })] });
    for (const account_type of [null, "", undefined])
      expect(docOf(legsWith({ id: null, account_id: "", account_type }))).toBe(docOf(transactionText()));
    expect(docOf(legsWith({ id: null, account_id: "a-1", account_type: null }))).toBe(
      "legs[0].counterparty.account_type must be a string",
    );
    expect(docOf(legsWith({ id: null, kind: null }))).toContain("legs[0].counterparty.kind is not a member");
  });

  const inLeg = (members: object) => ({ legs: [legOf({ ...members })] });
  test.each([
    ...["id", "type", "state", "created_at", "updated_at", "legs"].map((member) => [
      member,
      { [member]: undefined },
    ]),
    ...["leg_id", "amount", "currency", "account_id"].map((member) => [
      `legs[0].${member}`,
      inLeg({ [member]: undefined }),
    ]),
  ] as [string, Record<string, unknown>][])("needs %s", (member, members) =>
    expect(violationOf(members)).toBe(`${member} is required`),
  );

  test.each(["[]", "7", "null", '"x"', `[${transactionText()}]`])("is not %s", (text) =>
    expect(docOf(text)).toBe("the document must be an object"),
  );

  test.each([
    ["ID", "id", "a/b"],
    ["instant", "created_at", "2026-03-01T10:00Z"],
    ["date", "scheduled_for", "2026-02-30"],
    ["instant", "completed_at", "2026-03-01"],
    ["type", "type", "constructor"],
    ["state", "state", "COMPLETED"],
    ["text of 128 characters at most", "request_id", "a".repeat(129)],
    ["text without control characters", "request_id", "a\tb"],
    ["text", "request_id", 7],
    ["ID", "related_transaction_id", ".."],
    ["list", "legs", {}],
  ])("refuses what is no %s in %s", (_kind, member, value) =>
    expect(violationOf({ [member]: value })).toMatch(new RegExp(`^${member} must be`)),
  );

  test.each([
    { currency: "gbp" },
    { currency: "GBPX" },
    { bill_currency: "826" },
    { fee: "1" },
    { balance: true },
    { account_id: "a/b" },
  ])("refuses %j in its leg", (members) =>
    expect(violationOf(inLeg(members))).toContain(`legs[0].${Object.keys(members)[0]} must be`),
  );

  test("of no named business is refused", () =>
    expect(checkTransaction(contractBrand, "", transactionText())).toEqual({
      ok: false,
      reason:
        "the business must be named by 1 to 256 characters, none of them invisible, and no space at an end",
    }));
});

describe("every type in every state", () => {
  test.each(transactionTypes.flatMap((type) => transactionStates.map((state) => [type, state] as const)))(
    "%s may be %s",
    (type, state) => expect(violationOf({ type, ...membersOfState(state) })).toBe("none"),
  );
});

const completed_at = "2026-03-01T10:05:00Z";
test.each<[Record<string, unknown>, string]>([
  [{ state: "completed" }, "completed_at is required when state is completed"],
  [{ state: "reverted", completed_at }, "none"],
  [{ state: "reverted" }, "none"],
  ...["created", "pending", "declined", "failed"].map(
    (state) =>
      [{ state, completed_at }, expect.stringMatching(/^completed_at must be left out/)] as [
        Record<string, unknown>,
        string,
      ],
  ),
  ...["declined", "failed"].flatMap((state): [Record<string, unknown>, string][] => [
    [{ state, reason_code: "insufficient_balance" }, "none"],
    [{ state, reason_code: 7 }, "reason_code must be a string"],
  ]),
])("%j: %s", (members, violation) => expect(violationOf(members)).toEqual(violation));

test.each(["created", "pending", "completed", "reverted"] as const)(
  "reason_code has no meaning when %s, and is left out whatever it is",
  (state) => {
    const members = membersOfState(state);
    for (const reason_code of ["insufficient_balance", "", null, 0, ["x"]])
      expect(docOf(transactionText({ ...members, reason_code }))).toBe(docOf(transactionText(members)));
  },
);

describe("merchant", () => {
  test.each(transactionTypes)("of a transaction of type %s is allowed only when a card is involved", (type) =>
    expect(violationOf({ type, merchant: { name: "Shop" } }) === "none").toBe(cardTypes.has(type)),
  );

  test.each(["GB", "GBR", "gb", "gbr", "826", "UK ", "G", "United Kingdom"])(
    "is served with its country as it was given: %j",
    (country) =>
      expect(docOf(transactionText({ merchant: { country } }))).toContain(
        `"merchant":{"country":"${country}"}`,
      ),
  );

  test("loses a country that is blank", () =>
    expect(docOf(transactionText({ merchant: { name: "Shop", country: " " } }))).toContain(
      '"merchant":{"name":"Shop"}',
    ));
});

describe("legs", () => {
  const self = { counterparty: { account_type: "self" } };
  const legsViolation = (type: string, ...legs: object[]) =>
    violationOf({ type, legs: legs.map((leg) => legOf({ ...leg })) });

  const mustBeOne = "legs must have one leg, or two between own accounts";
  test.each<[string, string, ...object[]]>([
    [mustBeOne, "transfer"],
    [mustBeOne, "transfer", self, self, self],
    ["none", "transfer", self, self],
    ["none", "transfer", {}, {}],
    ["none", "exchange", {}, self],
    ["none", "fee", self, self],
  ])("are one, or two between own accounts: %s for %s", (violation, type, ...legs) =>
    expect(legsViolation(type, ...legs)).toBe(violation),
  );

  test.each([
    ["external", "transfer", { counterparty: { account_type: "external" } }],
    ["of the service", "transfer", { counterparty: { account_type: "service" } }],
    ["not said to be own, of a card payment", "card_payment", {}],
  ])("are not two when one account is %s", (_whose, type, leg) =>
    expect(legsViolation(type, self, leg)).toMatch(/^legs must have one leg: two are for/),
  );

  test("name a counterparty by the brand's own word", () => {
    const legs = [legOf({ counterparty: { account_type: "house" } })];
    expect(violationOf({ legs })).toBe(
      "legs[0].counterparty.account_type must be one of self, service, external",
    );
    expect(check(transactionText({ legs }), { ...contractBrand, ownAccount: "house" }).ok).toBe(true);
  });

  test("name the kind of a counterparty that they name", () =>
    expect(violationOf({ legs: [legOf({ counterparty: { id: "c" } })] })).toBe(
      "legs[0].counterparty.account_type is required",
    ));
});

describe("card", () => {
  test.each([
    ["459480******8529", "none"],
    ["45948012****8529", "none"],
    ["459480123***8529", expect.stringMatching(/first 8 and last 4 digits/)],
    ["4594801234568529", expect.stringMatching(/^card\.card_number must be masked(?!.*\d{5})/s)],
    [4594801234568529, "card.card_number must be a string"],
  ])("with the number %s, which a refusal does not repeat: %s", (card_number, violation) =>
    expect(violationOf({ card: { card_number } })).toEqual(violation),
  );

  test.each([
    ["+441632960000", true],
    ["+12", true],
    ["+123456789012345", true],
    ["+1234567890123456", false],
    ["+1", false],
    ["+0123456", false],
    ["441632960000", false],
    ["0+441632960000", false],
    ["+441632960000x", false],
    ["+44 1632 960000", false],
  ])("of phone %s: %s", (phone, isRight) =>
    expect(violationOf({ card: { phone } })).toBe(
      isRight ? "none" : "card.phone must be a phone number of E.164, such as +441632960000",
    ),
  );

  test.each([
    ["none", { name: "b", value: "1" }],
    ["card.references[1].name must differ from the names before it", { name: "a", value: "2" }],
    ["card.references[1].value is required", { name: "b" }],
  ])("has references of different names, with values: %s", (violation, second) =>
    expect(violationOf({ card: { references: [{ name: "a", value: "1" }, second] } })).toBe(violation),
  );
});

test("all broken rules are reported at once", () =>
  expect(violationOf({ state: "completed", merchant: { name: "Shop" }, type: "fee" })).toBe(
    "completed_at is required when state is completed; " +
      "merchant must be left out unless type is one of atm, card_payment, card_refund, card_chargeback, card_credit",
  ));
