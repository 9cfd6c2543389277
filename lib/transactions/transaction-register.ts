import type { CorrectionOrder } from "../corrections.ts";
import { hasItems } from "../dynamo/has-items.ts";
import { type Item, textOf } from "../dynamo/item.ts";
import type { VersionedRecord } from "../dynamo/resolve-version.ts";
import type { Table } from "../dynamo/table.ts";
import { putVersioned } from "../dynamo/versioned-put.ts";
import { creationStep, unusualStep, versionKey } from "../lifecycle.ts";
import type { WriteOutcome } from "../write-outcome.ts";
import { createdKey, createdMicrosAt } from "./created-key.ts";
import type { TransactionRecord } from "./transaction.ts";
import { requestKey } from "./transaction-filter.ts";
import { transactionLifecycle } from "./transaction-kinds.ts";

/** Takes in versions of transactions. It is for operators: no function of the API has the permission. */
export class TransactionRegister {
  readonly #table: Table;
  readonly #put: typeof putVersioned;

  /** @param put stores a version, or rehearses it. */
  constructor(table: Table, put: typeof putVersioned = putVersioned) {
    this.#table = table;
    this.#put = put;
  }

  /** Whether any transaction of a business is stored. */
  hasAny(businessId: string): Promise<boolean> {
    return hasItems(this.#table, { name: "business_id", value: businessId });
  }

  /**
   * Stores a version of a transaction unless the stored one is as new. Any order of arrival leads to the same item:
   * that of the newest version, with its instant of creation and its request id. A correction replaces a newer version
   * too, and leaves its trace.
   *
   * @throws {Failure} when the store does not answer.
   */
  put(record: TransactionRecord, correction?: CorrectionOrder): Promise<WriteOutcome> {
    return this.#put(this.#table, versionedRecord(record), correction);
  }
}

function versionedRecord(record: TransactionRecord): VersionedRecord {
  const item = itemOf(record);
  return {
    item,
    unusualAfter: (before) => (before === undefined ? undefined : unusualSteps(before, item, record)),
  };
}

/** A request id that appears is not unusual; one that disappears or changes is. */
function unusualSteps(before: Item, item: Item, record: TransactionRecord): string | undefined {
  const step = unusualStep(transactionLifecycle, textOf(before, "state"), record.state);
  const isRequestLost = before.request_key !== undefined && before.request_key.S !== item.request_key?.S;
  const steps = [
    step === undefined ? undefined : `state ${step}`,
    creationStep(createdMicrosAt(textOf(before, "created_key")), record.createdMicros),
    isRequestLost ? "request_id was lost or changed" : undefined,
  ];
  return steps.filter((text) => text !== undefined).join("; ") || undefined;
}

const itemOf = (record: TransactionRecord): Item => ({
  business_id: { S: record.businessId },
  id: { S: record.id },
  created_key: { S: createdKey(record.createdMicros, record.id) },
  ...(record.requestId !== undefined && {
    request_key: { S: requestKey(record.businessId, record.requestId) },
  }),
  accounts: { SS: [...record.accounts] },
  type: { S: record.type },
  state: { S: record.state },
  version: { S: versionKey(record.updatedMicros, transactionLifecycle.rank[record.state]) },
  doc: { S: record.doc },
});
