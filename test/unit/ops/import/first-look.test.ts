import { describe, expect, test } from "vitest";
import { describeFile, lookAt } from "../../../../ops/import/first-look.ts";

const JQ = "puts each record on a line";
const kraken = "1690000000.1234,27000.1,0.5";
const binance = "1,2.5,4,10,1732482000123,False,True";
const match = '{"type":"match","trade_id":1,"side":"buy","size":"1","price":"1","product_id":"BTC-USD"}';
const record = '{"tdt":1795554000000,"p":"1","q":"1"}';
const transaction = '{"id":"1","type":"topup","state":"completed","legs":[{"leg_id":"1"}]}';

describe("a file whose lines were all refused", () => {
  test.each([
    [kraken, "binance", "--format kraken"],
    ["time,price,volume", "ndjson", "--format kraken"],
    [binance, "kraken", "--format binance"],
    ["id,price,qty,quote_qty,time,is_buyer_maker", "kraken", "--format binance"],
    [match, "ndjson", "--format coinbase"],
    ['{"type":"subscriptions","channels":[]}', "ndjson", "--format coinbase"],
    [record, "coinbase", "--format ndjson"],
    [record, "kraken", "--format ndjson"],
    [record, "transactions", "`import trades` with --format ndjson"],
    [kraken, "sell-orders", "`import trades` with --format kraken"],
    [transaction, "passes", "`import transactions`"],
    [transaction, "ndjson", "`import transactions`"],
    ['{"partner_reference":"1","type":"x"}', "transactions", "`import passes`"],
    ['{"id":"1","crypto":{"amount":1,"currencyId":"BTC"}}', "transactions", "`import sell-orders`"],
  ])("that begins with %s, imported as %s, looks like %s", (head, given, kind) => {
    expect(describeFile(`${head}\nmore`, given)).toEqual({
      text: `Its first line looks like ${kind}.`,
      isOtherForm: false,
    });
  });

  test.each([
    [`[${record},${record}]`, "ndjson", JQ],
    [`[\n  ${record}\n]`, "ndjson", JQ],
    ['[{"id":1}', "transactions", JQ],
    ['{"data":[{"tdt":1}],"metadata":{}}', "ndjson", "`jq -c '.data[]'`"],
    ['{"trades":[\n{"tdt":1},\n{"tdt":2}\n]}', "ndjson", "`jq -c '.NAME[]'`"],
    ['{ "items" : [\n{"id":"1"}\n]}', "transactions", "`jq -c '.NAME[]'`"],
    [`${record},\n${record}`, "ndjson", "`sed 's/,$//'`"],
    ['{\n  "id": "1"\n}', "transactions", "spread over lines"],
    ["id,type,state\n1,topup,completed", "transactions", "The file is CSV."],
  ])("that begins with %s holds no record a line", (head, given, text) => {
    expect(describeFile(head, given)).toEqual({ text: expect.stringContaining(text), isOtherForm: true });
  });

  test.each([
    [kraken, "kraken"],
    [binance, "binance"],
    [match, "coinbase"],
    [record, "ndjson"],
    [transaction, "transactions"],
    ["", "ndjson"],
    ["hello", "transactions"],
    ['{"id":"1"}', "transactions"],
  ])("that begins with %s, imported as %s, gives no clue", (head, given) => {
    expect(describeFile(head, given)).toBeUndefined();
  });
});

test("the beginning is seen on the way, without a byte order mark, and nothing is lost", async () => {
  const parts = [Buffer.from("\u{feff}"), Buffer.from(" [1"), Buffer.from(`,${"2".repeat(9_000)}]`)];
  async function* chunks() {
    yield* parts;
  }
  const look = lookAt({ name: "x", chunks: chunks(), sizeBytes: undefined, readBytes: () => 0 });
  expect(look.head()).toBe("");
  const read = Buffer.concat(await Array.fromAsync(look.source.chunks));
  expect(read).toEqual(Buffer.concat(parts));
  expect(look.head()).toMatch(/^\[1,2{4000}/);
  expect(look.head().length).toBeLessThan(9_000);
});
