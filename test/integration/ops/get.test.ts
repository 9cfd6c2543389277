import { once } from "node:events";
import { appendFile, readFile, rm, watch, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text as bodyText } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { contractBrand } from "../../../lib/brand.ts";
import { systemClock } from "../../../lib/clock.ts";
import { cutElements } from "../../../lib/ingest/cut-json.ts";
import { parseExactJson, writeExactJson } from "../../../lib/json/exact-json.ts";
import { putSellOrder } from "../../../lib/sell-orders/put-sell-order.ts";
import { SellOrderRegister } from "../../../lib/sell-orders/sell-order-register.ts";
import { PAGE_TRADES_MAX } from "../../../lib/trades/contract.ts";
import { putTrades } from "../../../lib/trades/put-trades.ts";
import { TradeRegister } from "../../../lib/trades/trade-register.ts";
import type { InterfaceName } from "../../../ops/get/connection.ts";
import { pathsOf } from "../../../ops/get/download-files.ts";
import { listenOnLoopback } from "../../support/listen-on-loopback.ts";
import { failing, runOperator, startOperator } from "../../support/operator.ts";
import { scratchDirectory } from "../../support/scratch.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { storedTrades } from "../../support/stored-trades.ts";
import { recordText, trade } from "../../support/trades.ts";

const DAY_MS = 86_400_000;

let service: TestService;
/** A minute ago, to which the demo has trades. */
let endMs: number;

const directory = scratchDirectory();
const file = (name: string): string => join(directory, name);
const iso = (ms: number): string => new Date(ms).toISOString();
const text = (path: string): Promise<string> => readFile(path, "utf8");

beforeAll(async () => {
  service = await startTestService("dynalite");
  endMs = systemClock() - 60_000;
  const { business, exchange, passes, ramp } = service.demo;
  const secrets = {
    business: business.token,
    other: business.otherToken,
    exchange: exchange.apiKey,
    passes: passes.token,
    ramp: ramp.apiKey,
    receiver: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
  };
  for (const [name, secret] of Object.entries(secrets)) await writeFile(file(name), `${secret}\n`);
});
afterAll(() => service.close());
beforeEach(() => service.refill("trades", service.demo.exchange.owner));

/** The options that say where the service is, and who asks. */
const place = (credential: InterfaceName | "other") => {
  const isKey = credential === "exchange" || credential === "ramp";
  const secret = [isKey ? "--api-key-file" : "--token-file", file(credential)];
  const key = credential === "exchange" ? ["--private-key", service.demo.exchange.privateKeyFile] : [];
  return ["--url", service.baseUrl, ...secret, ...key];
};

const get = (credential: Parameters<typeof place>[0], ...args: string[]) =>
  runOperator(["get", ...args, ...place(credential)]);
const getTrades = (...args: string[]) => get("exchange", "trades", service.demo.exchange.symbol, ...args);

/** Every trade of the store from some time on, as text. */
async function storedTexts(symbol: string, fromMs: number, toMs: number): Promise<string[]> {
  return (await storedTrades(service.table("Trades"), symbol, { fromMs, toMs })).map(recordText);
}

/** A line of NDJSON as `recordText` writes a trade of the store. */
function lineText(line: string): string {
  const { tdt, pdt, p, q, tid, s } = JSON.parse(line) as Record<string, string | number>;
  return recordText({
    tradedAt: Number(tdt),
    publishedAt: Number(pdt),
    price: String(p),
    quantity: String(q),
    id: String(tid),
    side: s as "buy",
  });
}

const linesIn = (content: string): string[] => content.trimEnd().split("\n");

/** The manifest beside a file, without what differs from run to run. */
async function comparable(path: string): Promise<Record<string, unknown>> {
  const { run, file: name, ...rest } = JSON.parse(await text(pathsOf(path).manifest));
  expect(run).toMatchObject({ runs: expect.any(Number), calls: expect.any(Number) });
  expect(path.endsWith(name)).toBe(true);
  return rest;
}

describe("get trades", () => {
  test("gives days of a market as the store has them, over many pages", async () => {
    const fromMs = endMs - 15 * DAY_MS;
    const { code, stdout, stderr } = await getTrades("--from", iso(fromMs), "--to", iso(endMs));
    expect(stderr).toMatch(/^Known: 15 days .*\nGuess: about [\d,]+ more trades/);
    expect(code).toBe(0);
    const stored = await storedTexts(service.demo.exchange.symbol, fromMs, endMs);
    expect(stored.length).toBeGreaterThan(5 * PAGE_TRADES_MAX);
    expect(linesIn(stdout).map(lineText)).toEqual(stored);
  });

  test("gives the newest ones up to a limit", async () => {
    const fromMs = endMs - 8 * DAY_MS;
    const stored = await storedTexts(service.demo.exchange.symbol, fromMs, endMs);
    for (const limit of [1, 1_900, 1_901, 4_000]) {
      const { stdout } = await getTrades("--from", iso(fromMs), "--to", iso(endMs), "--limit", `${limit}`);
      expect(linesIn(stdout).map(lineText)).toEqual(stored.slice(0, limit));
    }
  });

  test("stops with 0 where it stands once its reader has left", async () => {
    let pages = 0;
    const onPrint = (): void => {
      pages += 1;
    };
    const args = ["get", "trades", service.demo.exchange.symbol, "--from", "60d", ...place("exchange")];
    expect(await runOperator(args, { lost: "closed after a line", onPrint })).toMatchObject({ code: 0 });
    expect(pages).toBeLessThan(4);
  });

  test("says in one line what was wrong and what to do", async () => {
    for (const [run, line] of [
      [
        await get("exchange", "trades", "NO-PE", "--from", "1d"),
        /^GET \S+: 400 unknown_symbol: .* \(error_id [0-9a-f-]{36}\) A market is .*\n$/,
      ],
      [
        await getTrades("--from", "1d", "--format", "parquet"),
        /^Parquet needs a file: give --output FILE\.\n$/,
      ],
      [await getTrades("--from", "1d", "--to", "2d"), /^--from must not be later than --to\.\n$/],
      [
        await runOperator(["get", "trades", "BTC-USD", "--from", "1d", "--url", service.baseUrl]),
        /^This needs an API key: give --api-key-file FILE, or set \w+_EXCHANGE_API_KEY\./,
      ],
    ] as const)
      expect(run).toMatchObject(failing(line));
  });

  test("takes an API key of the environment, and shows it to nobody", async () => {
    const { exchange } = service.demo;
    const args = ["get", "trades", exchange.symbol, "--from", "1h", "--private-key", exchange.privateKeyFile];
    const env = { COUNTINGHOUSE_URL: service.baseUrl, COUNTINGHOUSE_EXCHANGE_API_KEY: exchange.apiKey };
    expect(await runOperator(args, { env })).toMatchObject({ code: 0 });
    const wrong = { ...env, COUNTINGHOUSE_EXCHANGE_API_KEY: "secret-of-mine" };
    const refused = await runOperator(args, { env: wrong });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("401 invalid_credentials") });
    expect(refused.stderr).not.toContain("secret-of-mine");
  });
});

describe("a download to a file", () => {
  test("goes on after SIGINT and SIGKILL with the same command, and with no other", async () => {
    const args = ["--from", iso(endMs - 25 * DAY_MS), "--to", iso(endMs), "--format", "csv"];
    const output = file("killed.csv");
    for (const signal of ["SIGINT", "SIGKILL"] as const) {
      const command = ["get", "trades", service.demo.exchange.symbol, ...args, "--output", output];
      const run = startOperator([...command, ...place("exchange")]);
      for await (const { filename } of watch(directory)) if (filename === "killed.csv.state.json") break;
      run.child.kill(signal);
      const goesOn = expect.stringMatching(/Stopping …\n.*goes on\.\n$/s);
      expect(await run.ended).toMatchObject(
        signal === "SIGKILL" ? { signal } : { code: 130, stderr: goesOn },
      );
    }
    const other = await getTrades(...args, "--limit", "5", "--output", output);
    const line = `${output}.part is of a download with other options. Begin anew with --fresh.\n`;
    expect(other).toMatchObject(failing(line));
    expect(await getTrades(...args, "--output", output)).toMatchObject({ code: 0, stdout: "" });
    const whole = file("not-killed.csv");
    await getTrades(...args, "--output", whole);
    expect(await text(output)).toBe(await text(whole));
    expect(await comparable(output)).toEqual(await comparable(whole));
    expect(JSON.parse(await text(pathsOf(output).manifest)).run.runs).toBe(3);
  });

  test("does not replace a finished file, unless it is to begin anew", async () => {
    const output = file("kept.ndjson");
    await writeFile(output, "mine");
    const args = ["--from", "1d", "--limit", "3", "--output", output];
    const refused = await getTrades(...args);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("is there already") });
    expect(await text(output)).toBe("mine");
    expect(await getTrades(...args, "--fresh")).toMatchObject({ code: 0 });
    expect(linesIn(await text(output))).toHaveLength(3);
  });
});

const EQUAL = expect.stringMatching(/^The file has .*\nThe service has .*\n$/);

describe("get verify", () => {
  test("says that all is equal, and finds a changed file and a changed market", async () => {
    const symbol = service.demo.exchange.symbols.at(-1) ?? "";
    const stored = Array.from({ length: 5 }, (_, n) => trade(n, endMs - n * 60_000));
    const register = new TradeRegister(service.table("Trades"));
    await putTrades(register, symbol, stored);
    service.settle();
    const output = file("verified.ndjson");
    const args = ["--from", iso(endMs - DAY_MS), "--output", output];
    expect(await get("exchange", "trades", symbol, ...args)).toMatchObject({ code: 0 });
    const verify = () => get("exchange", "verify", pathsOf(output).manifest);
    expect(await verify()).toMatchObject({ code: 0, stdout: EQUAL });

    await putTrades(register, symbol, [trade(7, endMs - 90_000)]);
    service.settle();
    const more = await verify();
    expect(more.code).toBe(1);
    expect(more.stdout).toMatch(
      /^The file has .*\nThe service differs:\n {2}records: 5 in the manifest, 6 now\n/,
    );
    expect(more.stdout).toContain("line 3 of the file:");
    const day = iso(endMs - 90_000).slice(0, 10);
    expect(more.stdout).toMatch(new RegExp(`\\n {2}${day}: \\d in the manifest, \\d now\\n`));

    const digit = /(?<="q":")\d/;
    await writeFile(
      output,
      (await text(output)).replace(digit, (one) => String((Number(one) + 1) % 10)),
    );
    const changed = /^The file differs:\n {2}sha256: [0-9a-f]{64} in the manifest, [0-9a-f]{64} now\n/;
    expect(await verify()).toMatchObject({ code: 1, stdout: expect.stringMatching(changed) });
    await rm(output);
    expect((await verify()).stdout).toContain("The file is not beside its manifest");
  });
});

/** A record as the service sends it. */
const sent = async (path: string, headers: Record<string, string>): Promise<string> =>
  await (await service.get(path, headers)).text();

const sentTransactions = async (): Promise<readonly string[]> =>
  cutElements(
    await sent("/transactions?count=1000", { Authorization: `Bearer ${service.demo.business.token}` }),
  );

describe("get transactions", () => {
  test("gives every transaction of the business, character by character", async () => {
    const all = await sentTransactions();
    const { code, stdout } = await get("business", "transactions");
    expect(code).toBe(0);
    expect(linesIn(stdout)).toEqual(all);
    expect(all.length).toBeGreaterThan(100);
  });

  test("gives those that the filters name", async () => {
    const { accountId } = service.demo.business;
    const filters = ["--type", "fee", "--type", "atm", "--state", "completed", "--account", accountId];
    const { stdout } = await get("business", "transactions", "--from", "90d", ...filters);
    const found = linesIn(stdout).map((line) => JSON.parse(line));
    expect(new Set(found.map(({ type }) => type))).toEqual(new Set(["fee", "atm"]));
    expect(new Set(found.map(({ state }) => state))).toEqual(new Set(["completed"]));
    const wrong = await get("business", "transactions", "--state", "done");
    expect(wrong).toMatchObject(failing("Allowed choices are created, pending"));
  });

  test("are not joined with those of another business", async () => {
    const output = file("business.csv");
    const args = ["--from", "90d", "--format", "csv", "--output", output];
    expect(await get("business", "transactions", ...args)).toMatchObject({ code: 0 });
    const verified = await get("other", "verify", pathsOf(output).manifest);
    expect(verified).toMatchObject({ code: 2, stderr: expect.stringContaining("another business") });
  });
});

/** The options of a follow that delivers what has changed in 90 days. */
async function deliveredTo(receiver: Server, resume: string): Promise<readonly string[]> {
  const hook = `http://127.0.0.1:${await listenOnLoopback(receiver)}/hook`;
  const kept = ["--from", "90d", "--resume", resume];
  return ["--follow", ...kept, "--post", hook, "--secret-file", file("receiver")];
}

describe("get transactions --follow", () => {
  test("delivers and prints each change once, and goes on after SIGKILL and SIGINT", async () => {
    const all = await sentTransactions();
    const received = new Map<string, string>();
    let arrived = Promise.withResolvers<void>();
    let awaited = 40;
    const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { data } = parseExactJson(await bodyText(request)) as { data: object };
      received.set(String(request.headers["webhook-id"]), writeExactJson(data));
      response.writeHead(204).end();
      if (received.size === awaited) arrived.resolve();
    };
    const receiver = createServer((request, response) => void receive(request, response));
    const args = await deliveredTo(receiver, file("changes.json"));
    const printed: string[] = [];
    for (const signal of ["SIGKILL", "SIGINT"] as const) {
      const run = startOperator(["get", "transactions", ...args, ...place("business")]);
      await arrived.promise;
      run.child.kill(signal);
      const { code, stdout } = await run.ended;
      expect(code).toBe(signal === "SIGKILL" ? null : 130);
      printed.push(...linesIn(stdout));
      arrived = Promise.withResolvers();
      awaited = all.length;
    }
    receiver.close();
    expect([...received.values()].toSorted()).toEqual(all.toSorted());
    // After a kill the last one may be printed again; after Ctrl-C the last one was not printed, or it was kept.
    expect(all).toEqual(expect.arrayContaining([...new Set(printed)]));
    expect(printed.length).toBeGreaterThanOrEqual(all.length - 2);
    expect(printed.length).toBeLessThanOrEqual(all.length + 1);
  });

  test("prints nothing that was not delivered, and goes on for one process and the same business alone", async () => {
    const receiver = createServer((_, response) => void response.writeHead(410).end());
    const [kept, lock] = [file("undelivered.json"), file("undelivered.json.lock")];
    const args = await deliveredTo(receiver, kept);
    const follow = () => get("business", "transactions", ...args);
    expect(await follow()).toMatchObject(failing("answers 410"));
    receiver.close();
    const before = await text(kept);
    expect(JSON.parse(before)).toMatchObject({ undelivered: { line: expect.any(String) } });
    await writeFile(lock, `${process.pid}`);
    expect(await follow()).toMatchObject(failing("Another command writes to"));
    await rm(lock);
    const { of, ...rest } = JSON.parse(before);
    for (const [at, what] of ["interface", "address", "subject of the token"].entries()) {
      await writeFile(kept, JSON.stringify({ of: of.with(at, "another"), ...rest }));
      expect(await follow()).toMatchObject(failing(`is of another ${what}.`));
    }
  });

  test.each([
    [["--follow", "--state", "failed"], "--state has no meaning with --follow."],
    [["--follow", "--format", "csv"], "--format has no meaning with --follow."],
    [["--resume", "changes.json"], "--resume has no meaning without --follow."],
    [["--follow", "--post", "https://shop.example/hook"], "--post and --secret-file go together"],
  ])("refuses %s, which would not be heeded", async (args, message) => {
    expect(await get("business", "transactions", ...args)).toMatchObject(failing(message));
  });
});

describe("get sell-order --follow", () => {
  test("prints each order as it is, one that is added, and after a kill only what has changed, and tells of one that is not there", async () => {
    const { apiKey, partnerId, orders } = service.demo.ramp;
    const { COMPLETED = "", PROCESSING = "", REFUNDED = "" } = orders;
    const absent = "00000000000000000000000000";
    // In another letter case it is the same order.
    const again = PROCESSING.toUpperCase();
    await writeFile(file("ids.txt"), `${COMPLETED}\n\n${again}\n${PROCESSING}`);
    const options = ["--every", "1", "--ids-file", file("ids.txt"), "--resume", file("orders.json")];
    const ids = [absent, COMPLETED.toUpperCase()];
    const args = ["get", "sell-order", ...ids, "--follow", ...options, ...place("ramp")];
    const sentOrder = (id: string) => sent(`/sell-orders/${id}`, { "X-API-KEY": apiKey });
    const begun = startOperator(args);
    const lines = createInterface({ input: begun.child.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<string> => (await lines.next()).value ?? "";
    const processing = await sentOrder(PROCESSING);
    expect([await next(), await next()]).toEqual([await sentOrder(COMPLETED), processing]);
    // A line that is half written, and then whole.
    await appendFile(file("ids.txt"), `\n${REFUNDED.slice(0, 9)}`);
    await appendFile(file("ids.txt"), REFUNDED.slice(9));
    expect(await next()).toBe(await sentOrder(REFUNDED));
    begun.child.kill("SIGKILL");
    const changed = processing
      .replace('"PROCESSING"', '"COMPLETED"')
      .replace(/"updated_at":"[^"]*"/, `"updated_at":"${iso(endMs)}"`);
    const register = new SellOrderRegister(service.table("SellOrders"));
    const put = await putSellOrder(register, contractBrand, partnerId, changed);
    expect(put).toMatchObject({ outcome: "written" });
    const goesOn = startOperator(args);
    const [line] = await once(createInterface({ input: goesOn.child.stdout }), "line");
    expect(line).toBe(await sentOrder(PROCESSING));
    goesOn.child.kill("SIGINT");
    expect(await goesOn.ended).toMatchObject({
      code: 130,
      stderr: `${absent} is not there yet. It is asked for again, for ten minutes.\n\nStopped.\n`,
    });
  });

  test("tells of ids that no order can have, and of options that are not heeded", async () => {
    const { COMPLETED } = service.demo.ramp.orders;
    await writeFile(file("wrong.txt"), `\n${COMPLETED}\norder-1\n`);
    const follow = (...args: string[]) => get("ramp", "sell-order", ...args);
    expect(await follow("--follow", "--ids-file", file("wrong.txt"))).toMatchObject(
      failing("line 3 must be the id"),
    );
    expect(await follow("--follow")).toMatchObject(failing("Give the IDs of orders, or a file of them"));
    expect(await follow("--follow", "--ids-file", file("no-such"))).toMatchObject(failing("cannot be read"));
    expect(await follow("a", "b")).toMatchObject(failing("Give the ID of one order."));
    expect(await follow("a", "--every", "3")).toMatchObject(
      failing("--every has no meaning without --follow."),
    );
    expect(await follow("a", "--follow", "--wait")).toMatchObject(failing("--wait has no meaning with"));
  });
});

describe("one record", () => {
  test("get transaction prints the bytes that were sent, and tells of one that is not there", async () => {
    const { token, transactionId } = service.demo.business;
    const stdout = await sent(`/transaction/${transactionId}`, { Authorization: `Bearer ${token}` });
    expect(await get("business", "transaction", transactionId)).toMatchObject({ code: 0, stdout });
    const stderr = expect.stringMatching(/404 not_found.*error_id/);
    expect(await get("business", "transaction", "no-such")).toMatchObject({ code: 1, stdout: "", stderr });
  });

  test("get sell-order prints the bytes that were sent, and waits for a final order", async () => {
    const { apiKey, orderId } = service.demo.ramp;
    const stdout = await sent(`/sell-orders/${orderId}`, { "X-API-KEY": apiKey });
    const stderr = expect.stringMatching(/^\S+Z COMPLETED\n$/);
    expect(await get("ramp", "sell-order", orderId, "--wait")).toMatchObject({ code: 0, stdout, stderr });
  });

  test("get pass prints the bytes that were sent and its tag, and nothing while it has not changed", async () => {
    const { token, partnerReference, voidReference, versionHeader, version, jws } = service.demo.passes;
    const pass = (...args: string[]) => get("passes", "pass", ...args);
    const headers = { Authorization: `Bearer ${token}`, [versionHeader]: version };
    const { stdout, stderr } = await pass(partnerReference);
    expect(stdout).toBe(await sent(`/passes/${partnerReference}`, headers));
    const tag = /^Tag: (".*")\n$/.exec(stderr)?.[1] ?? "";
    // A shell may have taken the quotes away.
    const unchanged = await pass(partnerReference, "--if-none-match", tag.slice(1, -1));
    expect(unchanged).toMatchObject({ code: 0, stdout: "", stderr: `Unchanged. Tag: ${tag}\n` });
    const gone = expect.stringMatching(/^410 gone: .* \(error_id .*\)\n$/);
    expect(await pass(voidReference)).toMatchObject({ code: 1, stdout: "", stderr: gone });
    const own = ["--url", service.baseUrl, "--jws-key", jws.privateKeyFile];
    const signed = await runOperator(["get", "pass", partnerReference, ...own]);
    expect(signed).toMatchObject({ code: 0, stdout });
  });
});
