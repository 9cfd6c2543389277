import { expect, test } from "vitest";
import { parseTwice } from "../../../../client/src/exact-json.ts";
import type { PageCredentials } from "../../../../local/page/page-questions.ts";
import { amountsOf } from "../../../../page/src/records/amounts.ts";
import { demoRecordChoices } from "../../../../page/src/records/demo-record-choices.ts";
import { passCardOf } from "../../../../page/src/records/pass-card-fields.ts";

const exact = (text: string): unknown => parseTwice(text).exact;

test("every number of a record is listed with its digits, its unit and a name that a person reads", () => {
  const order =
    '{"id":"1","fiat":{"amount":33.80,"currency":"EUR"},"crypto":{"amount":0.991438254750782685,"currencyId":"ETH"},' +
    '"fees":{"ramp_fee":{"amount":1.10,"currency":"EUR"},"partner_fee":{"amount":0.50,"currency":"EUR"}},' +
    '"exchange_rate":34.0910,"fees_partner_currency":{"partner_fee":{"amount":5e-1,"currency":"USD"}}}';
  const transaction =
    '{"legs":[{"amount":-1,"fee":0.20,"currency":"GBP","bill_amount":1.170,"bill_currency":"EUR","balance":0.0},' +
    '{"amount":98765432109876.540,"currency":"EUR"}],"merchant":{"category_code":"7011"},"card":null}';
  const shown = (text: string) =>
    amountsOf(text).map(({ name, amount, unit }) => `${name}: ${amount} ${unit}`);
  expect(shown(order)).toEqual([
    "paid to the customer: 33.80 EUR",
    "sold by the customer: 0.991438254750782685 ETH",
    "ramp's fee: 1.10 EUR",
    "partner's fee: 0.50 EUR",
    "exchange rate: 34.0910 EUR per ETH",
    "partner's fee, in the partner's currency: 5e-1 USD",
  ]);
  expect(shown(transaction)).toEqual([
    "leg 1, amount: -1 GBP",
    "leg 1, fee: 0.20 GBP",
    "leg 1, bill amount: 1.170 EUR",
    "leg 1, balance: 0.0 GBP",
    "leg 2, amount: 98765432109876.540 EUR",
  ]);
});

test("a record is offered by its present state once it is known, by its first one until then, and with its id beside another", () => {
  const credentials = {
    ramp: { orders: { AWAITING_DEPOSIT: "o", PROCESSING: "0123456789" } },
    business: { states: { created: "t" } },
    passes: { references: { loyalty_pass: "p" }, voidReference: "v" },
  } as unknown as PageCredentials;
  const titles = (states: readonly (readonly [string, string])[]) =>
    demoRecordChoices(credentials, new Map(states)).map(([, title]) => title);
  expect(titles([])).toEqual([
    "sell order · AWAITING DEPOSIT",
    "sell order · PROCESSING",
    "transaction · created",
    "pass · loyalty pass",
    "pass · voided",
  ]);
  expect(titles([["o", "DEPOSIT_SEEN"]])[0]).toBe("sell order · DEPOSIT SEEN");
  expect(titles([["o", "PROCESSING"]]).slice(0, 2)).toEqual([
    "sell order · PROCESSING · o…",
    "sell order · PROCESSING · 01234567…",
  ]);
  expect(titles([["p", "version 13"]])[3]).toBe("pass · loyalty pass");
  expect(titles([["p", "void"]])[3]).toBe("pass · loyalty pass · void");
});

test("a pass's card shows each member of its semantics, with the digits that were sent", () => {
  const card = passCardOf(
    exact(
      '{"partner_reference":"r-1","type":"boarding_pass","version":3,"semantics":{"boarding_group":2,"points":1284.50,' +
        '"from":"LIS","via":{"gate":1.0}},"relevant_at":"2026-01-04T08:00:00Z",' +
        '"actions":[{"kind":"open_url","label":"Change seat","url":"https://a.example/"}],"triggers":[{"kind":"time","radius_metres":200}]}',
    ),
  );
  expect(card).toEqual({
    type: "boarding pass",
    reference: "r-1",
    version: "3",
    fields: [
      { label: "boarding group", value: "2" },
      { label: "points", value: "1284.50" },
      { label: "from", value: "LIS" },
      { label: "via", value: '{"gate":"1.0"}' },
      { label: "relevant at", value: "2026-01-04T08:00:00Z" },
    ],
    actions: [{ label: "Change seat", value: "https://a.example/" }],
    triggers: ["time: radius metres 200"],
  });
});

test.each([["{}"], ["[]"], ["null"], ['{"semantics":7,"actions":{},"triggers":"x"}']])(
  "a body of %s that is not a pass makes an empty card",
  (text) => {
    expect(passCardOf(exact(text))).toMatchObject({ fields: [], actions: [], triggers: [] });
  },
);
