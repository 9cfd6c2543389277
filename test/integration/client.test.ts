import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Countinghouse, type CountinghouseOptions, type SellOrder } from "../../client/src/index.ts";
import { type Brand, contractBrand } from "../../lib/brand.ts";
import { getSellOrder } from "../../lib/sell-orders/contract.ts";
import { putSellOrder } from "../../lib/sell-orders/put-sell-order.ts";
import { SellOrderRegister } from "../../lib/sell-orders/sell-order-register.ts";
import { listTrades } from "../../lib/trades/contract.ts";
import { sellOrderText } from "../support/documents.ts";
import { plainStore } from "../support/engine.ts";
import { startTestService, type TestService } from "../support/service.ts";

const DAY_MS = 86_400_000;
const otherBrand: Brand = {
  headerPrefix: "Acme-",
  venue: "ACME",
  // It is in records alone, which a client hands on as they are. The demo with this one need not be written first.
  ownAccount: contractBrand.ownAccount,
  versionHeader: "Acme-Version",
  basePath: "/api/v3",
};
const brands: readonly (readonly [string, Brand])[] = [
  ["the contract's brand", contractBrand],
  ["another brand and a base path", otherBrand],
];

describe.each(brands)("the client, with %s", (_, brand) => {
  let service: TestService;
  let options: CountinghouseOptions;
  beforeAll(async () => {
    service = await startTestService(plainStore, brand);
    options = await optionsOf(service, brand);
  });
  afterAll(() => service.close());

  test("reads a transaction and a list as they are served", async () => {
    const { business } = new Countinghouse(options);
    const { transactionId, token, accountId } = service.demo.business;
    const transaction = await business.transaction(transactionId);
    const served = await service.get(`/transaction/${transactionId}`, { authorization: `Bearer ${token}` });
    expect(transaction).toEqual(withTexts(await served.text()));
    const listed = await Array.fromAsync(business.transactions({ count: 37 }));
    const ids = listed.map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([298, 298]);
    expect(ids).toContain(transactionId);
    const filtered = await Array.fromAsync(
      business.transactions({ account: [accountId], type: ["atm", "fee"] }),
    );
    const sought = listed.filter(
      ({ type, legs }) => ["atm", "fee"].includes(type) && legs.some((leg) => leg.account_id === accountId),
    );
    expect(filtered.map(({ id }) => id)).toEqual(sought.map(({ id }) => id));
  });

  test("reads passes by a token and by a signature, with their tags", async () => {
    const { jws, partnerReference, voidReference } = service.demo.passes;
    const key = JSON.parse(await readFile(jws.privateKeyFile, "utf8"));
    const { versionHeader } = brand;
    const signing = new Countinghouse({
      ...options,
      passes: { versionHeader, jws: { ...key, kid: jws.kid } },
    });
    for (const { passes } of [new Countinghouse(options), signing]) {
      const answer = await passes.get(partnerReference);
      expect(answer).toMatchObject({ status: 200, pass: { partner_reference: partnerReference } });
      const tag = answer.status === 200 ? answer.tag : undefined;
      expect(await passes.get(partnerReference, { ifNoneMatch: tag })).toEqual({ status: 304, tag });
      expect(await passes.get(voidReference)).toEqual({ status: 410 });
      expect(await passes.get("no such pass")).toEqual({ status: 404 });
      await expect(passes.get("a/b")).rejects.toMatchObject({ code: "no_route" });
    }
  });

  test("reads sell orders, and waits for one until it is final", async () => {
    const { ramp } = new Countinghouse(options);
    const { apiKey, orderId, partnerId } = service.demo.ramp;
    const served = await service.get(`/sell-orders/${orderId}`, { "x-api-key": apiKey });
    expect(await ramp.sellOrder(orderId)).toEqual(withTexts(await served.text()));
    const register = new SellOrderRegister(service.table("SellOrders"));
    const id = "0b7d5a0c-6f0a-4b9e-9a51-4f9c2f0e1e2f";
    const steps = ["AWAITING_DEPOSIT", "PROCESSING", "COMPLETED"];
    const put = async (status: string) => {
      const updated_at = `2026-11-24T09:0${3 - steps.length}:00.000Z`;
      const created_at = "2026-11-24T08:00:00.000Z";
      const members = { id, status, payment: brand.ownAccount, created_at, updated_at };
      const { outcome } = await putSellOrder(register, brand, partnerId, sellOrderText(members));
      expect(outcome).toBe("written");
    };
    // The order is not there at first, and moves while it is waited for.
    const sleep = async () => put(steps.shift() ?? "");
    const seen: SellOrder["status"][] = [];
    const onChange = ({ status }: SellOrder) => seen.push(status);
    const final = await new Countinghouse({ ...options, sleep }).ramp.waitUntilFinal(id, { onChange });
    expect([final.status, ...seen]).toEqual(["COMPLETED", "AWAITING_DEPOSIT", "PROCESSING", "COMPLETED"]);
  });

  test("walks through all trades of a market, and goes on where it stopped", async () => {
    const { exchange } = new Countinghouse(options);
    const { symbol } = service.demo.exchange;
    const to = Date.now();
    // The first window of a walk is a day, and those after it are as long as what it finds tells.
    const from = to - 4 * DAY_MS;
    const all = await Array.fromAsync(exchange.trades({ symbol, from, to, limit: 700 }));
    expect(new Set(all.map(({ tid }) => tid)).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(2_000);
    expect(all[0]?.ve).toBe(brand.venue);
    const walk = exchange.trades({ symbol, from, to });
    const first = await takeSome(walk, 1_321);
    const { resume } = walk.progress;
    const rest = await Array.fromAsync(exchange.trades({ resume }));
    expect([...first, ...rest].map(({ tid }) => tid)).toEqual(all.map(({ tid }) => tid));
  });

  test("waits out a 429 as long as it is told, and is then admitted", async () => {
    const waits: number[] = [];
    const sleep = async (ms: number) => {
      waits.push(ms);
      await setTimeout(ms);
    };
    const { ramp, exchange } = new Countinghouse({ ...options, sleep });
    const { partnerId, orderId } = service.demo.ramp;
    await service.useUp(getSellOrder.limit, partnerId, 1_000);
    expect(await ramp.sellOrder(orderId)).toMatchObject({ id: orderId });
    const { owner, symbol } = service.demo.exchange;
    await service.useUp(listTrades.limit, owner, 1_000);
    await Array.fromAsync(exchange.trades({ symbol, from: Date.now() - 60_000, to: Date.now() }));
    const [ofRamp = 0, ofExchange = 0] = waits;
    expect(waits).toHaveLength(2);
    // What is left of the time, and the time of a token.
    for (const [ms, longest] of [
      [ofRamp, 1_000 + 50],
      [ofExchange, 1_000 + 60],
    ] as const) {
      expect(ms).toBeGreaterThan(0);
      expect(ms).toBeLessThanOrEqual(longest);
    }
  });

  test("says which credential is refused, by the service's own code", async () => {
    const wrong = new Countinghouse({
      baseUrl: service.baseUrl,
      business: { accessToken: service.demo.business.noScopeToken },
      exchange: { apiKey: "A".repeat(64), privateKey: new Uint8Array(32) },
      ramp: { apiKey: "B".repeat(43) },
    });
    await expect(wrong.business.transaction("a")).rejects.toMatchObject({ code: "insufficient_scope" });
    await expect(wrong.ramp.sellOrder(service.demo.ramp.orderId)).rejects.toMatchObject({ status: 401 });
    const unsigned = Array.fromAsync(wrong.exchange.trades({ symbol: "BTC-USD", from: Date.now() - 1 }));
    await expect(unsigned).rejects.toMatchObject({ code: "invalid_credentials" });
  });

  test("says that the clock is wrong, and by how much", async () => {
    const { symbol } = service.demo.exchange;
    const ahead = new Countinghouse({ ...options, now: () => Date.now() + 60_000 });
    const walk = Array.fromAsync(ahead.exchange.trades({ symbol, from: Date.now() - 1, to: Date.now() }));
    await expect(walk).rejects.toMatchObject({
      code: "timestamp_in_future",
      message: expect.stringMatching(/clock is (?:59|60)\d{3} ms ahead of the server's/),
    });
  });
});

/** Options with the demo's credentials, under the names of a brand. */
async function optionsOf({ baseUrl, demo }: TestService, brand: Brand): Promise<CountinghouseOptions> {
  const { apiKey, privateKeyFile } = demo.exchange;
  const { headerPrefix, versionHeader } = brand;
  return {
    baseUrl,
    business: { accessToken: demo.business.token },
    passes: { accessToken: demo.passes.token, versionHeader },
    exchange: { apiKey, headerPrefix, privateKey: await readFile(privateKeyFile, "utf8") },
    ramp: { apiKey: demo.ramp.apiKey },
  };
}

/** A record with each number as text, made by the platform's own way to see the digits. */
const withTexts = (text: string): unknown =>
  JSON.parse(text, ((_: string, value: unknown, { source }: { source: string }) =>
    typeof value === "number" ? source : value) as (name: string, value: unknown) => unknown);

async function takeSome<Item>(items: AsyncIterable<Item>, count: number): Promise<Item[]> {
  const taken: Item[] = [];
  for await (const item of items) {
    taken.push(item);
    if (taken.length === count) break;
  }
  return taken;
}
