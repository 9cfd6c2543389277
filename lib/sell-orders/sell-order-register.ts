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

/** Takes versions of sell orders in: the operator's side, which no function of the API is granted. */
export class SellOrderRegister {
  readonly #table: Table;
  readonly #put: typeof putVersioned;

  /** @param put what stores a version, or rehearses it. */
  constructor(table: Table, put: typeof putVersioned = putVersioned) {
    this.#table = table;
    this.#put = put;
  }

  /** Whether anything is stored of a partner. */
  hasAny(partnerId: string): Promise<boolean> {
    return hasItems(this.#table, { name: "partner_id", value: partnerId });
  }

  /**
   * Stores a version of an order unless what is stored is as new. Any order of arrival ends in the same text: that of
   * the newest version, with the id as the earliest one spells it. A correction replaces a newer version as well,
   * and leaves its trace. Throws a `Failure` when the store does not answer.
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
      // The spelling of the id after the version that gave it; of two in one version, the one as it is kept sorts first.
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
 * An order's id is served as its earliest version spells it, whichever version arrives first: the least spelling is
 * handed on from version to version, and an earlier version that arrives late still brings its own.
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
