import { type Item, textOf } from "../dynamo/item.ts";
import { RecordRegister } from "../dynamo/record-register.ts";
import type { RecordVersion } from "../dynamo/resolve-version.ts";
import type { Table } from "../dynamo/table.ts";
import type { putVersioned } from "../dynamo/versioned-put.ts";
import { creationStep, unusualStep, versionKey } from "../lifecycle.ts";
import type { SellOrderRecord } from "./sell-order.ts";
import { sellOrderLifecycle } from "./sell-order-kinds.ts";

/** Takes in versions of sell orders. It is for operators: no function of the API has the permission. */
export class SellOrderRegister extends RecordRegister<SellOrderRecord> {
  /** @param put stores a version, or rehearses it. */
  constructor(table: Table, put?: typeof putVersioned) {
    super(table, { key: ["partner_id", "order_id"], versionOf }, put);
  }
}

/** The newest version brings everything with it but the spelling of its id, which is that of the earliest. */
function versionOf(record: SellOrderRecord): RecordVersion {
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
    shared: { name: "spelled", handOn: handOnSpelling, isKept: false },
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
