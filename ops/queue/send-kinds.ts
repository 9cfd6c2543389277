import type { Brand } from "../../lib/brand.ts";
import type { Checked } from "../../lib/checked.ts";
import type { RecordKind } from "../../lib/ingest/message.ts";
import { notAhead } from "../../lib/intake.ts";
import { checkMarket } from "../../lib/markets/market-document.ts";
import { checkPass } from "../../lib/passes/pass.ts";
import { checkSellOrder } from "../../lib/sell-orders/sell-order.ts";
import { SellOrderRegister } from "../../lib/sell-orders/sell-order-register.ts";
import { checkTransaction } from "../../lib/transactions/transaction.ts";
import { TransactionRegister } from "../../lib/transactions/transaction-register.ts";
import type { Line } from "../../local/records/read-lines.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import type { ReadLine } from "./send-records.ts";

/** The option that names the owner of all records of a file. */
interface SendOwner {
  /** Without its hyphens. */
  readonly name: "business" | "partner";
  readonly summary: string;
  /** Whether an owner has any record yet. */
  readonly hasRecords: (store: OperatorStore, ownerId: string) => Promise<boolean>;
}

/** One kind of record that is sent as its lines are: one JSON document each. */
export interface SendKind {
  /** The command's name, as that of `import`. */
  readonly name: string;
  readonly kind: RecordKind;
  readonly summary: string;
  readonly owner?: SendOwner;
  /** Why a line would be rejected; undefined when its document keeps its contract. */
  readonly violationOf: (text: string, ownerId: string, brand: Brand) => string | undefined;
}

const reasonOf = (checked: Checked<unknown>): string | undefined => (checked.ok ? undefined : checked.reason);

/** The kinds whose lines are documents. Trades come from files of several formats, and are apart. */
export const sendKinds: readonly SendKind[] = [
  {
    name: "transactions",
    kind: "transaction",
    summary: "send a business's transactions",
    owner: {
      name: "business",
      summary: "the business that the transactions belong to: the `sub` of its tokens",
      hasRecords: ({ table }, id) => new TransactionRegister(table("Transactions")).hasAny(id),
    },
    violationOf: (text, ownerId, brand) => reasonOf(notAhead(checkTransaction(brand, ownerId, text))),
  },
  {
    name: "sell-orders",
    kind: "sell_order",
    summary: "send a ramp partner's sell orders",
    owner: {
      name: "partner",
      summary: "the partner that the orders belong to: the owner of its API keys",
      hasRecords: ({ table }, id) => new SellOrderRegister(table("SellOrders")).hasAny(id),
    },
    violationOf: (text, ownerId, brand) => reasonOf(notAhead(checkSellOrder(brand, ownerId, text))),
  },
  {
    name: "passes",
    kind: "pass",
    summary: "send passes to publish",
    violationOf: (text) => reasonOf(checkPass(text)),
  },
  {
    name: "markets",
    kind: "market",
    summary: "send markets to list",
    violationOf: (text) => reasonOf(checkMarket(text)),
  },
];

/** The reader of a kind's lines. */
export const readerOf =
  ({ violationOf }: SendKind, ownerId: string, brand: Brand) =>
  (line: Line): ReadLine => {
    if ("refusal" in line) return { refusal: line.refusal };
    const violation = violationOf(line.text, ownerId, brand);
    return violation === undefined ? { record: line.text } : { refusal: violation };
  };
