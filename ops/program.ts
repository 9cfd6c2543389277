import { Command } from "commander";
import { commands, version } from "../local/installation.ts";
import { addCommand } from "./add-command.ts";
import { looksSecret } from "./arguments/secret-look-alike.ts";
import { commandsIn } from "./command.ts";
import { terminalLines } from "./terminal/terminal-text.ts";

/** A command of the program itself, or a group of commands, under the name that comes first on the command line. */
interface Entry {
  readonly name: string;
  /** Adds it to the program. */
  readonly add: (program: Command) => Promise<void>;
}

/**
 * A group. Only files of the commands that are asked for are loaded, because loading takes time.
 *
 * @param below the names and summaries of the groups in it.
 */
const group = (
  name: string,
  summary: string,
  load: () => readonly Promise<object>[],
  below: Readonly<Record<string, string>> = {},
): Entry => ({
  name,
  add: async (program) => {
    const added = addGroup(program, name, summary);
    for (const [inner, what] of Object.entries(below)) addGroup(added, inner, what);
    for (const file of await Promise.all(load()))
      for (const one of commandsIn(file)) addCommand(program, one);
  },
});

/** A command that is no group's, by its file. */
const single = (name: string, load: () => Promise<object>): Entry => ({
  name,
  add: async (program) => {
    for (const one of commandsIn(await load())) addCommand(program, one);
  },
});

// An option belongs to the command that it follows, also where a command has others below it.
const addGroup = (parent: Command, name: string, summary: string): Command =>
  parent.command(name).description(summary).enablePositionalOptions();

/** Everything that can come first on the command line. A new command's file is listed here and nowhere else. */
const entries: readonly Entry[] = [
  group("import", "import records from files, and take imports back", () => [
    import("./import/import-documents.ts"),
    import("./import/import-trades.ts"),
    import("./import/import-list.ts"),
    import("./undo/import-undo.ts"),
  ]),
  group("send", "send records from files to the queue of records", () => [import("./queue/send.ts")]),
  single("redrive", () => import("./queue/redrive.ts")),
  group("rejected", "look at the records that the queue could not store, and take them out", () => [
    import("./queue/rejected.ts"),
  ]),
  group("markets", "list markets, and name their assets", () => [import("./markets/markets.ts")]),
  group("segments", "check, repair and compact the segments that hold a market's trades", () => [
    import("./segments/check-segments.ts"),
    import("./segments/take-out-segment.ts"),
    import("./segments/compact-segments.ts"),
  ]),
  single("switch", () => import("./switches/throw-switch.ts")),
  group("subjects", "block the access tokens of a subject, allow them again, or list who is blocked", () => [
    import("./subjects/block-subject.ts"),
    import("./subjects/list-subjects.ts"),
  ]),
  group(
    "keys",
    "issue, list, label, rotate and revoke keys",
    () => [
      import("./credentials/create-key.ts"),
      import("./credentials/list-keys.ts"),
      import("./credentials/rotate-key.ts"),
      import("./credentials/change-key.ts"),
    ],
    { create: "issue a key" },
  ),
  single("doctor", () => import("./doctor/run-doctor.ts")),
  single("status", () => import("./status/show-status.ts")),
  group("tenants", "show whose records are stored", () => [import("./tenants/list-tenants.ts")]),
  single("schema", () => import("./schema/show-schema.ts")),
  single("token", () => import("./token/print-token.ts")),
  group("passes", "publish, void and show passes", () => [
    import("./passes/change-pass.ts"),
    import("./passes/show-pass.ts"),
  ]),
  group("erase", "erase everything of a business, a partner or a pass", () => [import("./erase/erase.ts")]),
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
