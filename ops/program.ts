import { Command } from "commander";
import { commands, version } from "../local/installation.ts";
import { addCommand } from "./add-command.ts";
import { looksSecret } from "./arguments/secret-look-alike.ts";
import { commandsIn } from "./command.ts";
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

const group = (
  name: string,
  summary: string,
  load: () => readonly Promise<AddCommand | object>[],
): Entry => ({
  name,
  add: async (program) => {
    const added = addGroup(program, name, summary, []);
    for (const loaded of await Promise.all(load()))
      if (typeof loaded === "function") (loaded as AddCommand)(added);
      else for (const one of commandsIn(loaded)) addCommand(program, one);
  },
});

/** A command that is no group's, by its file. */
const single = (name: string, load: () => Promise<object>): Entry => ({
  name,
  add: async (program) => {
    for (const one of commandsIn(await load())) addCommand(program, one);
  },
});

function addGroup(parent: Command, name: string, summary: string, commands: readonly AddCommand[]): Command {
  // An option belongs to the command that it follows, also where a command has others below it.
  const added = parent.command(name).description(summary).enablePositionalOptions();
  for (const add of commands) add(added);
  return added;
}

/** Everything that can come first on the command line. A new command's file is listed here and nowhere else. */
const entries: readonly Entry[] = [
  group("import", "import records from files, and take imports back", () => [
    from(import("./import/import-documents.ts"), "importTransactions"),
    from(import("./import/import-documents.ts"), "importSellOrders"),
    from(import("./import/import-documents.ts"), "importPasses"),
    from(import("./import/import-trades.ts"), "importTrades"),
    from(import("./import/import-list.ts"), "listImports"),
    from(import("./undo/import-undo.ts"), "undoOneImport"),
  ]),
  group("send", "send records from files to the queue of records", () => [
    from(import("./queue/send.ts"), "sendRecords"),
  ]),
  command("redrive", () => from(import("./queue/redrive.ts"), "redriveDead")),
  group("rejected", "look at the records that the queue could not store, and take them out", () => [
    from(import("./queue/list-rejected.ts"), "listRejected"),
    from(import("./queue/export-rejected-records.ts"), "exportRejected"),
  ]),
  group("markets", "list markets, and name their assets", () => [import("./markets/markets.ts")]),
  group("segments", "check, repair and compact the segments that hold a market's trades", () => [
    from(import("./segments/check-segments.ts"), "checkSegments"),
    from(import("./segments/take-out-segment.ts"), "takeOutSegment"),
    from(import("./segments/compact-segments.ts"), "compactSegments"),
  ]),
  single("switch", () => import("./switches/throw-switch.ts")),
  group("subjects", "block the access tokens of a subject, allow them again, or list who is blocked", () => [
    import("./subjects/block-subject.ts"),
    import("./subjects/list-subjects.ts"),
  ]),
  group("keys", "issue, list, label, rotate and revoke keys", () => [
    Promise.resolve((keys: Command) => void addGroup(keys, "create", "issue a key", [])),
    import("./credentials/create-key.ts"),
    import("./credentials/list-keys.ts"),
    import("./credentials/rotate-key.ts"),
    import("./credentials/change-key.ts"),
  ]),
  single("doctor", () => import("./doctor/run-doctor.ts")),
  single("status", () => import("./status/show-status.ts")),
  group("tenants", "show whose records are stored", () => [import("./tenants/list-tenants.ts")]),
  single("schema", () => import("./schema/show-schema.ts")),
  single("token", () => import("./token/print-token.ts")),
  group("passes", "publish, void and show passes", () => [
    import("./passes/change-pass.ts"),
    import("./passes/show-pass.ts"),
  ]),
  group("erase", "erase everything of a business, a partner or a pass", () => [
    from(import("./erase/erase.ts"), "eraseBusiness"),
    from(import("./erase/erase.ts"), "erasePartner"),
    from(import("./erase/erase.ts"), "erasePass"),
  ]),
  group("audit", "list what operators changed", () => [import("./audit/audit-list.ts")]),
  group("demo", `make a running \`${commands.start}\` show what a client has to handle`, () => [
    import("./demo/curl.ts"),
    import("./demo/advance.ts"),
    import("./demo/fault.ts"),
    import("./demo/trades.ts"),
    import("./demo/reset.ts"),
    import("./demo/partner/demo-partner.ts"),
  ]),
  group("restore", "plan the restoration of a table", () => [import("./restore/plan-restore.ts")]),
  group("get", "read through the interfaces as a client does, and download records", () => [
    import("./get/download-records.ts"),
    import("./get/get-record.ts"),
    import("./get/verify-download.ts"),
  ]),
  single("check-pass", () => import("./check-pass/check-pass-endpoint.ts")),
  single("check-client", () => import("./check-client/check-client.ts")),
  single("compare", () => import("./compare/compare.ts")),
  single("poll", () => import("./poll/poll-pass-endpoint.ts")),
  single("sign", () => import("./signing/sign.ts")),
  single("sign-pass", () => import("./wallet/sign-pass.ts")),
  single("explain", () => import("./explain/explain.ts")),
];

const EPILOGUE = `
Every command and every group explains itself with --help;
\`${commands.startWith} --help\` has the options of the service.
Exit codes: 0 done, 1 done, but something was refused, missing or faulty, 2 the command could not do its work,
130 stopped by Ctrl-C. A reader that leaves early, as in \`| head\`, ends no command that changes something, and changes no
exit code; an output that takes no more, as on a full disk, is a 2.`;

/**
 * The command line: all of it, or the part that `first` names, the first word after the program's name. Each command's
 * file exports `(group: Command) => void`, which adds the command to the group. Where commander would end the process,
 * its `CommanderError` is thrown.
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
