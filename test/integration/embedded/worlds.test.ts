import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Countinghouse as Client } from "../../../client/src/index.ts";
import { inTomorrow, type TomorrowScene, tomorrowScenes } from "../../../local/tomorrow/scenes.ts";
import { startCountinghouse } from "../../../publish/embed/index.ts";
import type { Countinghouse, ImportReport, World } from "../../../publish/embed/types.ts";
import {
  type Asked,
  ask,
  askOrder,
  askPass,
  askPassByCertificate,
  askTrades,
  askTransaction,
  everyStatus,
  orderText,
} from "../../support/embedded.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const ORDER_ID = "0b0e3f7e-5a65-4f0a-9c0e-111111111111";
const ALL_ANSWERED = [200, 200, 200, 200, 200];

let house: Countinghouse;
beforeAll(async () => {
  house = await startCountinghouse({ seed: "a seed", corsOrigins: ["http://localhost:5173"] });
});
afterAll(() => house.close());

describe("worlds of one house", () => {
  let one: World;
  let other: World;

  beforeAll(async () => {
    one = await house.world("one");
    other = house;
  });

  test("each answers every interface with the credentials that it hands out", async () => {
    for (const world of [one, other]) expect(await everyStatus(world)).toEqual(ALL_ANSWERED);
  });

  test("none lets a test change what it hands out", () => {
    const { ramp } = one.credentials;
    expect(() => Object.assign(ramp, { apiKey: "x" })).toThrow(TypeError);
    expect(Object.isFrozen(ramp.orders)).toBe(true);
  });

  test("none knows another's keys, tokens and certificates", async () => {
    const { business, ramp } = other.credentials;
    expect((await askTransaction(one, business.token)).status).toBe(401);
    expect((await askOrder(one, ramp.apiKey)).status).toBe(401);
    expect(await askPassByCertificate(one, other)).toBe(401);
    const foreign = { ...one, credentials: { ...one.credentials, exchange: other.credentials.exchange } };
    expect((await askTrades(foreign)).status).toBe(401);
  });

  test("a record that is imported into one is there alone, with its digits", async () => {
    const report = await one.importRecords("sell-orders", { records: `${orderText(ORDER_ID)}\n` });
    expect(report).toMatchObject({ written: 1, refused: 0, refusals: [] });
    const found = await askOrder(one, undefined, ORDER_ID);
    expect(found.body).toContain('"amount":0.100000000000000001,');
    expect((await askOrder(other, undefined, ORDER_ID)).status).toBe(404);
  });

  test("a limit that one has used up is full in another, and time that passes in one refills only that one", async () => {
    // An owner of its own: other tests charge the limits of the worlds' own.
    const business = `own-${one.now()}`;
    const asOwner = async (world: World) => `Bearer ${await world.issueToken({ business })}`;
    const [mine, theirs] = [await asOwner(one), await asOwner(other)];
    const list = (world: World, authorization: string) =>
      ask(world, "/transactions?count=1", { authorization });
    const refused = async (): Promise<boolean> => {
      const answers = await Promise.all(Array.from({ length: 40 }, () => list(one, mine)));
      return answers.some(({ status }) => status === 429);
    };
    let isRefused = false;
    for (let round = 0; round < 50 && !isRefused; round++) isRefused = await refused();
    expect(isRefused).toBe(true);
    const left = ({ headers }: Asked) => /\br=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1];
    const full = left(await list(other, theirs));
    expect(full).toBeDefined();
    await one.passTime(10 * 60_000);
    expect(left(await list(one, mine))).toBe(full);
  });

  test("time that passes in one expires its tokens alone", async () => {
    const [mine, theirs] = [
      await one.issueToken({ expiresInS: 1_800 }),
      await other.issueToken({ expiresInS: 1_800 }),
    ];
    expect((await askTransaction(one, mine)).status).toBe(200);
    const before = other.now();
    const now = await one.passTime(HOUR_MS);
    expect(Math.abs(one.now() - now)).toBeLessThan(60_000);
    expect((await askTransaction(one, mine)).status).toBe(401);
    expect((await askTransaction(other, theirs)).status).toBe(200);
    expect(other.now() - before).toBeLessThan(HOUR_MS);
    // What is signed by the world's clock is still fresh there.
    expect((await askTrades(one)).status).toBe(200);
  });

  test("a token is for the business that it is asked for", async () => {
    const authorization = `Bearer ${await one.issueToken({ business: "nobody" })}`;
    expect(await ask(one, "/transactions", { authorization })).toMatchObject({ status: 200, body: "[]" });
  });

  test("a fault of one does not reach another, and ends when it is used up or cleared", async () => {
    await one.fault("get-sell-order", "503", { times: 1 });
    await one.fault("get-transaction", "gateway-429");
    expect((await askOrder(other)).status).toBe(200);
    expect((await askOrder(one)).status).toBe(503);
    expect((await askOrder(one)).status).toBe(200);
    expect((await askTransaction(one)).status).toBe(429);
    expect(await one.clearFaults()).toBe(2);
    expect((await askTransaction(one)).status).toBe(200);
  });

  test("an order proceeds in one alone, and a pass goes from 200 to 304 and back to 200 with its next version", async () => {
    const id = one.credentials.ramp.orders.AWAITING_DEPOSIT ?? "";
    const before = (await askOrder(other, undefined, id)).body;
    expect(await one.advance(id, "completed")).toEqual({
      kind: "sell order",
      id,
      from: "AWAITING_DEPOSIT",
      to: "COMPLETED",
    });
    expect((await askOrder(one, undefined, id)).body).toContain('"status":"COMPLETED"');
    expect((await askOrder(other, undefined, id)).body).toBe(before);
    const etag = (await askPass(one)).headers.get("etag") ?? "";
    expect((await askPass(one, { "if-none-match": etag })).status).toBe(304);
    await one.advance(one.credentials.passes.partnerReference);
    expect((await askPass(one, { "if-none-match": etag })).status).toBe(200);
    const theirs = (await askPass(other)).headers.get("etag") ?? "";
    expect(theirs).toBe(etag);
  });

  test("a reset puts data, budgets, clock and faults of one back, keeps its credentials, and leaves another as it is", async () => {
    await other.importRecords("sell-orders", { records: orderText(ORDER_ID) });
    await one.fault("all", "gateway-503");
    const expired = await one.issueToken({ expiresInS: 60 });
    await one.passTime(40 * DAY_MS);
    await one.reset();
    expect(Math.abs(one.now() - other.now())).toBeLessThan(60_000);
    expect((await askOrder(one, undefined, ORDER_ID)).status).toBe(404);
    expect((await askTransaction(one)).status).toBe(200);
    // It was issued an hour ahead of the clock as it is now.
    expect((await askTransaction(one, expired)).status).toBe(401);
    expect((await askOrder(other, undefined, ORDER_ID)).status).toBe(200);
  });

  test("an import and a reset that are asked for at once follow one another", async () => {
    const ids = Array.from({ length: 60 }, (_, at) => ORDER_ID.replace(/.{3}$/, String(at + 200)));
    const records = ids.map(orderText).join("\n");
    const take = () => one.importRecords("sell-orders", { records });
    await Promise.all([one.reset(), take()]);
    expect(await take()).toMatchObject({ written: 0, unchanged: 60 });
    await Promise.all([take(), one.reset()]);
    expect(await take()).toMatchObject({ written: 60, unchanged: 0 });
    await one.reset();
  });

  test("fake timers and a faked date in the test's own thread stop nothing", async () => {
    const before = one.now();
    vi.useFakeTimers({
      now: 0,
      toFake: ["Date", "setTimeout", "setInterval", "setImmediate", "queueMicrotask", "performance"],
    });
    try {
      const token = await one.issueToken();
      expect(one.now()).toBeGreaterThanOrEqual(before);
      const early = await house.world("early");
      expect(early.now()).toBeGreaterThanOrEqual(before);
      await early.close();
      vi.useRealTimers();
      expect((await askTransaction(one, token)).status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });

  test("imports have the rules of an import: each refusal has its line and reason", async () => {
    const report = await one.importRecords("transactions", { records: [{ id: "no-uuid" }, {}] });
    const { refusals } = report;
    const counts: Record<Exclude<keyof ImportReport, "refusals">, number> = {
      written: 0,
      unusual: 0,
      corrected: 0,
      unchanged: 0,
      stale: 0,
      double: 0,
      missed: 0,
      refused: 2,
    };
    expect(report, "the members of its type, and no other").toEqual({ ...counts, refusals });
    expect(report.refusals.map(({ line }) => line)).toEqual([1, 2]);
    for (const { reason } of report.refusals) expect(reason).not.toBe("");
    const trade = { ...(JSON.parse((await askTrades(one, 1)).body) as { data: object[] }).data[0] };
    const trades = await one.importRecords("trades", { market: "NEW-USD", records: [{ ...trade, s: "x" }] });
    expect(trades.refusals).toHaveLength(1);
  });

  test.each(["transactions", "trades"] as const)(
    "however many %s are refused, each is in the report, and a good one after them is taken in",
    async (kind) => {
      const refused = Array.from({ length: 2_400 }, () => "{}");
      const [good] = (JSON.parse((await askTrades(one, 1)).body) as { data: object[] }).data;
      const last = kind === "trades" ? JSON.stringify(good) : "{}";
      const report = await one.importRecords(kind, { records: [...refused, last].join("\n") });
      const lines = Array.from({ length: kind === "trades" ? 2_400 : 2_401 }, (_, at) => at + 1);
      expect(report.refusals.map(({ line }) => line)).toEqual(lines);
      expect(report.written + report.unchanged).toBe(kind === "trades" ? 1 : 0);
    },
  );

  test.each([
    ["an unknown record", () => one.advance("nothing"), /no sell order, transaction or pass nothing/],
    ["an unknown fault", () => one.fault("all", "rain"), /no fault "rain"/],
    [
      "a token for two",
      () => one.issueToken({ business: "b", wallet: "w" }),
      /for a business or for a wallet/,
    ],
    ["a name that is taken", () => house.world("one"), /The world one is open already/],
  ])("%s is refused with what to do, from where the test called", async (_what, call, message) => {
    const error = (await call().then(
      () => undefined,
      (reason: unknown) => reason,
    )) as Error;
    expect(error).toMatchObject({ name: "CountinghouseError", message: expect.stringMatching(message) });
    expect(error.stack).toContain("worlds.test.ts");
  });

  test.each([Date.UTC(2002, 0), Date.UTC(2099, 0) - 1])(
    "a world begins at %d as at any instant",
    async (now) => {
      await using world = await house.world("far", { now });
      expect(await everyStatus(world)).toEqual(ALL_ANSWERED);
    },
  );

  test("a world without the demo's records has its credentials, its markets, and nothing else", async () => {
    await using world = await house.world("bare", { demo: false, now: "2026-11-20T12:00:00Z" });
    expect(world.now() - Date.UTC(2026, 10, 20, 12)).toBeLessThan(60_000);
    const found = await Promise.all([askTransaction(world), askOrder(world), askPass(world)]);
    expect(found.map(({ status }) => status)).toEqual([404, 404, 404]);
    const authorization = `Bearer ${world.credentials.business.token}`;
    expect(await ask(world, "/transactions", { authorization })).toMatchObject({ status: 200, body: "[]" });
    expect(JSON.parse((await askTrades(world)).body)).toMatchObject({ data: [] });
    expect(await world.importRecords("sell-orders", { records: orderText(ORDER_ID) })).toMatchObject({
      written: 1,
    });
    expect((await askOrder(world, undefined, ORDER_ID)).status).toBe(200);
    await world.reset();
    expect((await askOrder(world, undefined, ORDER_ID)).status).toBe(404);
  });

  test("time passes to the end of 2098, and no further", async () => {
    await using world = await house.world("old");
    const leftMs = Date.UTC(2099, 0) - world.now();
    await expect(world.passTime(leftMs + HOUR_MS)).rejects.toThrow(/beyond 2098/);
    expect(world.now()).toBeLessThan(Date.UTC(2098, 0));
    expect(await world.passTime(leftMs - HOUR_MS)).toBeGreaterThan(Date.UTC(2098, 11));
    expect(await world.advance(world.credentials.passes.partnerReference)).toMatchObject({ kind: "pass" });
  });

  test("a hook may pass what it likes to the methods that take nothing", async () => {
    const context: { self?: unknown } = {};
    context.self = context;
    await expect((one.reset as (given: unknown) => Promise<void>)(context)).resolves.toBeUndefined();
    await expect(one.advance(context as never)).rejects.toThrow(
      /^advance: an argument cannot be written as JSON \(Converting circular/,
    );
  });

  test("a world that was closed answers nothing, and its name can be opened again with the same keys", async () => {
    const brief = await house.world("brief");
    await brief.close();
    await brief.close();
    await expect(ask(brief, "/transactions")).rejects.toThrow();
    await expect(brief.issueToken()).rejects.toThrow("The world brief was closed.");
    const again = await house.world("brief");
    expect(again.credentials.ramp).toEqual(brief.credentials.ramp);
    expect((await askOrder(again)).status).toBe(200);
  });
});

describe("a world that begins at another instant", () => {
  const NOW = Date.UTC(2031, 4, 6, 7, 8, 9);
  const settings = {
    now: new Date(NOW),
    brand: { basePath: "/api", headerPrefix: "X-Acme-", ownAccount: "acme" },
  };
  let there: World;

  beforeAll(async () => {
    there = await house.world("there", settings);
  });

  test("has its records, its trades and every judgement of time there", async () => {
    expect(there.now() - NOW).toBeLessThan(60_000);
    expect(await everyStatus(there)).toEqual(ALL_ANSWERED);
    const [transaction, trades] = [await askTransaction(there), await askTrades(there)];
    const date = Date.parse(transaction.headers.get("date") ?? "");
    expect(Math.abs(date - NOW)).toBeLessThan(60_000);
    const { created_at: createdAt } = JSON.parse(transaction.body) as { created_at: string };
    expect(NOW - Date.parse(createdAt)).toBeLessThan(200 * DAY_MS);
    const [newest] = (JSON.parse(trades.body) as { data: { tdt: number }[] }).data;
    expect(NOW - (newest?.tdt ?? 0)).toBeLessThan(10 * 60_000);
    expect(NOW - (newest?.tdt ?? 0)).toBeGreaterThanOrEqual(0);
  });

  test("has the brand that it was given, and the origins of its house", async () => {
    expect(there.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
    expect(there.credentials.exchange.headerPrefix).toBe("X-Acme-");
    const answer = await ask(there, `/sell-orders/${there.credentials.ramp.orderId}`, {
      "x-api-key": there.credentials.ramp.apiKey,
      origin: "http://localhost:5173",
    });
    expect(answer.headers.get("access-control-allow-origin")).toBe("http://localhost:5173");
  });

  describe("with tomorrow", () => {
    const sceneOf = ({ headers }: { readonly headers: Headers }) => headers.get("x-local-tomorrow");
    const todayId = (id: string) => id.replace(/-of-tomorrow-*$/, "");
    let tomorrow: World;
    beforeAll(async () => {
      tomorrow = await house.world("tomorrow", { ...settings, tomorrow: true });
    });

    /** Everything that the client lists of a world, in pages of some records, and the scenes of its pages. */
    async function walk(world: World, size: number) {
      const { business, exchange } = world.credentials;
      const scenes: (string | null)[] = [];
      const client = new Client({
        baseUrl: world.baseUrl,
        business: { accessToken: business.token },
        exchange,
        now: () => world.now(),
        fetch: async (...asked: Parameters<typeof fetch>) => {
          const answer = await fetch(...asked);
          scenes.push(sceneOf(answer));
          return answer;
        },
      });
      const market = { symbol: exchange.symbol, from: NOW - 4 * HOUR_MS, to: NOW - HOUR_MS, limit: size };
      return {
        transactions: await Array.fromAsync(client.business.transactions({ count: size })),
        trades: await Array.fromAsync(client.exchange.trades(market)),
        scenes,
      };
    }

    test("lists every record once, over empty pages too, and finds each by its longest id", async () => {
      const today = await walk(there, 500);
      const listed = await walk(tomorrow, 40);
      expect(
        listed.scenes.filter((scene) => scene === "an empty page with a next one").length,
      ).toBeGreaterThan(1);
      expect(listed.scenes).not.toContain(null);
      expect(listed.transactions.map(({ id }) => todayId(id))).toEqual(
        today.transactions.map(({ id }) => id),
      );
      expect(listed.trades.map(({ tid }) => tid)).toEqual(today.trades.map(({ tid }) => tid));
      const longest = listed.transactions.map(({ id }) => id).find((id) => todayId(id) !== id) ?? "";
      const [found, same] = [
        await askTransaction(tomorrow, undefined, longest),
        await askTransaction(there, undefined, todayId(longest)),
      ];
      expect(JSON.parse(found.body)).toMatchObject({ id: longest });
      expect(found.body.slice(-100)).toBe(same.body.slice(-100));
      const pending = tomorrow.credentials.business.states.pending ?? "";
      const step = { kind: "transaction", id: `${pending}-of-tomorrow--`, from: "pending" };
      expect(await tomorrow.advance(step.id)).toMatchObject(step);
    });

    test("changes nothing of an answer but what its header names, one after the other, from the first again after a reset", async () => {
      const today = (await askOrder(there)).body;
      const scenes = tomorrowScenes("get-sell-order");
      const met: (string | null)[] = [];
      for (let asked = 0; asked < 5; asked++) {
        const answer = await askOrder(tomorrow);
        const scene = scenes.find(({ name }) => name === sceneOf(answer)) as TomorrowScene;
        expect(answer.body).toBe(inTomorrow(today, scene));
        met.push(scene.name);
      }
      expect(new Set(met).size).toBe(5);
      await tomorrow.reset();
      expect(sceneOf(await askOrder(tomorrow))).toBe(met[0]);
    });

    test("compresses an answer as its client accepts, as ever", async () => {
      await tomorrow.reset();
      const authorization = `Bearer ${tomorrow.credentials.business.token}`;
      for (const coding of ["gzip", "br", "identity"]) {
        const asked = { authorization, "accept-encoding": coding };
        const answer = await ask(tomorrow, "/transactions?count=100", asked);
        expect(sceneOf(answer)).not.toBe("an empty page with a next one");
        expect(answer.headers.get("content-encoding") ?? "identity").toBe(coding);
        expect(JSON.parse(answer.body)).toHaveLength(100);
      }
    });

    test("names each state of a pass by a tag of its own, which every second poll brings, and a fault comes as ever", async () => {
      const answers = [await askPass(tomorrow), await askPass(tomorrow)];
      const [first, second] = answers.map(({ headers }) => headers.get("etag") as string);
      expect(first).not.toBe(second);
      const kept = await askPass(tomorrow, { "if-none-match": `"other", ${first}` });
      expect([kept.status, kept.headers.get("etag"), sceneOf(kept)]).toEqual([304, first, null]);
      const polls = await Array.fromAsync(Array(4), () =>
        askPass(tomorrow, { "if-none-match": second ?? "" }),
      );
      expect(polls.map(({ status }) => status)).toEqual([304, 200, 304, 200]);
      expect(new Set([first, second, ...polls.map(({ headers }) => headers.get("etag"))]).size).toBe(4);
      await tomorrow.fault("get-pass", "503", { times: 1 });
      expect((await askPass(tomorrow)).status).toBe(503);
    });

    test("has ended what is deprecated, by every clock", async () => {
      const { token, requestId } = tomorrow.credentials.business;
      for (const value of ["request_id", "other"]) {
        const answer = await askTransaction(tomorrow, token, `${requestId}?id_type=${value}`);
        expect([answer.status, sceneOf(answer)]).toEqual([400, "the `Sunset` is past"]);
        expect(answer.body).toContain("id_type: ended on ");
        expect(answer.headers.get("link")).toContain("successor-version");
      }
    });
  });

  describe("another house of the same seed", () => {
    const lines = Promise.withResolvers<string>();
    let again: Countinghouse;
    beforeAll(async () => {
      const log = (line: string, world: string) => lines.resolve(`${world}: ${line}`);
      again = await startCountinghouse({ ...settings, seed: "a seed", log });
    });
    afterAll(() => again.close());

    test("tells of each request in a line where lines are wanted", async () => {
      await askOrder(again);
      expect(await lines.promise).toMatch(/^main: \d\d:\d\d:\d\d GET \/api\/sell-orders\/\S+ 200 /);
    });

    test("has the same world again under the same name", async () => {
      const same = await again.world("there");
      const [first, second] = [there.credentials, same.credentials];
      expect(second.ramp).toEqual(first.ramp);
      expect(second.issuer.privateKey).toEqual(first.issuer.privateKey);
      expect(second.exchange.privateKey).toBe(first.exchange.privateKey);
      expect(second.exchange.apiKey).toBe(first.exchange.apiKey);
      expect(second.passes.jws).toEqual(first.passes.jws);
      expect(second.passes.mtls.key).toBe(first.passes.mtls.key);
      expect(second.business.states).toEqual(first.business.states);
      const tradesOf = async (world: World) =>
        JSON.parse((await askTrades(world, 100)).body).data as object[];
      expect(await tradesOf(same)).toEqual(await tradesOf(there));
    });

    test("ends its worlds with itself, in any order", async () => {
      const [before, meanwhile, after] = [
        await again.world("closed before"),
        await again.world("closed meanwhile"),
        await again.world("closed after"),
      ];
      await before.close();
      await Promise.all([again.close(), meanwhile.close()]);
      await after.close();
      await again.close();
      await expect(again.issueToken()).rejects.toThrow("The countinghouse was closed.");
    });
  });
});
