import { type Item, textOf } from "../dynamo/item.ts";
import { RecordRegister } from "../dynamo/record-register.ts";
import type { RecordVersion } from "../dynamo/resolve-version.ts";
import type { Table } from "../dynamo/table.ts";
import type { putVersioned } from "../dynamo/versioned-put.ts";
import { creationStep, unusualStep, versionKey } from "../lifecycle.ts";
import { createdKey, createdMicrosAt } from "./created-key.ts";
import type { TransactionRecord } from "./transaction.ts";
import { requestKey } from "./transaction-filter.ts";
import { transactionLifecycle } from "./transaction-kinds.ts";

/** Takes in versions of transactions. It is for operators: no function of the API has the permission. */
export class TransactionRegister extends RecordRegister<TransactionRecord> {
  /** @param put stores a version, or rehearses it. */
  constructor(table: Table, put?: typeof putVersioned) {
    super(table, { key: ["business_id", "id"], versionOf }, put);
  }
}

/** The newest version brings everything with it: its instant of creation and its request id too. */
function versionOf(record: TransactionRecord): RecordVersion {
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
