import { generateKeyPairSync } from "node:crypto";
import { readFile } from "node:fs/promises";
import { newApiKey, rampKeyId } from "../../lib/auth/credential.ts";
import { exchangeCredentialOf, newExchangeApiKey } from "../../lib/auth/exchange-key.ts";
import { contractBrand } from "../../lib/brand.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { type Table, tablesOf } from "../../lib/dynamo/table.ts";
import type { TableName } from "../../lib/dynamo/tables.ts";
import { putSellOrder } from "../../lib/sell-orders/put-sell-order.ts";
import { SellOrderRegister } from "../../lib/sell-orders/sell-order-register.ts";
import { putTransaction } from "../../lib/transactions/put-transaction.ts";
import { TransactionRegister } from "../../lib/transactions/transaction-register.ts";
import { CredentialRegister } from "../../local/credentials/credential-register.ts";
import { readRegistrableKey } from "../../local/credentials/public-key.ts";
import type { DemoFile } from "../../local/demo/demo-file.ts";
import { claimsOf, signLocalToken, type TokenHolder } from "../../local/identity/local-token.ts";
import type { PrivateJwk } from "../../local/identity/private-jwk.ts";
import type { ExchangeSigningKey } from "../../local/signing/sign-request.ts";
import { createLocalClient, shareStore } from "../../local/store/engine.ts";
import { LOCAL_STAGE } from "../../local/template/local-stage.ts";
import { allOf } from "../../ops/undo/all-of.ts";
import { FIRST_TRANSACTIONS, orderLine, transactionLines } from "./records.ts";

/** So many owners that none of them reaches its limit by its share of the load. */
const OWNERS = 12;

/** A ramp partner and its key in force, which a rotation replaces. */
interface RampHolder {
  readonly partner: string;
  keyId: string;
  apiKey: string;
}

/** The owners whose requests make the load, each kind with the credentials of all of them. */
export interface Owners {
  readonly ramp: readonly RampHolder[];
  readonly exchange: readonly ExchangeSigningKey[];
  readonly businessTokens: readonly string[];
  readonly walletTokens: readonly string[];
}

/** The id of the n-th business of the load, whose transactions an import stores. */
export const businessOf = (n: number): string => `soak-business-${n % OWNERS}`;

/** The id of the n-th ramp partner of the load. */
export const partnerOf = (n: number): string => `soak-partner-${n % OWNERS}`;

export const allOwners: readonly number[] = Array.from({ length: OWNERS }, (_, n) => n);

/** Stores every owner's first records and credentials in the store of a running service, and signs their tokens. */
export async function registerOwners(dataDir: string, demo: DemoFile): Promise<Owners> {
  const store = await shareStore(dataDir, { report: () => {} });
  const client = createLocalClient(store);
  const table = tablesOf(client, LOCAL_STAGE);
  try {
    await storeRecords(table);
    return { ...(await registerKeys(table)), ...(await signTokens(demo, systemClock)) };
  } finally {
    client.destroy();
    await store.close();
  }
}

async function storeRecords(table: (name: TableName) => Table): Promise<void> {
  const [transactions, orders] = [
    new TransactionRegister(table("Transactions")),
    new SellOrderRegister(table("SellOrders")),
  ];
  const now = systemClock();
  for (const n of allOwners) {
    await allOf(linesOf(transactionLines(0, now, FIRST_TRANSACTIONS)), (line) =>
      putTransaction(transactions, contractBrand, businessOf(n), line),
    );
    await putSellOrder(orders, contractBrand, partnerOf(n), orderLine(partnerOf(n), now));
  }
}

const linesOf = (file: string): string[] => file.split("\n").filter((line) => line !== "");

async function registerKeys(table: (name: TableName) => Table): Promise<Pick<Owners, "ramp" | "exchange">> {
  const register = new CredentialRegister(table("Credentials"));
  const now = systemClock();
  const ramp = allOwners.map((n): RampHolder => {
    const apiKey = newApiKey();
    return { partner: partnerOf(n), keyId: rampKeyId(apiKey), apiKey };
  });
  for (const { keyId: id, partner: owner } of ramp)
    await register.add({ id, kind: "ramp-key", owner, scopes: [], createdAt: now });
  const exchange: ExchangeSigningKey[] = [];
  for (const n of allOwners) {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const key = { apiKey: newExchangeApiKey(), privateKey };
    const pem = String(publicKey.export({ type: "spki", format: "pem" }));
    const registered = { apiKey: key.apiKey, publicKey: readRegistrableKey(pem), owner: `soak-trader-${n}` };
    await register.add(exchangeCredentialOf({ ...registered, scopes: ["trades.read"], now }));
    exchange.push(key);
  }
  return { ramp, exchange };
}

async function signTokens(
  { issuer }: DemoFile,
  clock: Clock,
): Promise<Pick<Owners, "businessTokens" | "walletTokens">> {
  const key = JSON.parse(await readFile(issuer.keyFile, "utf8")) as PrivateJwk;
  const forAll = (holderOf: (n: number) => TokenHolder): Promise<string[]> =>
    Promise.all(allOwners.map((n) => signLocalToken(key, claimsOf(holderOf(n)), clock)));
  return {
    businessTokens: await forAll((n) => ({ business: businessOf(n) })),
    walletTokens: await forAll((n) => ({ wallet: `soak-wallet-${n}` })),
  };
}
