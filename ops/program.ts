import { Command } from "commander";
import { commands, version } from "../local/installation.ts";
import { looksSecret } from "./arguments/secret-look-alike.ts";
import { terminalLines } from "./terminal/terminal-text.ts";

/** Adds one command, with its arguments, options, help and action, to its group. */
type AddCommand = (group: Command) => void;

/** A command of the program itself, or a group of commands, under the name that comes first on the command line. */
interface Entry {
  readonly name: string;
  /** Adds it to the program. */
  readonly add: (program: Command) => Promise<void>;
}

/** The export of a command's file. Only files of the commands that are asked for are loaded, because loading takes time. */
const from = async <Name extends string>(
  file: Promise<Readonly<Record<Name, AddCommand>>>,
  name: Name,
): Promise<AddCommand> => (await file)[name];

const command = (name: string, load: () => Promise<AddCommand>): Entry => ({
  name,
  add: async (program) => (await load())(program),
});

const group = (name: string, summary: string, load: () => readonly Promise<AddCommand>[]): Entry => ({
  name,
  add: async (program) => addGroup(program, name, summary, await Promise.all(load())),
});

function addGroup(parent: Command, name: string, summary: string, commands: readonly AddCommand[]): void {
  // An option belongs to the command that it follows, also where a command has others below it.
  const added = parent.command(name).description(summary).enablePositionalOptions();
  for (const add of commands) add(added);
}

/** Everything that can come first on the command line. A new file of commands/ is listed here and nowhere else. */
const entries: readonly Entry[] = [
  group("import", "import records from files, and take imports back", () => [
    from(import("./commands/import-transactions.ts"), "importTransactions"),
    from(import("./commands/import-sell-orders.ts"), "importSellOrders"),
    from(import("./commands/import-passes.ts"), "importPasses"),
    from(import("./commands/import-trades.ts"), "importTrades"),
    from(import("./commands/import-list.ts"), "listImports"),
    from(import("./commands/import-undo.ts"), "undoOneImport"),
  ]),
  group("send", "send records from files to the queue of records", () => [
    from(import("./commands/queue/send.ts"), "sendRecords"),
  ]),
  command("redrive", () => from(import("./commands/queue/redrive.ts"), "redriveDead")),
  group("rejected", "look at the records that the queue could not store, and take them out", () => [
    from(import("./commands/queue/list-rejected.ts"), "listRejected"),
    from(import("./commands/queue/export-rejected.ts"), "exportRejected"),
  ]),
  group("markets", "list markets, and name their assets", () => [
    from(import("./commands/markets.ts"), "putMarket"),
    from(import("./commands/markets.ts"), "listMarkets"),
  ]),
  group("segments", "check, repair and compact the segments that hold a market's trades", () => [
    from(import("./commands/check-segments.ts"), "checkSegments"),
    from(import("./commands/take-out-segment.ts"), "takeOutSegment"),
    from(import("./commands/compact-segments.ts"), "compactSegments"),
  ]),
  command("switch", () => from(import("./commands/throw-switch.ts"), "throwSwitch")),
  group("subjects", "block the access tokens of a subject, allow them again, or list who is blocked", () => [
    from(import("./commands/block-subject.ts"), "blockSubject"),
    from(import("./commands/block-subject.ts"), "allowSubject"),
    from(import("./commands/list-subjects.ts"), "listSubjects"),
  ]),
  group("keys", "issue, list, label, rotate and revoke keys", () => [
    addCreate(),
    from(import("./commands/list-keys.ts"), "listKeys"),
    from(import("./commands/label-key.ts"), "labelKey"),
    from(import("./commands/rotate-key.ts"), "rotateKey"),
    from(import("./commands/revoke-key.ts"), "revokeKey"),
  ]),
  command("doctor", () => from(import("./commands/doctor.ts"), "runDoctor")),
  command("status", () => from(import("./commands/status.ts"), "showStatus")),
  group("tenants", "show whose records are stored", () => [
    from(import("./commands/list-tenants.ts"), "listTenants"),
  ]),
  command("schema", () => from(import("./commands/schema.ts"), "showSchema")),
  command("token", () => from(import("./commands/token.ts"), "printLocalToken")),
  group("passes", "publish, void and show passes", () => [
    from(import("./commands/publish-pass.ts"), "publishOnePass"),
    from(import("./commands/void-pass.ts"), "voidOnePass"),
    from(import("./commands/show-pass.ts"), "showPass"),
  ]),
  group("erase", "erase everything of a business, a partner or a pass", () => [
    from(import("./commands/erase.ts"), "eraseBusiness"),
    from(import("./commands/erase.ts"), "erasePartner"),
    from(import("./commands/erase.ts"), "erasePass"),
  ]),
  group("audit", "list what operators changed", () => [
    from(import("./commands/audit-list.ts"), "listAudit"),
  ]),
  group("demo", `make a running \`${commands.start}\` show what a client has to handle`, () => [
    from(import("./commands/demo/curl.ts"), "demoCurl"),
    from(import("./commands/demo/advance.ts"), "advanceOne"),
    from(import("./commands/demo/fault.ts"), "setOrClearFaults"),
    from(import("./commands/demo/fault.ts"), "showFaults"),
    from(import("./commands/demo/trades.ts"), "continueTrades"),
    from(import("./commands/demo/reset.ts"), "resetDemo"),
    from(import("./commands/demo/partner.ts"), "demoPartner"),
  ]),
  group("restore", "plan the restoration of a table", () => [
    from(import("./commands/plan-restore.ts"), "planTableRestore"),
  ]),
  group("get", "read through the interfaces as a client does, and download records", () => [
    from(import("./commands/get-trades.ts"), "getTrades"),
    from(import("./commands/get-transactions.ts"), "getTransactions"),
    from(import("./commands/get-transaction.ts"), "getTransaction"),
    from(import("./commands/get-sell-order.ts"), "getSellOrder"),
    from(import("./commands/get-pass.ts"), "getPass"),
    from(import("./commands/verify-download.ts"), "verifyDownloaded"),
  ]),
  command("check-pass", () => from(import("./commands/check-pass.ts"), "checkPassEndpoint")),
  command("check-client", () => from(import("./commands/check-client.ts"), "checkClient")),
  command("compare", () => from(import("./commands/compare.ts"), "compareAddresses")),
  command("poll", () => from(import("./commands/poll-pass.ts"), "pollPassEndpoint")),
  command("sign", () => from(import("./commands/sign.ts"), "signOrExplain")),
  command("sign-pass", () => from(import("./commands/sign-pass.ts"), "signPass")),
  command("explain", () => from(import("./commands/explain.ts"), "explainRequest")),
];

/** `keys create`, a group below a group. */
async function addCreate(): Promise<AddCommand> {
  const commands = await Promise.all([
    from(import("./commands/create-exchange-key.ts"), "createExchangeKey"),
    from(import("./commands/create-ramp-key.ts"), "createRampKey"),
    from(import("./commands/create-pass-key.ts"), "createPassKey"),
  ]);
  return (keys) => addGroup(keys, "create", "issue a key", commands);
}

const EPILOGUE = `
Every command and every group explains itself with --help;
\`${commands.startWith} --help\` has the options of the service.
Exit codes: 0 done, 1 done, but something was refused, missing or faulty, 2 the command could not do its work,
130 stopped by Ctrl-C. A reader that leaves early, as in \`| head\`, ends no command that changes something, and changes no
exit code; an output that takes no more, as on a full disk, is a 2.`;

/**
 * The command line: all of it, or the part that `first` names, the first word after the program's name. Each file in
 * commands/ exports `(group: Command) => void`, which adds its command to the group. Where commander would end the
 * process, its `CommanderError` is thrown.
 */
export async function buildProgram(first?: string): Promise<Command> {
  const program = new Command(commands.ops)
    .description(
      "Operate countinghouse: import records, publish passes, issue and revoke keys, switch endpoints off and on, read and download through the interfaces, and check a partner's pass endpoint.",
    )
    .version(`countinghouse ${version}`, "--version", "print the version")
    .addHelpText("after", EPILOGUE)
    .showHelpAfterError("(add --help for the arguments, the options and an example)")
    .enablePositionalOptions()
    .configureOutput({ outputError: (message, write) => write(complaint(message)) })
    .exitOverride();
  const named = entries.filter(({ name }) => name === first);
  for (const { add } of named.length > 0 ? named : entries) await add(program);
  return program;
}

/**
 * Commander's complaint, safe to print. A key or an id that begins with a hyphen looks like an option to it: the key is
 * not repeated, and of the id it is said where it goes.
 */
function complaint(message: string): string {
  const shown = message.replace(/(?<=^error: unknown \w+ ')[^']*/, (word) =>
    looksSecret(word) ? "…" : word,
  );
  const hint = shown.replace(
    /^error: unknown option '([^']*)'$/m,
    (line, word: string) => `${line}\n(An argument that begins with - stands behind --: -- ${word})`,
  );
  return terminalLines(hint);
}
