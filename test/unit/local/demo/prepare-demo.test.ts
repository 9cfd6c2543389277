import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import {
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Credential, exchangeKeyId, jwsKeyId, rampKeyId } from "../../../../lib/auth/credential.ts";
import { contractBrand } from "../../../../lib/brand.ts";
import type { TableName } from "../../../../lib/dynamo/tables.ts";
import { PassRegister } from "../../../../lib/passes/pass-register.ts";
import { PassStore } from "../../../../lib/passes/pass-store.ts";
import { putPass } from "../../../../lib/passes/put-pass.ts";
import { failReasons, sellOrderStatuses } from "../../../../lib/sell-orders/sell-order-kinds.ts";
import { SellOrderStore } from "../../../../lib/sell-orders/sell-order-store.ts";
import { transactionStates, transactionTypes } from "../../../../lib/transactions/transaction-kinds.ts";
import { TransactionStore } from "../../../../lib/transactions/transaction-store.ts";
import { CredentialRegister } from "../../../../local/credentials/credential-register.ts";
import { readRegistrableKey } from "../../../../local/credentials/public-key.ts";
import { type DemoFile, demoFilePath } from "../../../../local/demo/demo-file.ts";
import { demoVoidReference, readDemoRecords } from "../../../../local/demo/demo-records.ts";
import { markerIds } from "../../../../local/demo/marker-ids.ts";
import { demoPassTypes } from "../../../../local/demo/passes-section.ts";
import { type DemoParts, prepareDemo } from "../../../../local/demo/prepare-demo.ts";
import { SeedMarkerStore } from "../../../../local/demo/seed-records.ts";
import { voidPass } from "../../../../local/records/void-pass.ts";
import { certificateAuthority } from "../../../support/certificates.ts";
import { type NearStore, openNearStore } from "../../../support/engine.ts";
import { scratchDirectory } from "../../../support/scratch.ts";
import { fingerprintId } from "../../../support/wallet.ts";

const DAY_MS = 86_400_000;
const firstStart = Date.UTC(2026, 10, 27, 9, 30);
const roaster = { id: "harbour-lane-roasters" };
const printer = { id: "mill-street-print" };
const demoPartners = { first: "tide-wallet", second: "ember-wallet" };

const issued = await (await certificateAuthority()).issue();
const client = { certificate: issued.pem, key: issued.keyPem };

let engine: NearStore;
let dataDir: string;
let tokens: number;

async function begin(): Promise<void> {
  engine = await openNearStore();
  dataDir = scratchDirectory();
  tokens = 0;
}

/** For what is not about trades: those of sixty days are taken to be there. */
async function beginWithTrades(): Promise<void> {
  await begin();
  await markTrades();
}

async function markTrades(): Promise<void> {
  const Item = { id: { S: markerIds.trades }, until_ms: { N: String(firstStart) } };
  await engine.client.send(new PutItemCommand({ TableName: engine.tableName("Settings"), Item }));
}

async function end(): Promise<void> {
  await engine.close();
}

/** Tokens that say what they were asked to say, and differ each time as real ones do. */
const issuer: DemoParts["issuer"] = {
  issuer: "https://issuer.example",
  jwksUrl: "http://127.0.0.1:1/keys",
  mintToken: async ({ subject, scope }) => `${subject} ${scope} ${++tokens}`,
};

/** Certificates that need no making: every file holds the test's own. */
const authority: DemoParts["authority"] = {
  certificate: "",
  certificateFile: "/certificates/authority.pem",
  keepForServer: () => Promise.reject(new Error("The demo needs no server certificate.")),
  keepForClient: async (name) => ({
    ...client,
    certificateFile: `/certificates/${name}.pem`,
    keyFile: `/certificates/${name}-key.pem`,
  }),
};

const prepare = (parts: Partial<DemoParts> = {}): Promise<DemoFile> =>
  prepareDemo({
    dataDir,
    mutualTlsUrl: "https://127.0.0.1:3443/api",
    authority,
    client: engine.client,
    stage: "test",
    baseUrl: "http://127.0.0.1:3000/api",
    brand: contractBrand,
    clock: () => firstStart,
    issuer,
    ...parts,
  });

async function countOf(table: TableName): Promise<number> {
  const page = await engine.client.send(
    new ScanCommand({ TableName: engine.tableName(table), Select: "COUNT" }),
  );
  return page.Count ?? 0;
}

async function credentials(): Promise<Credential[]> {
  const found: Credential[] = [];
  const register = new CredentialRegister(engine.table("Credentials"));
  for await (const { credential } of register.list()) if (credential !== undefined) found.push(credential);
  return found;
}

const transactionStore = () => new TransactionStore(engine.table("Transactions"));
const findTransaction = (businessId: string, id = "") => transactionStore().get(businessId, id);

/** For what is not about records: writing them all takes a while. */
async function markAsSeeded(): Promise<void> {
  const markers = new SeedMarkerStore(engine.table("Settings"));
  await markers.open({ anchorMs: Date.UTC(2026, 10, 27), ownAccount: contractBrand.ownAccount });
  await markers.complete();
}

type Command = Parameters<DynamoDBClient["send"]>[0];

/** A client that stops working after so many writes, as a process does that is killed; it counts what is under way. */
function failingAfter(
  writes: number,
  isWrite: (command: Command) => boolean = (command) => command instanceof PutItemCommand,
) {
  let left = writes;
  let underWay = 0;
  const send = async (command: Command) => {
    if (isWrite(command) && left-- <= 0) throw new Error("The process ended here.");
    underWay++;
    return engine.client.send(command).finally(() => underWay--);
  };
  const client = new Proxy(engine.client, {
    get: (real, name) => (name === "send" ? send : Reflect.get(real, name)),
  });
  return { client, underWay: () => underWay };
}

/** Whether an exchange key of the demo is registered with the key pair that lies in the data directory. */
async function isExchangeKeyGood(demo: DemoFile): Promise<boolean> {
  const { apiKey, privateKeyFile, publicKeyFile } = demo.exchange;
  const pair = createPublicKey(createPrivateKey(await readFile(privateKeyFile, "utf8")));
  const publicKey = readRegistrableKey(String(pair.export({ type: "spki", format: "pem" })));
  const registered = (await credentials()).find(({ id }) => id === exchangeKeyId(apiKey));
  return (
    registered?.publicKey === publicKey && readRegistrableKey(await readFile(publicKeyFile)) === publicKey
  );
}

describe("the prepared demo", () => {
  let demo: DemoFile;

  beforeAll(async () => {
    await begin();
    demo = await prepare();
  });
  afterAll(end);

  it("leads every id of demo.json to a record of the kind that it stands for", async () => {
    const { business, ramp } = demo;
    expect(Object.keys(business.types)).toEqual([...transactionTypes]);
    for (const [type, id] of Object.entries(business.types)) {
      expect(JSON.parse((await findTransaction(roaster.id, id)) ?? "null")).toMatchObject({
        id,
        type,
        state: "completed",
      });
    }
    expect(Object.keys(business.states)).toEqual([...transactionStates]);
    for (const [state, id] of Object.entries(business.states)) {
      expect(JSON.parse((await findTransaction(roaster.id, id)) ?? "null")).toMatchObject({ id, state });
    }
    expect(new Set(Object.keys(ramp.orders))).toEqual(new Set([...sellOrderStatuses, ...failReasons]));
    const orders = new SellOrderStore(engine.table("SellOrders"));
    for (const [name, id] of Object.entries(ramp.orders)) {
      const order = JSON.parse((await orders.get(demoPartners.first, id)) ?? "null");
      expect(order).toMatchObject({ id });
      expect(order.fail_reason ?? order.status).toBe(name);
    }
    const both = ["ramp_fee", "partner_fee"];
    const members = async (id: string) => {
      const order = JSON.parse((await orders.get(demoPartners.first, id)) ?? "null");
      return [order.fees, order.fees_partner_currency].map((fees: object) => Object.keys(fees));
    };
    const shapes = Object.entries(ramp.orderShapes).map(async ([name, id]) => [name, await members(id)]);
    expect(Object.fromEntries(await Promise.all(shapes))).toEqual({
      full: [both, both],
      withoutPartnerFee: [["ramp_fee"], ["ramp_fee"]],
      withoutPartnerRate: [both, []],
      bare: [["ramp_fee"], []],
    });
    expect(ramp.orders.COMPLETED).toBe(ramp.orderId);
    expect(await orders.get(demoPartners.second, ramp.orderId)).toBeUndefined();
    expect(await orders.get(demoPartners.second, ramp.otherOrderId)).toBeDefined();
  });

  it("names a transaction by id and by request id, visible to its own business only", async () => {
    const { business } = demo;
    const text = await findTransaction(business.id, business.transactionId);
    const doc = JSON.parse(text ?? "null");
    expect(doc).toMatchObject({ id: business.transactionId, request_id: business.requestId });
    expect(await transactionStore().getNewestByRequestId(business.id, business.requestId)).toBe(text);
    const { from, to } = business.requestWindow;
    expect(from <= doc.created_at && doc.created_at < to).toBe(true);
    expect(Date.parse(to) - Date.parse(from)).toBeLessThanOrEqual(14 * DAY_MS);
    expect(Date.parse(doc.created_at)).toBeGreaterThan(firstStart - 14 * DAY_MS);
    expect(await findTransaction(business.otherId, business.transactionId)).toBeUndefined();
    expect(await findTransaction(business.otherId, business.otherTransactionId)).toBeDefined();
  });

  it("issues tokens for both businesses and one without the scope", async () => {
    const { business } = demo;
    expect(business.token).toMatch(new RegExp(`^${roaster.id} transactions\\.read \\d$`));
    expect(business.otherToken).toMatch(new RegExp(`^${printer.id} transactions\\.read \\d$`));
    expect(business.noScopeToken).toMatch(new RegExp(`^${roaster.id} (?!transactions\\.read )`));
  });

  it("registers the keys of ramp and exchange by their hash alone, and of the wallet its public key and certificate", async () => {
    const { ramp, exchange, passes } = demo;
    expect(ramp.apiKey).toMatch(/^[\w-]{43}$/);
    expect(ramp.otherApiKey).not.toBe(ramp.apiKey);
    const expected = [
      { id: rampKeyId(ramp.apiKey), owner: demoPartners.first },
      { id: rampKeyId(ramp.otherApiKey), owner: demoPartners.second },
      { id: exchangeKeyId(exchange.apiKey), owner: exchange.owner },
      { id: exchangeKeyId(exchange.noScopeApiKey), owner: exchange.owner },
      { id: jwsKeyId(passes.jws.kid), owner: passes.walletId },
      { id: fingerprintId(client.certificate), owner: passes.walletId },
    ];
    const stored = await credentials();
    expect(new Set(stored.map(({ id, owner }) => `${id} ${owner}`))).toEqual(
      new Set(expected.map(({ id, owner }) => `${id} ${owner}`)),
    );
    for (const { apiKey } of [ramp, exchange]) expect(JSON.stringify(stored)).not.toContain(apiKey);
    const privateKey = JSON.parse(await readFile(passes.jws.privateKeyFile, "utf8"));
    expect(JSON.stringify(stored)).toContain(privateKey.x);
    expect(JSON.stringify(stored)).not.toContain(privateKey.d);
  });

  it("keeps a key pair for the exchange whose public half is registered, with and without the scope", async () => {
    const { exchange } = demo;
    expect((await stat(exchange.privateKeyFile)).mode & 0o777).toBe(0o600);
    expect(await isExchangeKeyGood(demo)).toBe(true);
    const registered = (await credentials()).filter(({ kind }) => kind === "exchange-key");
    expect(new Set(registered.map((credential) => credential.publicKey)).size).toBe(1);
    expect(registered.map(({ scopes }) => scopes.join(" ")).sort()).toEqual(["", "trades.read"]);
  });

  it("writes what it returns to demo.json, readable by its owner only, and leaves no draft behind", async () => {
    const file = demoFilePath(dataDir);
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual(demo);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readdir(dataDir)).sort()).toEqual([
      "demo.json",
      "exchange-private.pem",
      "exchange-public.pem",
      "pass-jws-key.json",
    ]);
    expect(demo.baseUrl).toBe("http://127.0.0.1:3000/api");
  });
});

describe("the demo's passes", () => {
  beforeAll(beginWithTrades);
  afterAll(end);

  it("are there for every type, and one is void", async () => {
    const { passes } = await prepare();
    const store = new PassStore(engine.table("Passes"));
    expect(Object.keys(passes.references)).toEqual([...demoPassTypes]);
    for (const [type, reference] of Object.entries(passes.references)) {
      const pass = await store.get(reference);
      expect(pass).toMatchObject({ state: "current", templateId: expect.any(String) });
      expect(pass).toHaveProperty("text", expect.stringContaining(`"type":"${type}"`));
    }
    expect(Object.values(passes.references)).toContain(passes.partnerReference);
    expect(await store.get(passes.voidReference)).toMatchObject({ state: "void" });
  });

  it("stay as somebody has left them", async () => {
    const { passes } = await prepare();
    const register = new PassRegister(engine.table("Passes"));
    const store = new PassStore(engine.table("Passes"));
    await voidPass(register, passes.partnerReference, () => firstStart);
    await prepare();
    expect(await store.get(passes.partnerReference)).toMatchObject({ state: "void" });
  });
});

describe("preparing the demo", () => {
  beforeEach(beginWithTrades);
  afterEach(end);

  it("dates the records by a midnight, although the clock goes on meanwhile", async () => {
    let now = firstStart;
    await prepare({ clock: () => now++ });
    const markers = new SeedMarkerStore(engine.table("Settings"));
    const { anchorMs } = await markers.open({ anchorMs: 0, ownAccount: "" });
    expect(anchorMs).toBe(Date.UTC(2026, 10, 27));
  });

  it("changes nothing but the tokens at the next start, however much later", async () => {
    const first = await prepare();
    await engine.client.send(
      new DeleteItemCommand({
        TableName: engine.tableName("Transactions"),
        Key: { business_id: { S: roaster.id }, id: { S: first.business.transactionId } },
      }),
    );
    const before = await countOf("Transactions");
    const second = await prepare({ clock: () => firstStart + 20 * DAY_MS });
    const { token, otherToken, noScopeToken } = second.business;
    const { token: passToken, noScopeToken: noPassToken } = second.passes;
    expect(second).toEqual({
      ...first,
      business: { ...first.business, token, otherToken, noScopeToken },
      passes: { ...first.passes, token: passToken, noScopeToken: noPassToken },
    });
    expect(new Set([token, first.business.token]).size).toBe(2);
    expect(await countOf("Transactions")).toBe(before);
    expect(await credentials()).toHaveLength(6);
  });

  it("finishes at the next start what was interrupted, with the days of the first", async () => {
    const { client, underWay } = failingAfter(100);
    await expect(prepare({ client })).rejects.toThrow("The process ended here.");
    expect(underWay(), "writes that would meet a closed store").toBe(0);
    const partial = await countOf("Transactions");
    expect(partial).toBeLessThan(150);
    const { business } = await prepare({ clock: () => firstStart + 3 * DAY_MS });
    expect(await countOf("Transactions")).toBeGreaterThan(300);
    const doc = JSON.parse((await findTransaction(business.id, business.transactionId)) ?? "null");
    expect(doc.created_at.slice(0, 10)).toBe("2026-11-26");
  });

  it("finishes what was interrupted before the void of a pass, and between that and the mark of its end", async () => {
    const isLastOfAll = (command: Command) =>
      command instanceof UpdateItemCommand && /REMOVE|complete/.test(command.input.UpdateExpression ?? "");
    for (const [writes, isVoid] of [false, true].entries()) {
      await expect(prepare({ client: failingAfter(writes, isLastOfAll).client })).rejects.toThrow(
        "ended here",
      );
      const stored = await new PassStore(engine.table("Passes")).get(demoVoidReference);
      expect(stored?.state).toBe(isVoid ? "void" : "current");
    }
    await prepare();
  });

  it("finishes it with the own-account word of the first as well, and says so where this start has another", async () => {
    const lines: string[] = [];
    const first = { ...contractBrand, ownAccount: "acme" };
    await expect(prepare({ client: failingAfter(100).client, brand: first })).rejects.toThrow();
    await prepare({ warn: (line) => lines.push(line) });
    expect(lines).toEqual([expect.stringMatching(/"acme", not "service".*--fresh/)]);
    await prepare({ warn: (line) => lines.push(line), brand: first });
    expect(lines).toHaveLength(1);
    for (const table of ["Transactions", "SellOrders"] as const) {
      const { Items } = await engine.client.send(new ScanCommand({ TableName: engine.tableName(table) }));
      const texts = JSON.stringify(Items);
      expect(texts).toContain('\\"acme\\"');
      expect(texts).not.toContain('\\"service\\"');
    }
  });

  it("stops when a writer refuses a demo record, and says which and why", async () => {
    const anchorMs = Date.UTC(2026, 10, 27);
    const { passes } = await readDemoRecords({ anchorMs, ownAccount: contractBrand.ownAccount });
    const changed = { ...passes.documents[1], version: 1, semantics: { seat: "another" } };
    const register = new PassRegister(engine.table("Passes"));
    expect(await putPass(register, JSON.stringify(changed))).toEqual({ outcome: "written" });
    await expect(prepare()).rejects.toThrow(
      "passes.ndjson, line 2, was refused: version 1 is stored with other content",
    );
  });

  it("keeps the keys of demo.json when the store is another one", async () => {
    await markAsSeeded();
    const first = await prepare();
    await engine.close();
    engine = await openNearStore();
    await markTrades();
    await markAsSeeded();
    const second = await prepare();
    expect(second.ramp).toEqual(first.ramp);
    expect((await credentials()).map(({ id }) => id)).toContain(rampKeyId(first.ramp.apiKey));
  });

  it("makes a working key of the exchange when its private key was deleted or replaced, and keeps that one", async () => {
    await markAsSeeded();
    const first = await prepare();
    expect(await isExchangeKeyGood(first)).toBe(true);
    await rm(first.exchange.privateKeyFile);
    const second = await prepare();
    expect(await isExchangeKeyGood(second)).toBe(true);
    expect((await prepare()).exchange).toEqual(second.exchange);
    const { privateKey } = generateKeyPairSync("ed25519");
    await writeFile(second.exchange.privateKeyFile, privateKey.export({ type: "pkcs8", format: "pem" }));
    expect(await isExchangeKeyGood(await prepare())).toBe(true);
  });

  it("makes one also when the start that made the new private key was killed before it wrote demo.json", async () => {
    await markAsSeeded();
    const first = await prepare();
    const before = await readFile(demoFilePath(dataDir), "utf8");
    await rm(first.exchange.privateKeyFile);
    await prepare();
    await writeFile(demoFilePath(dataDir), before);
    expect(await isExchangeKeyGood(await prepare())).toBe(true);
  });

  it("makes new keys in place of what a demo.json has for one and is none", async () => {
    await markAsSeeded();
    for (const junk of ["", 7, null, {}, "x".repeat(63)]) {
      const sections = {
        ramp: { apiKey: junk, otherApiKey: junk },
        exchange: { apiKey: junk, noScopeApiKey: junk },
      };
      await writeFile(demoFilePath(dataDir), JSON.stringify(sections));
      const demo = await prepare();
      expect([demo.ramp.apiKey, demo.ramp.otherApiKey]).not.toContain(junk);
      expect(await isExchangeKeyGood(demo)).toBe(true);
    }
  });

  it("refuses a demo.json that is not a JSON object, without quoting it, and adds sections that one lacks", async () => {
    await markAsSeeded();
    for (const content of ['{"ramp":{"apiKey":"secret-part"', "[]", "null"]) {
      await writeFile(demoFilePath(dataDir), content);
      const failure = await prepare().catch(String);
      expect(failure).toMatch(/demo\.json is not a JSON object\. Delete it/);
      expect(failure).not.toContain("secret-part");
    }
    await writeFile(demoFilePath(dataDir), "{}");
    expect((await prepare()).ramp.apiKey).toMatch(/^[\w-]{43}$/);
  });
});
