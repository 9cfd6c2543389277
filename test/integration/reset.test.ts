import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contractBrand } from "../../lib/brand.ts";
import { systemClock } from "../../lib/clock.ts";
import { scan } from "../../lib/dynamo/scan.ts";
import { putSellOrder } from "../../lib/sell-orders/put-sell-order.ts";
import { SellOrderRegister } from "../../lib/sell-orders/sell-order-register.ts";
import { advanceRecord } from "../../local/demo/advance/advance-record.ts";
import { readDemoFile } from "../../local/demo/demo-file.ts";
import { seedRecords } from "../../local/demo/seed-records.ts";
import { fewBusyTrades } from "../../local/demo/trade-plan.ts";
import { continueDemoTrades } from "../../local/demo/trades.ts";
import { listFaults, setFault } from "../../local/faults/fault-routes.ts";
import { type Service, startService } from "../../local/local-service.ts";
import { FreshItems, type ItemsOfTables } from "../../local/reset/fresh-items.ts";
import { resetRoute } from "../../local/reset/reset-routes.ts";
import { createLocalClient, openScratchStore } from "../../local/store/engine.ts";
import { plainBehaviour } from "../../local/store/store-behaviour.ts";
import { createTables } from "../../local/store/tables.ts";
import { readAheadMs } from "../../local/time/service-time.ts";
import { timeRoute } from "../../local/time/time-routes.ts";
import { askControl } from "../../ops/control/ask-control.ts";
import { stageTables } from "../../ops/store/local-tables.ts";
import { SwitchRegister } from "../../ops/switches/switch-register.ts";
import { cases } from "../support/cases.ts";
import { filledDataDirectory } from "../support/filled-demo.ts";
import { scratchDirectory } from "../support/scratch.ts";
import { serviceOptions, silent } from "../support/service-options.ts";
import { withStore } from "../support/with-store.ts";
import { sellOrder } from "./ops/records.ts";

const IMPORTED = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
let data: string;
let service: Service;
beforeAll(async () => {
  data = await filledDataDirectory();
  service = await startService(serviceOptions(data), silent);
});
afterAll(() => service.close());

const reset = () => askControl(data, resetRoute, {});

/** Status and body of a request with a credential of the demo, as `demo.json` had it when the service started. */
async function ask(path: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const response = await fetch(`${service.demo.baseUrl}${path}`, { headers });
  return `${response.status} ${await response.text()}`;
}
const order = (id: string) => ask(`/sell-orders/${id}`, { "X-API-KEY": service.demo.ramp.apiKey });
const transactions = () =>
  ask("/transactions?count=500", { authorization: `Bearer ${service.demo.business.token}` });
const pass = (reference: string) => {
  const { token, versionHeader, version } = service.demo.passes;
  return ask(`/passes/${reference}`, { authorization: `Bearer ${token}`, [versionHeader]: version });
};

const demoAnswers = async (): Promise<readonly string[]> => [
  await transactions(),
  ...(await Promise.all(Object.values(service.demo.ramp.orders).map(order))),
  ...(await Promise.all(Object.values(service.demo.passes.references).map(pass))),
];

const advance = (id: string) => withStore({ data }, (store) => advanceRecord(store, { id }, systemClock));

describe("after a reset", () => {
  it("the demo's records have the bytes of a first start, with the same credentials, and no other record is there", async () => {
    const first = await demoAnswers();
    const { ramp, business, passes } = service.demo;
    for (const id of [ramp.orders.AWAITING_DEPOSIT, business.states.created, passes.references.loyalty_pass])
      await advance(id ?? "");
    await withStore({ data }, ({ table, brand }) =>
      putSellOrder(
        new SellOrderRegister(table("SellOrders")),
        brand,
        ramp.partnerId,
        sellOrder(IMPORTED, brand.ownAccount),
      ),
    );
    expect(await order(IMPORTED)).toMatch(/^200 /);
    expect(await demoAnswers()).not.toEqual(first);
    await reset();
    expect(await demoAnswers()).toEqual(first);
    expect(await order(IMPORTED)).toMatch(/^404 /);
  });

  it("no fault is set, and an endpoint that was switched off answers at once", async () => {
    await askControl(data, setFault, { route: "all", fault: "reset" });
    await withStore({ data }, ({ table }) =>
      new SwitchRegister(table("Settings")).put("get-sell-order", { on: false, reason: "a trial" }),
    );
    await reset();
    expect(await askControl(data, listFaults, {})).toEqual([]);
    expect(await order(service.demo.ramp.orderId)).toMatch(/^200 /);
  });
});

it("a caller that asks all the time sees the old record, then perhaps a 503, then the new one, and never the old again", async () => {
  const id = service.demo.ramp.orders.PROCESSING ?? "";
  const fresh = await order(id);
  for (let round = 0; round < cases(1); round += 1) {
    await advance(id);
    const old = await order(id);
    const reached = new AbortController();
    const seen: string[] = [];
    const caller = async (): Promise<void> => {
      const own: string[] = [];
      while (!reached.signal.aborted || own.at(-1) !== "fresh") {
        const answer = await order(id);
        if (answer.startsWith("429 ")) continue;
        own.push(answer === old ? "old" : answer === fresh ? "fresh" : answer.slice(0, 3));
        if (own.at(-1) === "old" && own.includes("fresh")) break;
      }
      seen.push(own.filter((one, at) => one !== own[at - 1]).join(" "));
    };
    const callers = Array.from({ length: 4 }, caller);
    await reset();
    reached.abort();
    await Promise.all(callers);
    for (const sequence of seen) expect(sequence).toMatch(/^(?:old )?(?:503 )?fresh$/);
  }
});

it("a service whose time is moved dates and expires by it, also after a restart, until a reset brings the machine's back", async () => {
  const told = (to?: string) => askControl(data, timeRoute, { ...(to !== undefined && { to }) });
  const limits = () => withStore({ data }, ({ table }) => Array.fromAsync(scan(table("RateLimits"))));
  const [hourMs, dayMs] = [3_600_000, 86_400_000];
  expect((await told("+1h")).aheadMs).toBe(hourMs);
  await expect(told("2026-11-01")).rejects.toThrow("Time only moves forward");
  await service.close();
  const behaviour = { ...plainBehaviour, expiry: "early" } as const;
  service = await startService({ ...serviceOptions(data), behaviour }, silent);
  expect(service.warnings).toEqual([expect.stringContaining("The service's time was moved")]);
  expect((await told()).aheadMs).toBe(hourMs);
  expect(await transactions()).toMatch(/^200 /);
  expect(await limits()).not.toEqual([]);
  const { now } = await told("+401d");
  expect(now - Date.now()).toBeGreaterThan(401 * dayMs);
  expect(await limits()).toEqual([]);
  expect(await transactions()).toMatch(/^401 /);
  const { headers } = await fetch(service.demo.baseUrl);
  expect(Date.parse(headers.get("date") ?? "") + 1_000).toBeGreaterThanOrEqual(now);
  await reset();
  expect(await told()).toMatchObject({ aheadMs: 0 });
  const { business } = await readDemoFile(data);
  expect(await ask("/transactions", { authorization: `Bearer ${business?.token}` })).toMatch(/^200 /);
  expect(await readAheadMs(data)).toBe(0);
}, 60_000);

describe("what a first start would write", () => {
  const DAY_MS = 86_400_000;
  const NOON = Date.parse("2026-11-28T12:00:00Z");
  let now = NOON;
  const dataDir = scratchDirectory();
  const parts = {
    tables: stageTables(),
    stage: "local",
    brand: contractBrand,
    clock: () => now,
    dataDir,
    busy: fewBusyTrades,
  };
  const fresh = new FreshItems(parts);
  const textsOf = (items: ItemsOfTables) =>
    ["Transactions", "SellOrders", "Passes"]
      .flatMap((table) => items.get(`countinghouse-local-${table}`) ?? [])
      .map(({ doc, id }) => [id?.S, doc?.S].join(" "))
      .toSorted();
  beforeAll(async () => {
    const store = await openScratchStore();
    const client = createLocalClient(store);
    await createTables(client, parts.tables);
    await seedRecords({ ...parts, client });
    await continueDemoTrades({ ...parts, client });
    // A midnight passes before the items are kept.
    now = NOON + DAY_MS;
    await fresh.keep(client);
    client.destroy();
    await store.close();
  });

  it("is what a start has kept of its new store, all day, and the same when it is made anew from a damaged file", async () => {
    const file = join(dataDir, "fresh-items.base64");
    const written = readFileSync(file, "utf8");
    now = NOON;
    const kept = await fresh.read();
    now = NOON + 11 * 3_600_000;
    expect(await fresh.read()).toEqual(kept);
    expect(readFileSync(file, "utf8") === written).toBe(true);
    now = NOON;
    writeFileSync(file, "damaged");
    expect(await fresh.read()).toEqual(kept);
  });

  it("has the own-account word of this start, and moves by a whole day on the next", async () => {
    now = NOON;
    const first = textsOf(await fresh.read());
    expect(first.length).toBeGreaterThan(300);
    const brand = { ...contractBrand, ownAccount: "harbour" };
    const branded = textsOf(await new FreshItems({ ...parts, brand }).read());
    expect(branded).toEqual(first.map((text) => text.replaceAll('"service"', '"harbour"')));
    now = NOON + DAY_MS;
    const DAY = /(?<=")\d{4}-\d\d-\d\d(?=(?:T[\d:.]+Z)?")/g;
    const moved = first.map((text) =>
      text.replace(DAY, (day) => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)),
    );
    expect(textsOf(await fresh.read())).toEqual(moved);
  });
});
