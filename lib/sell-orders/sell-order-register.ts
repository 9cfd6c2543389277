import type { CorrectionOrder } from "../corrections.ts";
import { hasItems } from "../dynamo/has-items.ts";
import { type Item, textOf } from "../dynamo/item.ts";
import type { VersionedRecord } from "../dynamo/resolve-version.ts";
import type { Table } from "../dynamo/table.ts";
import { putVersioned } from "../dynamo/versioned-put.ts";
import { creationStep, unusualStep, versionKey } from "../lifecycle.ts";
import type { WriteOutcome } from "../write-outcome.ts";
import type { SellOrderRecord } from "./sell-order.ts";
import { sellOrderLifecycle } from "./sell-order-kinds.ts";

/** Takes in versions of sell orders. It is for operators: no function of the API has the permission. */
export class SellOrderRegister {
  readonly #table: Table;
  readonly #put: typeof putVersioned;

  /** @param put stores a version, or rehearses it. */
  constructor(table: Table, put: typeof putVersioned = putVersioned) {
    this.#table = table;
    this.#put = put;
  }

  /** Whether any order of a partner is stored. */
  hasAny(partnerId: string): Promise<boolean> {
    return hasItems(this.#table, { name: "partner_id", value: partnerId });
  }

  /**
   * Stores a version of an order unless the stored one is as new. Any order of arrival leads to the same text: that of
   * the newest version, with the id as the earliest one spells it. A correction replaces a newer version and leaves its
   * trace.
   *
   * @throws {Failure} when the store does not answer.
   */
  put(record: SellOrderRecord, correction?: CorrectionOrder): Promise<WriteOutcome> {
    return this.#put(this.#table, versionedRecord(record), correction);
  }
}

function versionedRecord(record: SellOrderRecord): VersionedRecord {
  const version = versionKey(record.updatedMicros, sellOrderLifecycle.rank[record.state]);
  return {
    item: {
      partner_id: { S: record.partnerId },
      order_id: { S: record.orderId },
      created_at: { S: record.createdMicros },
      version: { S: version },
      state: { S: record.state },
      // The spelling of the id, after the version that gave it. Of two spellings in one version, that of `order_id`
      // sorts first.
      spelled: { S: `${version}#${record.givenId === record.orderId ? 0 : 1}#${record.givenId}` },
      doc: { S: record.doc },
    },
    unusualAfter: (before) => unusualSteps(before, record),
    handOn: handOnSpelling,
  };
}

function unusualSteps(before: Item | undefined, record: SellOrderRecord): string | undefined {
  const steps = [record.oddity];
  if (before !== undefined) {
    const step = unusualStep(sellOrderLifecycle, textOf(before, "state"), record.state);
    steps.push(step === undefined ? undefined : `status ${step}`);
    steps.push(creationStep(textOf(before, "created_at"), record.createdMicros));
  }
  return steps.filter((text) => text !== undefined).join("; ") || undefined;
}

/**
 * An order's id is served as its earliest version spells it, whichever version arrives first. Each version hands on the
 * least spelling, and an earlier version that arrives late still brings its own.
 */
function handOnSpelling(stored: Item, given: Item): readonly [stored: Item, given: Item] {
  const [ofStored, ofGiven] = [textOf(stored, "spelled"), textOf(given, "spelled")];
  const isStoredEarlier = ofStored !== "" && ofStored <= ofGiven;
  return isStoredEarlier ? [stored, respelled(given, ofStored)] : [respelled(stored, ofGiven), given];
}

function respelled(item: Item, spelled: string): Item {
  const givenId = spelled.slice(spelled.lastIndexOf("#") + 1);
  const doc = textOf(item, "doc").replace(/^\{"id":"[^"]*"/, `{"id":"${givenId}"`);
  return { ...item, spelled: { S: spelled }, doc: { S: doc } };
}
