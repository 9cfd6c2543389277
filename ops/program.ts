import { Command, Help, type Option } from "commander";
import { ownMember } from "../lib/own-member.ts";
import { commands, version } from "../local/installation.ts";
import { addCommand } from "./add-command.ts";
import { looksSecret } from "./arguments/secret-look-alike.ts";
import { commandsIn } from "./command.ts";
import { terminalLines } from "./terminal/terminal-text.ts";

/** What the groups of commands are about, by their words. */
const groups: ReadonlyMap<string, string> = new Map([
  ["import", "import records from files, and take imports back"],
  ["send", "send records from files to the queue of records"],
  ["rejected", "look at the records that the queue could not store, and take them out"],
  ["markets", "list markets, and name their assets"],
  ["segments", "check, repair and compact the segments that hold a market's trades"],
  ["subjects", "block the access tokens of a subject, allow them again, or list who is blocked"],
  ["keys", "issue, list, label, rotate and revoke keys"],
  ["keys create", "issue a key"],
  ["tenants", "show whose records are stored"],
  ["passes", "publish, void and show passes"],
  ["erase", "erase everything of a business, a partner or a pass"],
  ["audit", "list what operators changed"],
  ["demo", `make a running \`${commands.start}\` show what a client has to handle`],
  ["restore", "plan the restoration of a table"],
  ["get", "read through the interfaces as a client does, and download records"],
]);

/**
 * The files of the commands, by the first of their words, in the order of the help: those of the word that is asked for are
 * loaded alone, because loading takes time. A new command's file is named here and nowhere else.
 */
const files: Readonly<Record<string, () => readonly Promise<object>[]>> = {
  import: () => [
    import("./import/import-documents.ts"),
    import("./import/import-trades.ts"),
    import("./import/import-list.ts"),
    import("./undo/import-undo.ts"),
  ],
  send: () => [import("./queue/send.ts")],
  redrive: () => [import("./queue/redrive.ts")],
  rejected: () => [import("./queue/rejected.ts")],
  markets: () => [import("./markets/markets.ts")],
  segments: () => [
    import("./segments/check-segments.ts"),
    import("./segments/take-out-segment.ts"),
    import("./segments/compact-segments.ts"),
  ],
  switch: () => [import("./switches/throw-switch.ts")],
  subjects: () => [import("./subjects/block-subject.ts"), import("./subjects/list-subjects.ts")],
  keys: () => [
    import("./credentials/create-key.ts"),
    import("./credentials/list-keys.ts"),
    import("./credentials/rotate-key.ts"),
    import("./credentials/change-key.ts"),
  ],
  doctor: () => [import("./doctor/run-doctor.ts")],
  status: () => [import("./status/show-status.ts")],
  tenants: () => [import("./tenants/list-tenants.ts")],
  schema: () => [import("./schema/show-schema.ts")],
  token: () => [import("./token/print-token.ts")],
  passes: () => [import("./passes/change-pass.ts"), import("./passes/show-pass.ts")],
  erase: () => [import("./erase/erase.ts")],
  audit: () => [import("./audit/audit-list.ts")],
  demo: () => [
    import("./demo/curl.ts"),
    import("./demo/advance.ts"),
    import("./demo/fault.ts"),
    import("./demo/trades.ts"),
    import("./demo/reset.ts"),
    import("./demo/time.ts"),
    import("./demo/partner/demo-partner.ts"),
  ],
  restore: () => [import("./restore/plan-restore.ts")],
  get: () => [
    import("./get/download-records.ts"),
    import("./get/get-record.ts"),
    import("./get/verify-download.ts"),
  ],
  "check-pass": () => [import("./check-pass/check-pass-endpoint.ts")],
  "check-client": () => [import("./check-client/check-client.ts")],
  compare: () => [import("./compare/compare.ts")],
  sign: () => [import("./signing/sign.ts")],
  "sign-pass": () => [import("./wallet/sign-pass.ts")],
  explain: () => [import("./explain/explain.ts")],
};

const EPILOGUE = `
Every command and every group explains itself with --help;
\`${commands.startWith} --help\` has the options of the service.
Exit codes: 0 done, 1 done, but something was refused, missing or faulty, 2 the command could not do its work,
130 stopped by Ctrl-C. A reader that leaves early, as in \`| head\`, ends no command that changes something, and changes no
exit code; an output that takes no more, as on a full disk, is a 2.`;

/**
 * The command line: all of it, or the part that `first` names, the first word after the program's name. Where commander
 * would end the process, its `CommanderError` is thrown.
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
    .configureHelp({ optionDescription: describeOption })
    .configureOutput({ outputError: (message, write) => write(complaint(message)) })
    .exitOverride();
  const named = ownMember(files, first ?? "");
  for (const load of named === undefined ? Object.values(files) : [named])
    for (const file of await Promise.all(load()))
      for (const one of commandsIn(file)) addCommand(program, one, groups);
  return program;
}

const help = new Help();

function describeOption(option: Option): string {
  return `${option.mandatory ? "required: " : ""}${help.optionDescription(option)}`;
}

/**
 * Commander's complaint, safe to print. A key or an id that begins with a hyphen looks like an option to it: the key is
 * not repeated, and of the id it is said where it goes.
 */
function complaint(message: string): string {
  const shown = message.replace(/(?<=^error: unknown \w+ ')[^']*/, (word) =>
    looksSecret(word) ? "…" : word,
  );
  // Two hyphens are a misspelt option, of which commander names the one that was meant, or one with a value too many.
  const hint = shown
    .replace(
      /^error: unknown option '(?!--)([^']*)'$(?!\n\(Did you mean)/m,
      (line, word: string) => `${line}\n(An argument that begins with - stands behind --: -- ${word})`,
    )
    .replace(
      /^error: unknown option '(--[^'=]+)=[^']*'$(?!\n\(Did you mean)/m,
      (line, option: string) => `${line}\n(${option} takes no value, or is misspelt)`,
    );
  return terminalLines(hint);
}
