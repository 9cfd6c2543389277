import type { Intake } from "../../lib/intake.ts";
import { type DocumentKindName, documentKinds } from "../../local/records/document-kinds.ts";
import { writeLines } from "../../local/records/write-lines.ts";
import { CORRECTION_HELP, correctionTakes, intakeOf } from "../arguments/correction-options.ts";
import { defineCommand } from "../command.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { brandTake } from "../store/store-options.ts";
import { orderOf, ownerTakes } from "./announce-newcomer.ts";
import { dropUnknown } from "./drop-unknown.ts";
import { importJson } from "./import-report.ts";
import { ImportJournal } from "./journal/import-journal.ts";
import { journaledPut } from "./journal/journaled-put.ts";
import { LEFT_OUT, NameCounts } from "./name-counts.ts";
import { DROP_UNKNOWN, fileTakes, recordFile } from "./read-file.ts";
import { rehearsedPut } from "./rehearsed-put.ts";
import { type FileWriter, type ImportOrder, runImport } from "./run-import.ts";

/** An import of documents, one a line. */
interface DocumentOrder extends ImportOrder {
  readonly kind: DocumentKindName;
  readonly intake: Intake;
  /** Whether members that the contract does not have are left out. */
  readonly dropsUnknown: boolean;
  /** The own-account word in place of the store's. */
  readonly ownAccount?: string | undefined;
}

/** Writes documents, and announces in the import's journal what is stored; a rehearsal only judges them. */
function documentWriter(store: OperatorStore, order: DocumentOrder): FileWriter {
  const { kind, owner, intake, dropsUnknown, isRehearsal } = order;
  const { table, shape, writer } = documentKinds[kind];
  const { ownAccount = store.brand.ownAccount } = order;
  const journal = isRehearsal ? undefined : new ImportJournal(store, kind, owner);
  const put = journal === undefined ? rehearsedPut() : journaledPut(store.table(table), journal);
  const write = writer({ table: store.table, brand: { ...store.brand, ownAccount }, owner, intake, put });
  const dropped = new NameCounts();
  const known = (text: string) => dropUnknown(shape, text, (member) => dropped.add(member));
  return {
    journal,
    write: (lines, run) => writeLines(lines, run, (text) => write(dropsUnknown ? known(text) : text)),
    remarks: () => dropped.describe(LEFT_OUT),
  };
}

const newcomerHelp = (kind: string): string => `
A misspelt name would make a new ${kind}: before the first records of one are stored, the command asks for a yes on the
terminal, or needs --new where there is no terminal. \`import undo\` takes an import back.`;

const importCommand = (kind: DocumentKindName, summary: string, owner?: "business" | "partner") => {
  const words = `import ${kind}`;
  const command = `ops ${words}${owner === undefined ? "" : ` --${owner} acme`}`;
  return defineCommand({
    words,
    summary,
    about: `
The file holds one JSON document a line (NDJSON), in the contract's shape, plain or gzip; - reads standard input.
Every document is checked before it is stored. A document that breaks the contract is refused, and the rejects file lists
its line number and the reason. The line itself is never copied, because it may hold a full card number.
Of two versions of a record the later one wins. If it takes a step that such records do not usually take, it is stored,
counted as "unusual" among the written ones, and listed in the rejects file.
Importing again is safe: a version that is stored already is "unchanged", one older than the stored is "stale". Ctrl-C
finishes the writes in flight, for half a minute at most where the store does not answer; the same command run again
continues.
${CORRECTION_HELP}
${owner === undefined ? "" : newcomerHelp(owner)}
--drop-unknown leaves out members that the contract does not have, and reports their names. --dry-run checks every line
against the contract and the stored records, and stores nothing.`,
    examples: [
      `${command} ${kind}.ndjson`,
      `${command} right.ndjson --correct --reason "the feed's clock was wrong"`,
      `gunzip -c ${kind}.ndjson.gz | ${command} -`,
    ],
    exits: { 0: "all stored", 1: "some lines were refused", 2: "the store or the file failed" },
    on: "store, made if missing",
    takes: {
      ...fileTakes,
      ...DROP_UNKNOWN,
      "--own-account <word>": brandTake("the local store's own-account word", "OWN_ACCOUNT_WORD"),
      ...ownerTakes[kind],
      ...correctionTakes,
    },
    dryRun: "check everything, and store nothing",
    stops: "",
    json: importJson,
    async run(given, context) {
      const order = {
        ...orderOf(given),
        file: recordFile(given, { holds: "records", format: kind }),
        kind,
        command: words,
        reason: given.reason,
        // A wrong option is refused before a store is created.
        intake: intakeOf(given),
        dropsUnknown: given.dropUnknown,
        ownAccount: given.ownAccount,
      };
      const store = await context.store();
      return { exitCode: await runImport(store, order, documentWriter(store, order), context) };
    },
  });
};

/** `import transactions`: a business's transactions, from a file of one JSON document a line. */
export const importTransactions = importCommand(
  "transactions",
  "import a business's transactions",
  "business",
);

/** `import sell-orders`: a ramp partner's sell orders, from a file of one JSON document a line. */
export const importSellOrders = importCommand(
  "sell-orders",
  "import a ramp partner's sell orders",
  "partner",
);

/** `import passes`: passes to publish, from a file of one JSON document a line. */
export const importPasses = importCommand("passes", "publish passes from a file");
