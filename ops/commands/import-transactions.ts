import type { Command } from "commander";
import { putTransaction } from "../../lib/transactions/put-transaction.ts";
import { TransactionRegister } from "../../lib/transactions/transaction-register.ts";
import { addImportCommand } from "../import/import-command.ts";

/** `import transactions`: a business's transactions, from a file of one JSON document a line. */
export function importTransactions(group: Command): void {
  addImportCommand(group, {
    name: "transactions",
    summary: "import a business's transactions",
    owner: { name: "business", summary: "the business they belong to: the `sub` of its tokens" },
    writerOf: ({ client, tableName, brand }, businessId, intake) => {
      const register = new TransactionRegister(client, tableName("Transactions"));
      return (text) => putTransaction(register, brand, businessId, text, intake);
    },
  });
}
