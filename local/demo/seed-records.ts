import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Brand } from "../../lib/brand.ts";
import type { Clock } from "../../lib/clock.ts";
import { physicalTableName } from "../../lib/dynamo/tables.ts";
import { PassRegister } from "../../lib/passes/pass-register.ts";
import { putPass } from "../../lib/passes/put-pass.ts";
import { voidPass } from "../../lib/passes/void-pass.ts";
import { putSellOrder } from "../../lib/sell-orders/put-sell-order.ts";
import { SellOrderRegister } from "../../lib/sell-orders/sell-order-register.ts";
import { putTransaction } from "../../lib/transactions/put-transaction.ts";
import { TransactionRegister } from "../../lib/transactions/transaction-register.ts";
import type { WriteOutcome } from "../../lib/write-outcome.ts";
import { demoPasses } from "./passes.ts";
import { SeedMarkerStore } from "./seed-marker.ts";
import { demoSellOrders } from "./sell-orders.ts";
import { demoTransactions } from "./transactions.ts";

const DAY_MS = 86_400_000;
const CONCURRENT_WRITES = 16;

export interface SeedParts {
  readonly client: DynamoDBClient;
  readonly stage: string;
  readonly brand: Brand;
  readonly clock: Clock;
}

/** When the store's demo records were written, and with which own-account word. */
export interface Seeded {
  /** The midnight (epoch milliseconds, UTC) that their days are counted back from. */
  readonly anchorMs: number;
  readonly ownAccount: string;
}

/**
 * Writes the demo's records into a store that has not had them all, through the writers that imports go through.
 * What was interrupted is finished by the next call, with the days and the own-account word of the first; what is complete is left alone, so
 * that changes made to it stay. Throws when a writer refuses a record: the demo then breaks a rule.
 */
export async function seedRecords(parts: SeedParts): Promise<Seeded> {
  const { client, stage, brand, clock } = parts;
  const markers = new SeedMarkerStore(client, physicalTableName(stage, "Settings"));
  const today = clock() - (clock() % DAY_MS);
  const { anchorMs, ownAccount, isComplete } = await markers.open({
    anchorMs: today,
    ownAccount: brand.ownAccount,
  });
  if (!isComplete) {
    await writeRecords({ ...parts, brand: { ...brand, ownAccount } }, anchorMs);
    await markers.complete();
  }
  return { anchorMs, ownAccount };
}

async function writeRecords({ client, stage, brand, clock }: SeedParts, anchorMs: number): Promise<void> {
  // The demo's days are the first start's, whatever the clock has become since.
  const intake = { clock: () => anchorMs };
  const transactions = new TransactionRegister({ client, name: physicalTableName(stage, "Transactions") });
  const sellOrders = new SellOrderRegister({ client, name: physicalTableName(stage, "SellOrders") });
  const passes = new PassRegister({ client, name: physicalTableName(stage, "Passes") });
  const writes = [
    ...demoTransactions(anchorMs, brand).map(
      ({ businessId, label, text }) =>
        async () =>
          mustBeAccepted(label, await putTransaction(transactions, brand, businessId, text, intake)),
    ),
    ...demoPasses(anchorMs).map(({ reference, text, isVoid }) => async () => {
      mustBeAccepted(reference, await putPass(passes, text));
      if (isVoid) mustBeAccepted(reference, await voidPass(passes, reference, clock));
    }),
    ...demoSellOrders(anchorMs, brand).map(
      ({ partnerId, id, text }) =>
        async () =>
          mustBeAccepted(id, await putSellOrder(sellOrders, brand, partnerId, text, intake)),
    ),
  ];
  await runAll(writes);
}

/** Runs some at a time. Returns, or throws the first failure, when none is under way any more. */
async function runAll(writes: readonly (() => Promise<void>)[]): Promise<void> {
  const queue = generate(writes);
  const drains = Array.from({ length: CONCURRENT_WRITES }, () => drain(queue));
  const failed = (await Promise.allSettled(drains)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

function* generate<Item>(items: readonly Item[]): Generator<Item, void> {
  yield* items;
}

/** A write that fails leaves the loop, which ends the generator, and with it every other drain. */
async function drain(queue: Generator<() => Promise<void>, void>): Promise<void> {
  for (const write of queue) await write();
}

function mustBeAccepted(name: string, outcome: WriteOutcome): void {
  if (outcome.outcome === "refused")
    throw new Error(`The demo record ${name} was refused: ${outcome.reason}`);
}
