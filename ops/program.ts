import { Command } from "commander";
import { allowSubject, blockSubject } from "./commands/block-subject.ts";
import { checkClient } from "./commands/check-client.ts";
import { checkPassEndpoint } from "./commands/check-pass.ts";
import { checkTrades } from "./commands/check-trades.ts";
import { compactTrades } from "./commands/compact-trades.ts";
import { createExchangeKey } from "./commands/create-exchange-key.ts";
import { createPassKey } from "./commands/create-pass-key.ts";
import { createRampKey } from "./commands/create-ramp-key.ts";
import { advanceOne } from "./commands/demo/advance.ts";
import { demoCurl } from "./commands/demo/curl.ts";
import { setOrClearFaults, showFaults } from "./commands/demo/fault.ts";
import { demoPartner } from "./commands/demo/partner.ts";
import { resetDemo } from "./commands/demo/reset.ts";
import { continueTrades } from "./commands/demo/trades.ts";
import { explainRequest } from "./commands/explain.ts";
import { getPass } from "./commands/get-pass.ts";
import { getSellOrder } from "./commands/get-sell-order.ts";
import { getTrades } from "./commands/get-trades.ts";
import { getTransaction } from "./commands/get-transaction.ts";
import { getTransactions } from "./commands/get-transactions.ts";
import { importPasses } from "./commands/import-passes.ts";
import { importSellOrders } from "./commands/import-sell-orders.ts";
import { importTrades } from "./commands/import-trades.ts";
import { importTransactions } from "./commands/import-transactions.ts";
import { listKeys } from "./commands/list-keys.ts";
import { listMarkets, putMarket } from "./commands/markets.ts";
import { planTableRestore } from "./commands/plan-restore.ts";
import { pollPassEndpoint } from "./commands/poll-pass.ts";
import { publishOnePass } from "./commands/publish-pass.ts";
import { removeDamagedTrades } from "./commands/remove-damaged-trades.ts";
import { revokeKey } from "./commands/revoke-key.ts";
import { showPass } from "./commands/show-pass.ts";
import { signOrExplain } from "./commands/sign.ts";
import { signPass } from "./commands/sign-pass.ts";
import { throwSwitch } from "./commands/throw-switch.ts";
import { verifyDownloaded } from "./commands/verify-download.ts";
import { voidOnePass } from "./commands/void-pass.ts";

/** Adds one command, with its arguments, options, help and action, to its group. */
type AddCommand = (group: Command) => void;

function addGroup(parent: Command, name: string, summary: string, commands: readonly AddCommand[]): void {
  // An option belongs to the command that it follows, also where a command has others below it.
  const group = parent.command(name).description(summary).enablePositionalOptions();
  for (const add of commands) add(group);
}

const addCreate: AddCommand = (keys) =>
  addGroup(keys, "create", "issue a key", [createExchangeKey, createRampKey, createPassKey]);

const EPILOGUE = `
Every command and every group explains itself with --help.
Exit codes: 0 done, 1 done, but something was refused, missing or faulty, 2 the command could not do its work,
130 stopped by Ctrl-C.`;

/**
 * The whole command line. Each file in commands/ exports `(group: Command) => void`, which adds its command to the
 * group; a new file is listed here and nowhere else. Where commander would end the process, its `CommanderError` is
 * thrown.
 */
export function buildProgram(): Command {
  const program = new Command("npm run ops --")
    .description(
      "Operate countinghouse: import records, publish passes, issue and revoke keys, switch endpoints off and on, read and download through the interfaces, and check a partner's pass endpoint.",
    )
    .addHelpText("after", EPILOGUE)
    .showHelpAfterError("(add --help for the arguments, the options and an example)")
    .enablePositionalOptions()
    .exitOverride();
  addGroup(program, "import", "import records from files", [
    importTransactions,
    importSellOrders,
    importPasses,
    importTrades,
  ]);
  addGroup(program, "markets", "list markets, and name their assets", [putMarket, listMarkets]);
  addGroup(program, "trades", "find and remove damaged and withdrawn trades of a market", [
    checkTrades,
    removeDamagedTrades,
    compactTrades,
  ]);
  throwSwitch(program);
  addGroup(program, "subjects", "block the access tokens of a subject, or allow them again", [
    blockSubject,
    allowSubject,
  ]);
  addGroup(program, "keys", "issue, list and revoke keys", [addCreate, listKeys, revokeKey]);
  addGroup(program, "passes", "publish, void and show passes", [publishOnePass, voidOnePass, showPass]);
  addGroup(program, "demo", "make a running `npm start` show what a client has to handle", [
    demoCurl,
    advanceOne,
    setOrClearFaults,
    showFaults,
    continueTrades,
    resetDemo,
    demoPartner,
  ]);
  addGroup(program, "restore", "plan the restoration of a table", [planTableRestore]);
  addGroup(program, "get", "read through the interfaces as a client does, and download records", [
    getTrades,
    getTransactions,
    getTransaction,
    getSellOrder,
    getPass,
    verifyDownloaded,
  ]);
  checkPassEndpoint(program);
  checkClient(program);
  pollPassEndpoint(program);
  signOrExplain(program);
  signPass(program);
  explainRequest(program);
  return program;
}
