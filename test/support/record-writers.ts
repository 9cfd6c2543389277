import type { Credential, CredentialKind } from "../../lib/auth/credential.ts";
import type { CredentialNotes } from "../../lib/auth/credential-notes.ts";
import { KeptKeySetRegister } from "../../lib/auth/kept-key-set-register.ts";
import { contractBrand } from "../../lib/brand.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import type { TableName } from "../../lib/dynamo/tables.ts";
import { marketOf } from "../../lib/markets/market.ts";
import { MarketRegister } from "../../lib/markets/market-register.ts";
import { PassRegister } from "../../lib/passes/pass-register.ts";
import { putPass } from "../../lib/passes/put-pass.ts";
import { RateLimitStore } from "../../lib/rate-limit/rate-limit-store.ts";
import { bucketsOf } from "../../lib/rate-limit/token-bucket.ts";
import { putSellOrder } from "../../lib/sell-orders/put-sell-order.ts";
import { SellOrderRegister } from "../../lib/sell-orders/sell-order-register.ts";
import { putTrades } from "../../lib/trades/put-trades.ts";
import { TradeRegister } from "../../lib/trades/trade-register.ts";
import { putTransaction } from "../../lib/transactions/put-transaction.ts";
import { TransactionRegister } from "../../lib/transactions/transaction-register.ts";
import { CredentialRegister } from "../../local/credentials/credential-register.ts";
import { AuditRegister } from "../../ops/audit/audit-register.ts";
import { ImportRegister } from "../../ops/import/journal/import-register.ts";
import { itemDigest, packEntries } from "../../ops/import/journal/journal-entry.ts";
import { JournaledSegments } from "../../ops/import/journal/journaled-segments.ts";
import { withdrawTrades } from "../../ops/import/trades/withdraw-trades.ts";
import { compactionOf } from "../../ops/segments/compaction.ts";
import { SwitchRegister } from "../../ops/switches/switch-register.ts";
import { sellOrderText, transactionText } from "./documents.ts";
import { exchangeBuckets } from "./limits.ts";
import { NOW, trade } from "./trades.ts";

/** Fills a table. */
type Writer = (table: Table) => Promise<unknown>;

const OLDER = { updated_at: "2026-03-01T09:00:00Z" };
const correction = { correct: { reason: "a test" } };

const passText = (reference: string, version: number, members: object = {}): string =>
  JSON.stringify({ partner_reference: reference, type: "loyalty_pass", version, ...members });

/** Every member that a credential may have. A new member has to be added here, and then appears in the table. */
const credential: Required<Credential> = {
  id: "jws#full",
  kind: "jws",
  owner: "wallet",
  scopes: ["passes.read"],
  publicKey: "{}",
  createdAt: NOW,
  expiresAt: NOW + 1,
  revokedAt: NOW + 2,
};
/** Every note that operators may keep beside a credential. */
const notes: Required<CredentialNotes> = {
  label: "a label",
  createdBy: "local:ada",
  revokedBy: "local:ada",
  revokedReason: "a test",
  successor: "jws#plain",
};

/** The id of a credential of each kind. */
export const credentialIds: Readonly<Record<CredentialKind, string>> = {
  "ramp-key": "ramp-key#0",
  "exchange-key": "exchange-key#0",
  subject: "subject#issuer#acme",
  jws: "jws#plain",
  certificate: "certificate#0",
  "certificate-name": "certificate-name#0",
};

/** The address of the issuer whose key set is kept. */
export const KEY_SET_URL = new URL("https://issuer.example/jwks");

/** Fills each table with items of every kind, by the code that fills it in operation. */
export const recordWriters: Readonly<Record<TableName, Writer>> = {
  Transactions: async (table) => {
    const put = (text: string, intake = {}) =>
      putTransaction(new TransactionRegister(table), contractBrand, "acme", text, intake);
    await put(transactionText({ request_id: "request-1" }));
    await put(transactionText({ id: "tx-2" }));
    await put(transactionText({ id: "tx-2", ...OLDER }), correction);
  },
  SellOrders: async (table) => {
    const put = (text: string, intake = {}) =>
      putSellOrder(new SellOrderRegister(table), contractBrand, "acme", text, intake);
    await put(sellOrderText({ id: "01ARZ3NDEKTSV4RRFFQ69G5FAV" }));
    await put(sellOrderText());
    await put(sellOrderText(OLDER), correction);
  },
  Passes: async (table) => {
    const register = new PassRegister(table);
    const put = (text: string, intake = {}) => putPass(register, text, intake);
    await put(passText("plain", 1));
    await put(passText("corrected", 2, { template_id: "template-1" }));
    await put(passText("corrected", 1, { template_id: "template-1" }), correction);
    await put(passText("void", 1));
    await register.void("void", NOW);
  },
  Trades: async (table) => {
    const register = new TradeRegister(table);
    await putTrades(register, "BTC-USD", [trade(1, NOW), trade(2, NOW)]);
    await withdrawTrades(register, "BTC-USD", [trade(1, NOW)], 1);
    const span = { fromMs: NOW - 2_000, toMs: NOW + 2_000 };
    const read = await register.segmentsWithin("BTC-USD", span);
    const compaction = compactionOf("BTC-USD", { read, apart: [] }, NOW);
    if (typeof compaction !== "object") throw new Error("Nothing is compacted.");
    await register.put(compaction.put);
    const apart = await register.withdrawals("BTC-USD", span);
    if (apart.length !== 1) throw new Error("The withdrawal does not stand apart.");
    const journal = { announceKey: async () => {}, id: async () => "imp-20261124-k7f3" };
    await putTrades(new JournaledSegments(table, journal), "BTC-USD", [trade(3, NOW - 10_000)]);
  },
  Credentials: async (table) => {
    const register = new CredentialRegister(table);
    await register.add(credential);
    const { publicKey: _key, expiresAt: _end, revokedAt: _revocation, ...plain } = credential;
    for (const [kind, id] of Object.entries(credentialIds))
      await register.add({ ...plain, kind: kind as CredentialKind, id });
    await register.add({ ...plain, id: "jws#noted" }, notes);
    await register.revoke(credentialIds.certificate, NOW, {
      revokedBy: "local:ada",
      revokedReason: "a test",
    });
    await register.add({ ...plain, id: "jws#rotated" });
    await register.replace("jws#rotated", "jws#plain", NOW + 1);
    await register.label("jws#rotated", "a label");
  },
  RateLimits: async (table) => {
    const charge = { now: NOW, cost: 1, busy: new Set<string>() };
    const store = new RateLimitStore(table);
    await store.charge("trades#acme", bucketsOf(exchangeBuckets, 30), charge);
    await store.charge("trades#other", bucketsOf(exchangeBuckets, 30), {
      ...charge,
      credentials: ["exchange-key#0"],
    });
  },
  Settings: async (table) => {
    const set = { at: NOW, by: "local:ada" };
    await new SwitchRegister(table).put("get-pass", { on: false, reason: "a test" }, set);
    await new SwitchRegister(table).put("get-sell-order", { on: true }, set);
    await new MarketRegister(table).put(marketOf("BTC-USD"), set);
    await new MarketRegister(table).add(marketOf("ETH-USD"));
    await new KeptKeySetRegister(table).put(KEY_SET_URL, { text: '{"keys":[]}', fetchedAt: NOW });
  },
  Audit: async (table) => {
    const register = new AuditRegister(table);
    const change = { actor: "local:ada", command: "import passes", target: "passes" } as const;
    const began = `${new Date(NOW).toISOString()}#0a1b2c3d`;
    await register.add({ ...change, at: began, reason: "a test", outcome: "begun" });
    const end = {
      at: `${new Date(NOW + 1).toISOString()}#4e5f6071`,
      outcome: "done",
      counts: { written: 2 },
    } as const;
    await register.add({ ...change, ...end, began });
  },
  Imports: async (table) => {
    const register = new ImportRegister(table);
    const head = { id: "imp-20261124-k7f3", kind: "transactions", beganAt: NOW, actor: "local:ada" } as const;
    await register.begin(head);
    await register.begin({ ...head, id: "imp-20261124-m2p9", owner: "acme" });
    const end = {
      endedAt: NOW,
      outcome: "done",
      counts: { written: 1 },
      listsMarket: false,
      undoneAt: NOW,
    } as const;
    await register.note("imp-20261124-m2p9", end);
    const key = { business_id: { S: "acme" }, id: { S: "tx-1" } };
    for (const packed of packEntries([{ key, digest: itemDigest(key) }]))
      await register.addPart(head, 1, packed);
  },
};
