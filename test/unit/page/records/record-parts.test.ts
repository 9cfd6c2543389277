import { expect, test } from "vitest";
import { parseTwice } from "../../../../client/src/exact-json.ts";
import { amountsIn } from "../../../../page/src/records/amounts.ts";
import { passCardOf } from "../../../../page/src/records/pass-card-fields.ts";

const exact = (text: string): unknown => parseTwice(text).exact;

test("every amount beside its currency is listed with its digits, and no other member", () => {
  const record = exact(
    '{"fiat":{"amount":33.80,"currency":"EUR"},"crypto":{"amount":0.991438254750782685,"currencyId":"ETH"},' +
      '"legs":[{"amount":-1,"currency":"GBP","fee":0.20},{"amount":98765432109876.540,"currency":"EUR"}],"exchange_rate":2.5}',
  );
  expect(amountsIn(record)).toEqual([
    { name: "fiat", amount: "33.80", currency: "EUR" },
    { name: "crypto", amount: "0.991438254750782685", currency: "ETH" },
    { name: "legs 1", amount: "-1", currency: "GBP" },
    { name: "legs 2", amount: "98765432109876.540", currency: "EUR" },
  ]);
});

test.each([["text"], [null], ["[]"]])("a body of %j has no amounts", (body) => {
  expect(amountsIn(body)).toEqual([]);
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
