import type { Command } from "commander";
import { commands } from "../../local/installation.ts";
import { connect } from "./connection.ts";
import { addConnectionOptions, type ConnectionOptions, credentialsHelp } from "./connection-options.ts";
import { addRecordOption, askForRecord, printRecord, type RecordOptions } from "./print-record.ts";

const HELP = `
Prints the transaction: over several lines on a terminal, elsewhere the bytes that the service sent.
${credentialsHelp("COUNTINGHOUSE_BUSINESS_TOKEN")}

Example:
  ${commands.quietOps} get transaction tx-0001 | jq .legs

Exit codes: 0 printed, 1 there is no such transaction, 2 it could not be asked for.`;

const get = (id: string, options: ConnectionOptions & RecordOptions): Promise<void> =>
  askForRecord(async () => {
    const { client, recorder } = await connect("business", options);
    await client.business.transaction(id);
    printRecord(await recorder.body, options);
  });

/** `get transaction`: prints one transaction. */
export function getTransaction(group: Command): void {
  const command = group
    .command("transaction")
    .description("print a transaction of a business")
    .argument("<id>", "the transaction's ID");
  addRecordOption(addConnectionOptions(command, "business")).addHelpText("after", HELP).action(get);
}
