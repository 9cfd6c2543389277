import { type Command, Option } from "commander";
import type * as z from "zod/mini";
import { systemClock } from "../../lib/clock.ts";
import type { Intake } from "../../lib/intake.ts";
import type { WriteOutcome } from "../../lib/write-outcome.ts";
import { commands } from "../../local/installation.ts";
import { writeLines } from "../../local/records/write-lines.ts";
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
import { addJsonOption } from "../terminal/json-output.ts";
import { announceNewcomer } from "./announce-newcomer.ts";
import { auditImport } from "./audit-import.ts";
import { dropUnknown } from "./drop-unknown.ts";
import { describeFile } from "./first-look.ts";
import { dropUnknownOption, dryRunOption, LEFT_OUT, rejectsOption } from "./import-options.ts";
import { exampleReport, importReport } from "./import-report.ts";
import type { ImportJournal } from "./journal/import-journal.ts";
import type { ImportKind } from "./journal/import-register.ts";
import { openJournal } from "./journal/open-journal.ts";
import { NameCounts } from "./name-counts.ts";
import { openSource } from "./open-source.ts";
import { defaultRejectsPath, runImport } from "./run-import.ts";

/** The option that names the owner of all documents of a file. */
interface OwnerOption {
  /** Without its hyphens. */
  readonly name: "business" | "partner";
  readonly summary: string;
  /** Whether an owner has any record yet. */
  readonly hasRecords: (store: OperatorStore, ownerId: string) => Promise<boolean>;
}

/** Writes one document; throws only where the store fails. */
type WriteDocument = (text: string) => Promise<WriteOutcome>;

/** One kind of record to import: its command, its owner, and its writer. */
export interface RecordKind {
  readonly name: Exclude<ImportKind, "trades">;
  readonly summary: string;
  /** The contract's shape of a document; `--drop-unknown` leaves out the members that it does not have. */
  readonly shape: z.ZodMiniType;
  /** The option for the records' owner; absent for records that have no owner. */
  readonly owner?: OwnerOption;
  /** The writer of one owner's documents, which announces in the journal what it stores. */
  readonly writerOf: (
    store: OperatorStore,
    ownerId: string,
    intake: Intake,
    journal: ImportJournal,
  ) => WriteDocument;
  /** The writer for a dry run: it judges as `writerOf` does, and stores nothing. */
  readonly rehearsalOf: (store: OperatorStore, ownerId: string, intake: Intake) => WriteDocument;
}

type Options = StoreOptions &
  CorrectionOptions & {
    readonly rejects?: string;
    readonly ownAccount?: string;
    readonly dropUnknown?: true;
    readonly dryRun?: true;
    readonly json?: true;
    readonly new?: true;
  } & Partial<Record<OwnerOption["name"], string>>;

/** The store with the own-account word of the command line, which a deployed stage does not take. */
const branded = (store: OperatorStore, { ownAccount }: Options): OperatorStore =>
  ownAccount === undefined ? store : { ...store, brand: { ...store.brand, ownAccount } };

/** The owner's option in the examples of the help. */
const ownerExample = ({ owner }: RecordKind): string => (owner === undefined ? "" : ` --${owner.name} acme`);

const newcomerHelp = ({ owner }: RecordKind): string =>
  owner === undefined
    ? ""
    : `A misspelt name would make a new ${owner.name}: before the first records of one are stored, the command asks for a yes on the
terminal, or needs --new where there is no terminal. \`import undo\` takes an import back.
`;

const helpOf = (kind: RecordKind): string => `
The file holds one JSON document a line (NDJSON), in the contract's shape, plain or gzip; - reads standard input.
Every document is checked before it is stored. A document that breaks the contract is refused, and the rejects file lists
its line number and the reason. The line itself is never copied, because it may hold a full card number.
Of two versions of a record the later one wins. If it takes a step that such records do not usually take, it is stored,
counted as "unusual" among the written ones, and listed in the rejects file.
Importing again is safe: a version that is stored already is "unchanged", one older than the stored is "stale". Ctrl-C
finishes the writes in flight, for half a minute at most where the store does not answer; the same command run again
continues.
${CORRECTION_HELP}
${newcomerHelp(kind)}--drop-unknown leaves out members that the contract does not have, and reports their names. --dry-run checks every line
against the contract and the stored records, and stores nothing.

Examples:
  ${commands.ops} import ${kind.name}${ownerExample(kind)} ${kind.name}.ndjson
  ${commands.ops} import ${kind.name}${ownerExample(kind)} right.ndjson --correct --reason "the feed's clock was wrong"
  gunzip -c ${kind.name}.ndjson.gz | ${commands.ops} import ${kind.name}${ownerExample(kind)} -

Exit codes: 0 all stored, 1 some lines were refused, 2 the store or the file failed, 130 stopped by Ctrl-C.`;

/** One import, as the command line asks for it. */
interface Asked {
  readonly kind: RecordKind;
  readonly file: string;
  readonly options: Options;
  readonly intake: Intake;
}

const ownerIdOf = ({ kind, options }: Asked): string | undefined => kind.owner && options[kind.owner.name];

/** The writer that the options ask for, and the names of the members that it leaves out. */
function writingOf(asked: Asked, store: OperatorStore, journal: ImportJournal | undefined) {
  const { kind, options, intake } = asked;
  const ownerId = ownerIdOf(asked) ?? "";
  const dropped = new NameCounts();
  const into = branded(store, options);
  const write =
    journal === undefined
      ? kind.rehearsalOf(into, ownerId, intake)
      : kind.writerOf(into, ownerId, intake, journal);
  const withoutUnknown = (text: string) => dropUnknown(kind.shape, text, (member) => dropped.add(member));
  return {
    write: options.dropUnknown === true ? (text: string) => write(withoutUnknown(text)) : write,
    remarks: () => dropped.describe(LEFT_OUT),
  };
}

async function announceOwner(asked: Asked, store: OperatorStore) {
  const { kind, file, options } = asked;
  const { owner } = kind;
  const id = ownerIdOf(asked);
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

/** What is imported, for the audit: the kind of record, and its owner. */
const targetOf = ({ kind: { name, owner }, options }: Asked): string =>
  owner === undefined ? name : `${name} of ${options[owner.name] ?? ""}`;

const auditOf = (store: OperatorStore, asked: Asked) =>
  auditImport(store, {
    command: `import ${asked.kind.name}`,
    target: targetOf(asked),
    ...(asked.options.reason !== undefined && { reason: asked.options.reason }),
    isRehearsal: asked.options.dryRun === true,
  });

async function importInto(store: OperatorStore, asked: Asked) {
  const { kind, file, options } = asked;
  const journal = options.dryRun === true ? undefined : openJournal(store, kind.name, ownerIdOf(asked));
  const { write, remarks } = writingOf(asked, store, journal);
  const audit = auditOf(store, asked);
  return await runImport({
    file: file === "-" ? file : callersPath(file),
    rejects: callersPath(options.rejects ?? defaultRejectsPath(file)),
    records: "records",
    open: openSource,
    begin: async () => {
      await announceOwner(asked, store);
      await audit.begin();
    },
    end: audit.end,
    json: options.json === true,
    writeLines: (lines, sink) => writeLines(lines, { ...sink, write }),
    remarks,
    describe: (head) => describeFile(head, kind.name),
    isRehearsal: options.dryRun === true,
    journal,
    clock: systemClock,
  });
}

async function importFile(kind: RecordKind, file: string, options: Options): Promise<void> {
  // A wrong option is refused before a store is created.
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
      .option("--new", `accept a ${kind.owner.name} that has no records yet, without asking`)
      .addOption(new Option("--yes").hideHelp().implies({ new: true }));
  }
  addJsonOption(addStoreOptions(addCorrectionOptions(command)), importReport, exampleReport)
    .addHelpText("after", helpOf(kind))
    .action((file: string, options: Options) => importFile(kind, file, options));
}
