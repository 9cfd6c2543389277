import type { Command } from "commander";
import { systemClock } from "../../lib/clock.ts";
import type { Intake } from "../../lib/intake.ts";
import type { WriteOutcome } from "../../lib/write-outcome.ts";
import {
  addCorrectionOptions,
  CORRECTION_HELP,
  type CorrectionOptions,
  intakeOf,
} from "../correction-options.ts";
import { parseOwnerId } from "../parse-owner-id.ts";
import { type OperatorStore, withStore } from "../store.ts";
import { addStoreOptions, brandOption, callersPath, optionOf, type StoreOptions } from "../store-options.ts";
import { openSource } from "./open-source.ts";
import { defaultRejectsPath, runImport } from "./run-import.ts";
import { writeLines } from "./write-lines.ts";

/** The option that names the owner of all documents of a file. */
export interface OwnerOption {
  /** Without its hyphens. */
  readonly name: "business" | "partner";
  readonly summary: string;
}

/** What sets one import apart from another: whose records they are, and what writes one. */
export interface RecordKind {
  readonly name: string;
  readonly summary: string;
  /** Whose they are; left out for records that have no owner. */
  readonly owner?: OwnerOption;
  /** The writer of one owner's documents; it throws only on trouble with the store. */
  readonly writerOf: (
    store: OperatorStore,
    ownerId: string,
    intake: Intake,
  ) => (text: string) => Promise<WriteOutcome>;
}

type Options = StoreOptions &
  CorrectionOptions & { readonly rejects?: string; readonly ownAccount?: string } & Partial<
    Record<OwnerOption["name"], string>
  >;

/** The store as the command line says it is branded; a deployed stage's brand is its own. */
const branded = (store: OperatorStore, { ownAccount }: Options): OperatorStore =>
  ownAccount === undefined ? store : { ...store, brand: { ...store.brand, ownAccount } };

/** How the owner stands in an example of the command. */
const ownerExample = ({ owner }: RecordKind): string => (owner === undefined ? "" : ` --${owner.name} acme`);

const helpOf = (kind: RecordKind): string => `
The file holds one JSON document a line (NDJSON), in the contract's shape, plain or gzip; - reads standard input.
Every document is checked before it is stored. One that breaks the contract is refused and listed in the rejects file,
by line number and reason only: a refused line may hold a full card number, so it is never copied. Of two versions of a
record the later one wins, whatever step that is; a step that such records do not usually take is stored, counted as
"unusual" among the written ones, and listed in the same file.
Importing again is safe: what is stored already is "unchanged", what is older than the stored one is "stale". Ctrl-C
finishes the writes in flight; the same command run again continues.
${CORRECTION_HELP}

Examples:
  npm run ops -- import ${kind.name}${ownerExample(kind)} ${kind.name}.ndjson
  npm run ops -- import ${kind.name}${ownerExample(kind)} right.ndjson --correct --reason "the feed's clock was wrong"
  gunzip -c ${kind.name}.ndjson.gz | npm run ops -- import ${kind.name}${ownerExample(kind)} -

Exit codes: 0 all stored, 1 some lines were refused, 2 the store or the file failed, 130 stopped by Ctrl-C.`;

async function importFile(kind: RecordKind, file: string, options: Options): Promise<void> {
  const ownerId = kind.owner === undefined ? "" : (options[kind.owner.name] ?? "");
  const intake = intakeOf(options);
  process.exitCode = await withStore(options, (store) => {
    const write = kind.writerOf(branded(store, options), ownerId, intake);
    return runImport({
      file: file === "-" ? file : callersPath(file),
      rejects: callersPath(options.rejects ?? defaultRejectsPath(file)),
      open: openSource,
      writeLines: (lines, sink) => writeLines(lines, { ...sink, write }),
      clock: systemClock,
    });
  });
}

/** Adds the command that imports one kind of record. */
export function addImportCommand(group: Command, kind: RecordKind): void {
  const command = group
    .command(kind.name)
    .description(kind.summary)
    .argument("<file>", "the file to import, or - for standard input")
    .option("--rejects <path>", "where refused lines are listed (default: <file>.rejects.ndjson)")
    .addOption(brandOption("--own-account <word>", "the local store's own-account word", "OWN_ACCOUNT_WORD"));
  if (kind.owner !== undefined) {
    command.requiredOption(`--${kind.owner.name} <id>`, kind.owner.summary, optionOf(parseOwnerId));
  }
  addStoreOptions(addCorrectionOptions(command))
    .addHelpText("after", helpOf(kind))
    .action((file: string, options: Options) => importFile(kind, file, options));
}
