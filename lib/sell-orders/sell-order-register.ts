import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { type Item, type Settlement, settle, type VersionedRecord } from "../dynamo/settle-version.ts";
import { putVersioned } from "../dynamo/versioned-put.ts";
import { leadingTo, versionKey } from "../lifecycle.ts";
import type { WriteOutcome } from "../write-outcome.ts";
import type { SellOrderRecord } from "./sell-order.ts";
import { sellOrderLifecycle } from "./sell-order-kinds.ts";

/** Takes versions of sell orders in: the operator's side, which no function of the API is granted. */
export class SellOrderRegister {
  readonly #client: DynamoDBClient;
  readonly #tableName: string;

  constructor(client: DynamoDBClient, tableName: string) {
    this.#client = client;
    this.#tableName = tableName;
  }

  /**
   * Stores a version of an order unless what is stored is as new, or cannot become this. Any order of arrival ends in
   * the same text. Throws a `Failure` when the store does not answer.
   */
  put(record: SellOrderRecord): Promise<WriteOutcome> {
    const versioned = versionedRecord(record);
    return putVersioned(this.#client, this.#tableName, versioned, {
      carried: ["spelled"],
      settle: (stored) => settleSpelling(stored, versioned),
    });
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
      // The spelling of the id after the version that gave it; of two in one version, the normal one sorts first.
      spelled: { S: `${version}#${record.givenId === record.orderId ? 0 : 1}#${record.givenId}` },
      doc: { S: record.doc },
    },
    stateMember: "status",
    follows: leadingTo(sellOrderLifecycle, record.state),
    fixed: { created_at: "created_at" },
  };
}

/**
 * An order's id is served as its oldest version spelled it, whichever version arrives first: the spelling is handed on
 * from version to version, and an older version that arrives late still brings its own.
 */
function settleSpelling(stored: Item, record: VersionedRecord): Settlement {
  const spelled =
    [stored.spelled?.S, record.item.spelled?.S].filter((text) => text !== undefined).sort()[0] ?? "";
  const before = respelled(stored, spelled);
  const settled = settle(before, { ...record, item: respelled(record.item, spelled) });
  if (settled.item !== undefined || settled.outcome.outcome === "refused") return settled;
  if (spelled === stored.spelled?.S) return settled;
  return {
    outcome: settled.outcome.outcome === "stale" ? settled.outcome : { outcome: "written" },
    item: before,
  };
}

function respelled(item: Item, spelled: string): Item {
  if (item.doc?.S === undefined) return item;
  const givenId = spelled.slice(spelled.lastIndexOf("#") + 1);
  const doc = item.doc.S.replace(/^\{"id":"[^"]*"/, `{"id":"${givenId}"`);
  return { ...item, spelled: { S: spelled }, doc: { S: doc } };
}
