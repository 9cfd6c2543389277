import type { AttributeValue, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { VersionedRecord } from "../dynamo/settle-version.ts";
import { putVersioned } from "../dynamo/versioned-put.ts";
import { leadingTo, versionKey } from "../lifecycle.ts";
import type { WriteOutcome } from "../write-outcome.ts";
import { createdKey } from "./created-key.ts";
import type { TransactionRecord } from "./transaction.ts";
import { requestKey } from "./transaction-filter.ts";
import { transactionLifecycle } from "./transaction-kinds.ts";

/** Takes versions of transactions in: the operator's side, which no function of the API is granted. */
export class TransactionRegister {
  readonly #client: DynamoDBClient;
  readonly #tableName: string;

  constructor(client: DynamoDBClient, tableName: string) {
    this.#client = client;
    this.#tableName = tableName;
  }

  /**
   * Stores a version of a transaction unless what is stored is as new, or cannot become this. Any order of arrival ends
   * in the same text. Throws a `Failure` when the store does not answer.
   */
  put(record: TransactionRecord): Promise<WriteOutcome> {
    return putVersioned(this.#client, this.#tableName, versionedRecord(record));
  }
}

const versionedRecord = (record: TransactionRecord): VersionedRecord => ({
  item: itemOf(record),
  stateMember: "state",
  follows: leadingTo(transactionLifecycle, record.state),
  fixed: { created_at: "created_key", request_id: "request_key" },
});

const itemOf = (record: TransactionRecord): Record<string, AttributeValue> => ({
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
