import { once } from "node:events";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startCommand } from "../../../bench/support/start-command.ts";
import type { Credentials } from "../../../publish/embed/types.ts";
import { ask, orderText } from "../../support/embedded.ts";
import { scratchDirectory } from "../../support/scratch.ts";
import { isHere, runWorldProgram, worldPrograms } from "../../support/world-programs.ts";

/** A world as a program of any language gets it. */
interface Opened {
  readonly baseUrl: string;
  readonly control: string;
  readonly now: string;
  readonly credentials: Credentials;
}

interface Answered {
  readonly status: number;
  readonly body: unknown;
}

const DAY_MS = 86_400_000;

const service = await startCommand(["--worlds", "--port", "0"]);
const worlds = service.announced.join("\n").match(/^ {2}curl -sS -X POST (\S+)$/m)?.[1] ?? "";
afterAll(() => service.stop());

async function send(url: string, body: unknown = {}, method = "POST"): Promise<Answered> {
  const text = typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const answer = await fetch(url, { method, ...(method === "POST" && { body: text }) });
  return { status: answer.status, body: await answer.json() };
}

async function open(settings: object = {}): Promise<Opened> {
  const { status, body } = await send(worlds, settings);
  expect([status, body]).toEqual([201, expect.objectContaining({ control: expect.any(String) })]);
  return body as Opened;
}

const end = (...opened: readonly Opened[]): Promise<readonly Answered[]> =>
  Promise.all(opened.map(({ control }) => send(control, undefined, "DELETE")));

const orderId = "0b0e3f7e-5a65-4f0a-9c0e-111111111111";
const imported = orderText(orderId);

const order = (world: Opened, id = world.credentials.ramp.orderId) =>
  ask(world, `/sell-orders/${id}`, { "x-api-key": world.credentials.ramp.apiKey });

/** The status of a request with headers that `fetch` sets itself. */
async function statusOf(url: string, method: string, headers: Readonly<Record<string, string>>) {
  const [answer] = await once(request(url, { method, headers }).end(), "response");
  answer.resume();
  return answer.statusCode;
}

describe("two worlds that are opened over HTTP", () => {
  let one: Opened;
  let other: Opened;
  beforeAll(async () => {
    [one, other] = await Promise.all([open(), open()]);
  });
  afterAll(() => end(one, other));

  test("share no record: an import into one has its digits there, and is not in the other", async () => {
    expect(await send(`${one.control}/import/sell-orders`, `${imported}\n{}\n`)).toMatchObject({
      status: 200,
      body: { written: 1, refused: 1, refusals: [{ line: 2 }] },
    });
    expect((await order(one, orderId)).body).toContain('"amount":0.100000000000000001,');
    expect((await order(other, orderId)).status).toBe(404);
  });

  test("keep no text that was not sent: a line that is not UTF-8 is refused, and the lines around it are not", async () => {
    const changed = imported.replaceAll("2026-03-01", "2026-03-02").replace('"service"', '"\u00e9"');
    const lines = Buffer.from(`${imported}\n${changed}\n{}\n`, "latin1");
    expect(await send(`${other.control}/import/sell-orders`, lines)).toMatchObject({
      body: { written: 1, refusals: [{ line: 2, reason: "the line is not UTF-8" }, { line: 3 }] },
    });
    const business = Buffer.from('{"business":"caf\u00e9"}', "latin1");
    expect((await send(`${other.control}/token`, business)).status).toBe(400);
  });

  test("share no state, fault or clock, and a reset takes one back to its start alone", async () => {
    const id = one.credentials.ramp.orders.AWAITING_DEPOSIT ?? "";
    expect(await send(`${one.control}/advance`, { id, to: "PROCESSING" })).toMatchObject({
      status: 200,
      body: { from: "AWAITING_DEPOSIT", to: "PROCESSING" },
    });
    expect((await order(other, id)).body).toContain('"AWAITING_DEPOSIT"');
    await send(`${one.control}/fault`, { endpoint: "get-sell-order", kind: "gateway-503" });
    expect([(await order(one)).status, (await order(other)).status]).toEqual([503, 200]);
    expect((await send(`${one.control}/fault`, undefined, "DELETE")).body).toEqual({ cleared: 1 });
    const { body } = await send(`${one.control}/token`, { expiresInS: 60 });
    const { token } = body as { readonly token: string };
    const list = async () =>
      (await ask(one, "/transactions?count=1", { authorization: `Bearer ${token}` })).status;
    expect(await list()).toBe(200);
    const daysAhead = ({ body: { now } }: { readonly body: { readonly now: string } }) =>
      Math.abs(Math.round((Date.parse(now) - Date.now()) / DAY_MS));
    const nowOf = (world: Opened) => send(world.control, undefined, "GET") as Promise<{ body: Opened }>;
    const moved = (await send(`${one.control}/time`, { to: "+3d" })) as { body: Opened };
    const [mine, theirs] = [await nowOf(one), await nowOf(other)];
    expect([moved, mine, theirs].map(daysAhead)).toEqual([3, 3, 0]);
    expect(await list()).toBe(401);
    const back = (await send(`${one.control}/reset`)) as { body: Opened };
    expect(daysAhead(back)).toBe(0);
    expect((await order(one, id)).body).toContain('"AWAITING_DEPOSIT"');
  });
});

test("a seed makes the same keys again, no seed others; a world begins when and with what it is told, and is gone once it has ended", async () => {
  const settings = { seed: "a", now: "2026-03-01T12:00:00Z", demo: false };
  const opened = await Promise.all([
    open(settings),
    open(settings),
    open({ demo: false }),
    open({ tomorrow: true }),
  ]);
  const [one, same, other, tomorrow] = opened;
  expect(one.credentials.ramp.apiKey).toBe(same.credentials.ramp.apiKey);
  expect(one.credentials.ramp.apiKey).not.toBe(other.credentials.ramp.apiKey);
  expect(one.now).toMatch(/^2026-03-01T12:0/);
  expect((await order(one)).status).toBe(404);
  expect((await order(tomorrow)).headers.get("x-local-tomorrow")).toBe("a new member in `SellOrder`");
  const front = () => send(new URL("/", worlds).href, undefined, "GET");
  expect(await front()).toEqual({ status: 200, body: { worlds: 4, most: 200, open: "POST /worlds" } });
  expect(await end(...opened)).toEqual(opened.map(() => ({ status: 200, body: {} })));
  expect(await send(one.control, undefined, "GET")).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining("it was ended") },
  });
  await expect(order(one)).rejects.toThrow();
  expect(await front()).toMatchObject({ body: { worlds: 0 } });
});

describe("what cannot be followed", () => {
  let world: Opened;
  beforeAll(async () => {
    world = await open({ demo: false });
  });
  afterAll(() => end(world));

  test.each<readonly [path: string, body: unknown, status: number, message: RegExp]>([
    [
      "",
      { sed: "a" },
      400,
      /^worlds: the body has no "sed" \(did you mean seed\?\): it may have seed, now, demo and/,
    ],
    ["", { demo: "no", now: 5 }, 400, /now must be .*, and is 5; demo must be true or false, and is "no"/],
    ["", [], 400, /^worlds: the body must be an object .*, and is \[\]/],
    ["", "{", 400, /must be JSON/],
    [
      "",
      `{"now":${"[".repeat(30_000)}${"]".repeat(30_000)}}`,
      400,
      /^worlds: now must be .*, and is too deep\./,
    ],
    ["", `{"seed":"${"a".repeat(70_000)}"}`, 413, /65536 bytes at most/],
    ["ID/time", {}, 400, /^time: to must be .*, and is missing/],
    ["ID/time", { to: "3d" }, 400, /^time: to must be .*\+3d.*, and is "3d"/],
    ["ID/time", { to: "+99y" }, 409, /2098/],
    ["ID/advance", { id: "none" }, 409, /none/],
    ["ID/fault", { endpoint: "get-pas", kind: "503" }, 409, /Did you mean get-pass\?/],
    [
      "ID/fault",
      { endpoint: "all", kind: "503", oneIn: 0 },
      400,
      /oneIn must be a whole number .*, and is 0/,
    ],
    ["ID/token", { expiresIn: 5 }, 400, /did you mean expiresInS\?/],
    ["ID/import/trade", "", 404, /did you mean POST \/import\/trades\?/],
    ["ID/import/trades?markt=BTC-USD", "", 400, /^import\/trades: .* \(did you mean market\?/],
    [
      "ID/import/transactions?owner=a&owner=b",
      "",
      400,
      /^import\/transactions: owner is given more than once\.$/,
    ],
    ["ID/tiem", {}, 404, /did you mean POST \/time\?/],
    [
      "ID/time/now",
      {},
      404,
      /There is no POST .* and at a world's control address GET, DELETE, POST \/advance, /,
    ],
    ["other-id/time", {}, 404, /no such world/],
  ])("%s with %j is refused by name", async (path, body, status, message) => {
    const id = world.control.split("/").at(-1) ?? "";
    const url = path === "" ? worlds : `${worlds}/${path.replace("ID", id)}`;
    const refused = await send(url, body);
    expect(refused).toEqual({ status, body: { message: expect.stringMatching(message) } });
  });

  test.each([
    ["a public name", { host: "evil.example" }],
    ["a page of another origin", { origin: "http://evil.example" }],
    ["a page beside it", { "sec-fetch-site": "same-site" }],
  ])("%s opens no world and steers none", async (_, headers) => {
    for (const url of [worlds, `${world.control}/reset`])
      expect(await statusOf(url, "POST", headers)).toBe(403);
  });

  test("a public name reaches no world either", async () => {
    expect(await statusOf(world.baseUrl, "GET", { host: "evil.example" })).toBe(403);
  });
});

const cheap = worldPrograms.filter(({ runner }) => ["node:test", "pytest"].includes(runner));
const here = cheap.filter(isHere);
for (const { runner } of cheap.filter((one) => !here.includes(one)))
  console.warn(
    `docs/examples/embedding: no ${runner} on this machine. npm run test:tools needs every runner.`,
  );

test.each(here)("the example for $runner passes, and ends its worlds", async (program) => {
  const { code, output } = await runWorldProgram(program, scratchDirectory(), worlds);
  expect(code, output).toBe(0);
  expect(await send(new URL("/", worlds).href, undefined, "GET")).toMatchObject({ body: { worlds: 0 } });
});

test("Ctrl-C ends it with its worlds", async () => {
  const { baseUrl } = await open({ demo: false });
  expect(await service.stop("SIGINT")).toBe(0);
  await expect(fetch(baseUrl)).rejects.toThrow();
});
