import { type Command, Option } from "commander";
import { commands } from "../../local/installation.ts";
import {
  type DocumentKind,
  type DocumentKindName,
  documentKinds,
} from "../../local/records/document-kinds.ts";
import {
  addCorrectionOptions,
  CORRECTION_HELP,
  type CorrectionOptions,
  intakeOf,
} from "../arguments/correction-options.ts";
import { parseOwnerId } from "../arguments/parse-owner-id.ts";
import { withStore, withStoreToLookAt } from "../store/store.ts";
import { addStoreOptions, brandOption, optionOf, type StoreOptions } from "../store/store-options.ts";
import { addJsonOption } from "../terminal/json-output.ts";
import { dropUnknownOption, dryRunOption, rejectsOption } from "./import-options.ts";
import { exampleReport, importReport } from "./import-report.ts";
import { recordFile } from "./read-file.ts";
import { runImport } from "./run-import.ts";
import { documentWriter } from "./write-documents.ts";

/** What the help says of each kind. */
const WORDS: Readonly<Record<DocumentKindName, { readonly summary: string; readonly owner?: string }>> = {
  transactions: {
    summary: "import a business's transactions",
    owner: "the business that the transactions belong to: the `sub` of its tokens",
  },
  "sell-orders": {
    summary: "import a ramp partner's sell orders",
    owner: "the partner that the orders belong to: the owner of its API keys",
  },
  passes: { summary: "publish passes from a file" },
};

const ownerOf = (kind: DocumentKindName) => (documentKinds[kind] as DocumentKind).owner?.kind;

type Options = StoreOptions &
  CorrectionOptions & {
    readonly rejects?: string;
    readonly ownAccount?: string;
    readonly dropUnknown?: true;
    readonly dryRun?: true;
    readonly json?: true;
    readonly new?: true;
    readonly business?: string;
    readonly partner?: string;
  };

/** The owner's option in the examples of the help. */
const ownerExample = (kind: DocumentKindName): string =>
  WORDS[kind].owner === undefined ? "" : ` --${ownerOf(kind)} acme`;

const newcomerHelp = (kind: DocumentKindName): string =>
  WORDS[kind].owner === undefined
    ? ""
    : `A misspelt name would make a new ${ownerOf(kind)}: before the first records of one are stored, the command asks for a yes on the
terminal, or needs --new where there is no terminal. \`import undo\` takes an import back.
`;

const helpOf = (kind: DocumentKindName): string => `
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
  ${commands.ops} import ${kind}${ownerExample(kind)} ${kind}.ndjson
  ${commands.ops} import ${kind}${ownerExample(kind)} right.ndjson --correct --reason "the feed's clock was wrong"
  gunzip -c ${kind}.ndjson.gz | ${commands.ops} import ${kind}${ownerExample(kind)} -

Exit codes: 0 all stored, 1 some lines were refused, 2 the store or the file failed, 130 stopped by Ctrl-C.`;

async function importFile(kind: DocumentKindName, file: string, options: Options): Promise<void> {
  const isRehearsal = options.dryRun === true;
  const order = {
    file: recordFile(file, options, { holds: "records", format: kind }),
    kind,
    owner: options.business ?? options.partner,
    isNewExpected: options.new === true,
    isRehearsal,
    command: `import ${kind}`,
    reason: options.reason,
    json: options.json === true,
    // A wrong option is refused before a store is created.
    intake: intakeOf(options),
    dropsUnknown: options.dropUnknown === true,
    ownAccount: options.ownAccount,
  };
  const open = isRehearsal ? withStoreToLookAt : withStore;
  process.exitCode = await open(options, (store) => runImport(store, order, documentWriter(store, order)));
}

function addImport(group: Command, kind: DocumentKindName): void {
  const { summary, owner } = WORDS[kind];
  const command = group
    .command(kind)
    .description(summary)
    .argument("<file>", "the file to import, or - for standard input")
    .addOption(rejectsOption())
    .addOption(dropUnknownOption())
    .addOption(dryRunOption())
    .addOption(brandOption("--own-account <word>", "the local store's own-account word", "OWN_ACCOUNT_WORD"));
  if (owner !== undefined) addOwnerOptions(command, kind, owner);
  addJsonOption(addStoreOptions(addCorrectionOptions(command)), importReport, exampleReport)
    .addHelpText("after", helpOf(kind))
    .action((file: string, options: Options) => importFile(kind, file, options));
}

/** Adds the option that names the owner of all documents of a file, and the one that accepts a new owner. */
export const addOwnerOptions = (command: Command, kind: DocumentKindName, what: string): Command =>
  command
    .requiredOption(`--${ownerOf(kind)} <id>`, what, optionOf(parseOwnerId))
    .option("--new", `accept a ${ownerOf(kind)} that has no records yet, without asking`)
    .addOption(new Option("--yes").hideHelp().implies({ new: true }));

/** `import transactions`: a business's transactions, from a file of one JSON document a line. */
export const importTransactions = (group: Command): void => addImport(group, "transactions");

/** `import sell-orders`: a ramp partner's sell orders, from a file of one JSON document a line. */
export const importSellOrders = (group: Command): void => addImport(group, "sell-orders");

/** `import passes`: passes to publish, from a file of one JSON document a line. */
export const importPasses = (group: Command): void => addImport(group, "passes");
