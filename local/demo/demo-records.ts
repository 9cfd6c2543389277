import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { contractBrand } from "../../lib/brand.ts";
import { isMembers, parsedJson } from "../../lib/json-value.ts";
import { places } from "../installation.ts";
import { StartError } from "../process/start-error.ts";
import { type DocumentKind, documentKinds } from "../records/document-kinds.ts";
import { type Line, readLines } from "../records/read-lines.ts";

/** What the demo's sections ask of a transaction. */
interface TransactionDocument {
  readonly id: string;
  readonly type: string;
  readonly state: string;
  readonly request_id?: string;
  readonly created_at: string;
  readonly legs: readonly [{ readonly account_id: string }];
}

/** What they ask of a sell order. */
export interface SellOrderDocument {
  readonly id: string;
  readonly status: string;
  readonly fail_reason?: string;
  readonly fees: { readonly partner_fee?: object };
  readonly fees_partner_currency: { readonly ramp_fee?: object };
}

/** What they ask of a pass. */
interface PassDocument {
  readonly partner_reference: string;
  readonly type: string;
}

/** One file, its days moved and the own-account word put in. */
export interface RecordFile<Document> {
  /** From the directory of all records. */
  readonly path: string;
  /** Whose the records are; passes are nobody's. */
  readonly ownerId: string;
  /** As an import reads them. */
  readonly lines: readonly Line[];
  /** What the lines hold, but for those that are not a JSON object, which no writer takes. */
  readonly documents: readonly Document[];
}

/** The demo's records, by the files that they lie in. */
export interface DemoRecords {
  readonly business: RecordFile<TransactionDocument>;
  readonly otherBusiness: RecordFile<TransactionDocument>;
  readonly partner: RecordFile<SellOrderDocument>;
  readonly otherPartner: RecordFile<SellOrderDocument>;
  readonly passes: RecordFile<PassDocument>;
}

/** The path of a file from the directory of all records, and what writes its documents. */
interface DemoRow extends Pick<DocumentKind, "writer"> {
  readonly path: string;
}

const { transactions, "sell-orders": sellOrders, passes } = documentKinds;

/** A file is called by its owner: two businesses, and two ramp partners, that must not see each other's records. */
export const demoRows: Readonly<Record<keyof DemoRecords, DemoRow>> = {
  business: { path: "transactions/harbour-lane-roasters.ndjson", writer: transactions.writer },
  otherBusiness: { path: "transactions/mill-street-print.ndjson", writer: transactions.writer },
  partner: { path: "sell-orders/tide-wallet.ndjson", writer: sellOrders.writer },
  otherPartner: { path: "sell-orders/ember-wallet.ndjson", writer: sellOrders.writer },
  passes: { path: "passes.ndjson", writer: passes.writer },
};

/** What a store's records differ in from the files. */
export interface RecordsSetting {
  /** The midnight (epoch milliseconds, UTC) after the day of the newest update. */
  readonly anchorMs: number;
  /** The stage's word for accounts of the service. */
  readonly ownAccount: string;
}

/** The pass that is voided once it is published: a flight that was cancelled. */
export const demoVoidReference = "boarding-5ZX2AB";

const DAY_MS = 86_400_000;
/** A string that is a day, or the day of an instant in UTC. */
const DAY = /(?<=")\d{4}-\d\d-\d\d(?=(?:T[\d:.]+Z)?")/g;
const UPDATED_DAY = /"updated_at":\s*"(\d{4}-\d\d-\d\d)/g;
const OWN_ACCOUNT = new RegExp(`(?<="(?:account_type|payment)":\\s*)"${contractBrand.ownAccount}"`, "g");

/**
 * Reads the demo's records. All days of all files are moved by as many whole days, so that the newest update lies on the
 * day before the anchor; times of day and everything else stay as they are written.
 */
export async function readDemoRecords(
  { anchorMs, ownAccount }: RecordsSetting,
  directory = places.records,
): Promise<DemoRecords> {
  const texts = await Promise.all(
    Object.entries(demoRows).map(
      async ([name, { path }]) => [name, path, await readFile(join(directory, path), "utf8")] as const,
    ),
  );
  const shiftMs = anchorMs - DAY_MS - newestUpdateMs(texts.map(([, , text]) => text));
  const put = (text: string) =>
    text.replace(DAY, (day) => movedDay(day, shiftMs)).replace(OWN_ACCOUNT, () => JSON.stringify(ownAccount));
  const files = texts.map(async ([name, path, text]) => [name, await readRecords(path, put(text))]);
  return Object.fromEntries(await Promise.all(files)) as DemoRecords;
}

/** The midnight that begins the day of the newest update. */
function newestUpdateMs(texts: readonly string[]): number {
  const days = texts.flatMap((text) => Array.from(text.matchAll(UPDATED_DAY), ([, day = ""]) => day));
  return Date.parse(days.toSorted().at(-1) ?? "");
}

/** Digits that look like a day and are none stay as they are. */
function movedDay(day: string, shiftMs: number): string {
  const movedMs = Date.parse(day) + shiftMs;
  return Number.isNaN(movedMs) ? day : new Date(movedMs).toISOString().slice(0, 10);
}

async function readRecords(path: string, text: string): Promise<RecordFile<unknown>> {
  const lines = await Array.fromAsync(readLines(Readable.from([Buffer.from(text)])));
  return { path, ownerId: basename(path, ".ndjson"), lines, documents: lines.flatMap(documentOf) };
}

function documentOf(line: Line): unknown[] {
  const document = "text" in line ? parsedJson(line.text) : undefined;
  return isMembers(document) ? [document] : [];
}

/**
 * The first document of a file that is as it is wanted; what it stands for is up to the order in the file.
 *
 * @throws {StartError} where there is none: the file was changed.
 */
export function firstOf<Document>(
  { path, documents }: RecordFile<Document>,
  what: string,
  isWanted: (document: Document) => boolean,
): Document {
  const found = documents.find(isWanted);
  if (found === undefined) throw new StartError(`docs/examples/records/${path} has no ${what}.`);
  return found;
}
