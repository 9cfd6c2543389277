import { type Command, Option } from "commander";
import type * as z from "zod/mini";
import { systemClock } from "../../lib/clock.ts";
import type { Intake } from "../../lib/intake.ts";
import { dropUnknown } from "../../lib/json/drop-unknown.ts";
import type { WriteOutcome } from "../../lib/write-outcome.ts";
import {
  addCorrectionOptions,
  CORRECTION_HELP,
  type CorrectionOptions,
  intakeOf,
} from "../arguments/correction-options.ts";
import { parseOwnerId } from "../arguments/parse-owner-id.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { withStore, withStoreToLookAt } from "../store/store.ts";
import {
  addStoreOptions,
  brandOption,
  callersPath,
  optionOf,
  type StoreOptions,
} from "../store/store-options.ts";
import { announceNewcomer } from "./announce-newcomer.ts";
import { describeFile } from "./first-look.ts";
import { dropUnknownOption, dryRunOption, LEFT_OUT, rejectsOption } from "./import-options.ts";
import { NameCounts } from "./name-counts.ts";
import { openSource } from "./open-source.ts";
import { defaultRejectsPath, runImport } from "./run-import.ts";
import { writeLines } from "./write-lines.ts";

/** The option that names the owner of all documents of a file. */
export interface OwnerOption {
  /** Without its hyphens. */
  readonly name: "business" | "partner";
  readonly summary: string;
  /** Whether an owner has any record yet. */
  readonly hasRecords: (store: OperatorStore, ownerId: string) => Promise<boolean>;
}

/** Writes one document; throws only where the store fails. */
type WriteDocument = (text: string) => Promise<WriteOutcome>;

/** What sets one import apart from another: whose records they are, and what writes one. */
export interface RecordKind {
  readonly name: string;
  readonly summary: string;
  /** The contract's shape, which decides what `--drop-unknown` leaves out. */
  readonly shape: z.ZodMiniType;
  /** Whose they are; left out for records that have no owner. */
  readonly owner?: OwnerOption;
  /** The writer of one owner's documents. */
  readonly writerOf: (store: OperatorStore, ownerId: string, intake: Intake) => WriteDocument;
  /** The same for a dry run: it judges as the writer does, and stores nothing. */
  readonly rehearsalOf: (store: OperatorStore, ownerId: string, intake: Intake) => WriteDocument;
}

type Options = StoreOptions &
  CorrectionOptions & {
    readonly rejects?: string;
    readonly ownAccount?: string;
    readonly dropUnknown?: true;
    readonly dryRun?: true;
    readonly new?: true;
  } & Partial<Record<OwnerOption["name"], string>>;

/** The store as the command line says it is branded; a deployed stage's brand is its own. */
const branded = (store: OperatorStore, { ownAccount }: Options): OperatorStore =>
  ownAccount === undefined ? store : { ...store, brand: { ...store.brand, ownAccount } };

/** How the owner stands in an example of the command. */
const ownerExample = ({ owner }: RecordKind): string => (owner === undefined ? "" : ` --${owner.name} acme`);

const newcomerHelp = ({ owner }: RecordKind): string =>
  owner === undefined
    ? ""
    : `A ${owner.name} that has no records yet is asked about on a terminal, and refused elsewhere unless --new is given: records
cannot be taken back.
`;

const helpOf = (kind: RecordKind): string => `
The file holds one JSON document a line (NDJSON), in the contract's shape, plain or gzip; - reads standard input.
Every document is checked before it is stored. One that breaks the contract is refused and listed in the rejects file,
by line number and reason only: a refused line may hold a full card number, so it is never copied. Of two versions of a
record the later one wins, whatever step that is; a step that such records do not usually take is stored, counted as
"unusual" among the written ones, and listed in the same file.
Importing again is safe: what is stored already is "unchanged", what is older than the stored one is "stale". Ctrl-C
finishes the writes in flight, for half a minute at most where the store does not answer; the same command run again
continues.
${CORRECTION_HELP}
${newcomerHelp(kind)}--drop-unknown leaves out what the contract does not have, and tells what that was; --dry-run checks everything
against the contract and against what is stored, and stores nothing.

Examples:
  npm run ops -- import ${kind.name}${ownerExample(kind)} ${kind.name}.ndjson
  npm run ops -- import ${kind.name}${ownerExample(kind)} right.ndjson --correct --reason "the feed's clock was wrong"
  gunzip -c ${kind.name}.ndjson.gz | npm run ops -- import ${kind.name}${ownerExample(kind)} -

Exit codes: 0 all stored, 1 some lines were refused, 2 the store or the file failed, 130 stopped by Ctrl-C.`;

/** One import, as the command line asks for it. */
interface Asked {
  readonly kind: RecordKind;
  readonly file: string;
  readonly options: Options;
  readonly intake: Intake;
}

/** The writer that is asked for, and what it will have left out. */
function writingOf({ kind, options, intake }: Asked, store: OperatorStore) {
  const ownerId = kind.owner === undefined ? "" : (options[kind.owner.name] ?? "");
  const dropped = new NameCounts();
  const writerOf = options.dryRun === true ? kind.rehearsalOf : kind.writerOf;
  const write = writerOf(branded(store, options), ownerId, intake);
  const withoutUnknown = (text: string) => dropUnknown(kind.shape, text, (member) => dropped.add(member));
  return {
    write: options.dropUnknown === true ? (text: string) => write(withoutUnknown(text)) : write,
    remarks: () => dropped.describe(LEFT_OUT),
  };
}

async function announceOwner({ kind: { owner }, file, options }: Asked, store: OperatorStore) {
  const id = owner && options[owner.name];
  if (owner === undefined || id === undefined) return;
  await announceNewcomer({
    kind: owner.name,
    id,
    hasRecords: () => owner.hasRecords(store, id),
    isExpected: options.new === true,
    isRehearsal: options.dryRun === true,
    isInputTaken: file === "-",
  });
}

async function importInto(store: OperatorStore, asked: Asked) {
  const { kind, file, options } = asked;
  const { write, remarks } = writingOf(asked, store);
  return await runImport({
    file: file === "-" ? file : callersPath(file),
    rejects: callersPath(options.rejects ?? defaultRejectsPath(file)),
    records: "records",
    open: openSource,
    begin: () => announceOwner(asked, store),
    writeLines: (lines, sink) => writeLines(lines, { ...sink, write }),
    remarks,
    describe: (head) => describeFile(head, kind.name),
    isRehearsal: options.dryRun === true,
    clock: systemClock,
  });
}

async function importFile(kind: RecordKind, file: string, options: Options): Promise<void> {
  // What is wrong with the command line is said before a store is made.
  const asked = { kind, file, options, intake: intakeOf(options) };
  const open = options.dryRun === true ? withStoreToLookAt : withStore;
  process.exitCode = await open(options, (store) => importInto(store, asked));
}

/** Adds the command that imports one kind of record. */
export function addImportCommand(group: Command, kind: RecordKind): void {
  const command = group
    .command(kind.name)
    .description(kind.summary)
    .argument("<file>", "the file to import, or - for standard input")
    .addOption(rejectsOption())
    .addOption(dropUnknownOption())
    .addOption(dryRunOption())
    .addOption(brandOption("--own-account <word>", "the local store's own-account word", "OWN_ACCOUNT_WORD"));
  if (kind.owner !== undefined) {
    command
      .requiredOption(`--${kind.owner.name} <id>`, kind.owner.summary, optionOf(parseOwnerId))
      .option("--new", `let the ${kind.owner.name} be one that has no records yet, without asking`)
      .addOption(new Option("--yes").hideHelp().implies({ new: true }));
  }
  addStoreOptions(addCorrectionOptions(command))
    .addHelpText("after", helpOf(kind))
    .action((file: string, options: Options) => importFile(kind, file, options));
}
