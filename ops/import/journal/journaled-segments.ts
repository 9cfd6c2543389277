import { ConditionalCheckFailedException, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { type Item, textOf } from "../../../lib/dynamo/item.ts";
import { priced, provenWrite } from "../../../lib/dynamo/proven.ts";
import type { Table } from "../../../lib/dynamo/table.ts";
import type { SegmentSink } from "../../../lib/trades/put-trades.ts";
import { TradeRegister } from "../../../lib/trades/trade-register.ts";
import type { StoredSegment } from "../../../lib/trades/trade-store.ts";
import type { Span } from "../../../lib/trades/withdrawn-places.ts";
import type { ImportJournal } from "./import-journal.ts";
import { keyTextOf, readItems } from "./read-items.ts";

/** The part of a journal that segments need. */
type SegmentJournal = Pick<ImportJournal, "announceKey" | "id">;

/** The attribute with the id of the import that added a segment. */
export const ADDED_BY = "i";

/** The most segments of a batch that are put at once: as many as a `BatchWriteItem` takes. */
const PUTS_AT_ONCE = 25;

const keyOf = ({ partition, sort }: StoredSegment): Item => ({ pk: { S: partition }, sk: { B: sort } });

/** Those of some segments that are stored, and that not this import has added. */
export async function presentAmong(
  table: Table,
  segments: readonly StoredSegment[],
  importId?: string,
): Promise<ReadonlySet<StoredSegment>> {
  const found = await readItems(table, segments.map(keyOf), [ADDED_BY]);
  const isOther = (item: Item | undefined) =>
    item !== undefined && (importId === undefined || textOf(item, ADDED_BY) !== importId);
  return new Set(segments.filter((_, at) => isOther(found[at])));
}

/**
 * Writes the segments of an import. A segment that is stored already is not written again. Each new one is announced in
 * the import's journal and put only if it is still missing, with the import's id: so exactly one import has added it,
 * even if two imports of one file race.
 */
export class JournaledSegments implements SegmentSink {
  readonly #table: Table;
  readonly #register: TradeRegister;
  readonly #journal: SegmentJournal;
  readonly #present = new WeakSet<StoredSegment>();

  constructor(table: Table, journal: SegmentJournal) {
    this.#table = table;
    this.#register = new TradeRegister(table);
    this.#journal = journal;
  }

  withdrawals(symbol: string, span: Span): Promise<StoredSegment[]> {
    return this.#register.withdrawals(symbol, span);
  }

  standing(symbol: string, span: Span): Promise<StoredSegment[]> {
    return this.#register.segmentsWithin(symbol, span);
  }

  async put(segments: readonly StoredSegment[], signal?: AbortSignal): Promise<void> {
    const present = await presentAmong(this.#table, segments, await this.#journal.id());
    for (const segment of present) this.#present.add(segment);
    // Two equal segments of one batch are one item.
    const missing = new Map(
      segments
        .filter((segment) => !present.has(segment))
        .map((segment) => [keyTextOf(keyOf(segment)), segment]),
    );
    if (missing.size === 0) return;
    await Promise.all([...missing.values()].map((segment) => this.#journal.announceKey(keyOf(segment))));
    const importId = await this.#journal.id();
    if (importId === undefined) throw new Error("The import has no id.");
    const waiting = [...missing.values()];
    while (waiting.length > 0) {
      const together = waiting.splice(0, PUTS_AT_ONCE);
      await Promise.all(together.map((segment) => this.#putNew(segment, importId, signal)));
    }
  }

  wasStored(segment: StoredSegment): boolean {
    return this.#present.has(segment);
  }

  async #putNew(segment: StoredSegment, importId: string, abortSignal?: AbortSignal): Promise<void> {
    const command = new PutItemCommand({
      TableName: this.#table.name,
      Item: { ...keyOf(segment), d: { B: segment.payload }, [ADDED_BY]: { S: importId } },
      ConditionExpression: "attribute_not_exists(#pk)",
      ExpressionAttributeNames: { "#pk": "pk" },
      ...priced,
    });
    try {
      await provenWrite(() => this.#table.client.send(command, abortSignal && { abortSignal }));
    } catch (error) {
      // Another import has added it meanwhile, or this one has, and the answer was lost.
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }
}
