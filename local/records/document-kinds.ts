import type * as z from "zod/mini";
import type { Brand } from "../../lib/brand.ts";
import type { Checked } from "../../lib/checked.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import type { TableName } from "../../lib/dynamo/tables.ts";
import type { putVersioned } from "../../lib/dynamo/versioned-put.ts";
import type { RecordKind } from "../../lib/ingest/message.ts";
import { type Intake, notAhead } from "../../lib/intake.ts";
import { checkPass } from "../../lib/passes/pass.ts";
import { passDocument } from "../../lib/passes/pass-document.ts";
import { PassRegister } from "../../lib/passes/pass-register.ts";
import { putPass } from "../../lib/passes/put-pass.ts";
import { putSellOrder } from "../../lib/sell-orders/put-sell-order.ts";
import { checkSellOrder } from "../../lib/sell-orders/sell-order.ts";
import { sellOrderDocument } from "../../lib/sell-orders/sell-order-document.ts";
import { SellOrderRegister } from "../../lib/sell-orders/sell-order-register.ts";
import { putTransaction } from "../../lib/transactions/put-transaction.ts";
import { checkTransaction } from "../../lib/transactions/transaction.ts";
import { transactionDocument } from "../../lib/transactions/transaction-document.ts";
import { TransactionRegister } from "../../lib/transactions/transaction-register.ts";
import type { WriteDocument } from "./write-lines.ts";

/** Where the documents of a file are written. */
interface DocumentPlace {
  readonly table: (name: TableName) => Table;
  readonly brand: Brand;
  /** The owner of all of them; unread for kinds without owners. */
  readonly owner?: string | undefined;
  readonly intake?: Intake | undefined;
  /** Stands in for `putVersioned`. */
  readonly put?: typeof putVersioned | undefined;
}

/** One kind of records that come as documents. */
export interface DocumentKind {
  readonly table: TableName;
  /** Its name in messages of the queues. */
  readonly inMessages: RecordKind;
  /** The contract's shape of a document. */
  readonly shape: z.ZodMiniType;
  /** Whose records they are; absent for records that have no owner. */
  readonly owner?: {
    readonly kind: "business" | "partner";
    readonly hasRecords: (table: Table, owner: string) => Promise<boolean>;
  };
  /** Judges a document by its contract, as the writer does. */
  readonly check: (text: string, owner: string, brand: Brand) => Checked<unknown>;
  readonly writer: (place: DocumentPlace) => WriteDocument;
}

/** The kinds of records that come as documents, by the names of their commands. */
export const documentKinds = {
  transactions: {
    table: "Transactions",
    inMessages: "transaction",
    shape: transactionDocument,
    owner: { kind: "business", hasRecords: (table, owner) => new TransactionRegister(table).hasAny(owner) },
    check: (text, owner, brand) => notAhead(checkTransaction(brand, owner, text)),
    writer: ({ table, brand, owner = "", intake, put }) => {
      const register = new TransactionRegister(table("Transactions"), put);
      return (text) => putTransaction(register, brand, owner, text, intake);
    },
  },
  "sell-orders": {
    table: "SellOrders",
    inMessages: "sell_order",
    shape: sellOrderDocument,
    owner: { kind: "partner", hasRecords: (table, owner) => new SellOrderRegister(table).hasAny(owner) },
    check: (text, owner, brand) => notAhead(checkSellOrder(brand, owner, text)),
    writer: ({ table, brand, owner = "", intake, put }) => {
      const register = new SellOrderRegister(table("SellOrders"), put);
      return (text) => putSellOrder(register, brand, owner, text, intake);
    },
  },
  passes: {
    table: "Passes",
    inMessages: "pass",
    shape: passDocument,
    check: checkPass,
    writer: ({ table, intake, put }) => {
      const register = new PassRegister(table("Passes"), put);
      return (text) => putPass(register, text, intake);
    },
  },
} as const satisfies Readonly<Record<string, DocumentKind>>;

export type DocumentKindName = keyof typeof documentKinds;
