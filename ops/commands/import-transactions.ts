import type { Command } from "commander";
import { putTransaction } from "../../lib/transactions/put-transaction.ts";
import { TransactionStore } from "../../lib/transactions/transaction-store.ts";
import { addImportCommand } from "../import/import-command.ts";

/** `import transactions`: a business's transactions, from a file of one JSON document a line. */
export function importTransactions(group: Command): void {
  addImportCommand(group, {
    name: "transactions",
    summary: "import a business's transactions",
    owner: "business",
    ownerSummary: "the business they belong to: the `sub` of its tokens",
    writerOf: ({ client, tableName, brand }, businessId) => {
      const store = new TransactionStore(client, tableName("Transactions"));
      return (text) => putTransaction(store, brand, businessId, text);
    },
  });
}
