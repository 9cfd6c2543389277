import type { Command } from "commander";
import type { putVersioned } from "../../lib/dynamo/versioned-put.ts";
import type { Intake } from "../../lib/intake.ts";
import { putTransaction } from "../../lib/transactions/put-transaction.ts";
import { transactionDocument } from "../../lib/transactions/transaction-document.ts";
import { TransactionRegister } from "../../lib/transactions/transaction-register.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { addImportCommand } from "./import-command.ts";
import { journaledPut } from "./journal/journaled-put.ts";
import { rehearsedPut } from "./rehearsed-put.ts";

/** `import transactions`: a business's transactions, from a file of one JSON document a line. */
export function importTransactions(group: Command): void {
  addImportCommand(group, {
    name: "transactions",
    summary: "import a business's transactions",
    owner: {
      name: "business",
      summary: "the business that the transactions belong to: the `sub` of its tokens",
      hasRecords: (store, businessId) => registerOf(store).hasAny(businessId),
    },
    shape: transactionDocument,
    writerOf: (store, businessId, intake, journal) =>
      writer(store, businessId, intake, journaledPut(store.table("Transactions"), journal)),
    rehearsalOf: (store, businessId, intake) => writer(store, businessId, intake, rehearsedPut()),
  });
}

const registerOf = ({ table }: OperatorStore, put?: typeof putVersioned) =>
  new TransactionRegister(table("Transactions"), put);

function writer(store: OperatorStore, businessId: string, intake: Intake, put: typeof putVersioned) {
  const register = registerOf(store, put);
  return (text: string) => putTransaction(register, store.brand, businessId, text, intake);
}
