import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { priced, provenWrite } from "../../lib/dynamo/proven.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import { queryAll } from "../store/query-all.ts";
import { type AuditLine, itemOf, lineOf } from "./audit-line.ts";

/** A stretch of one month, by the beginnings of `at`: the first belongs to it, the second does not. */
export interface Stretch {
  readonly month: string;
  readonly from: string;
  readonly to: string;
}

/** Writes and reads the audit. It has no way to change or remove a line. */
export class AuditRegister {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Adds a line. Adding the same line again, as the SDK does after a lost answer, changes nothing. */
  async add(line: AuditLine): Promise<void> {
    const { client, name } = this.#table;
    const put = new PutItemCommand({ TableName: name, Item: itemOf(line), ...priced });
    await provenWrite(() => client.send(put));
  }

  /** The lines of a stretch, the newest first, as of every write that has been answered. */
  async *newestFirst({ month, from, to }: Stretch): AsyncGenerator<AuditLine> {
    const found = queryAll(this.#table, {
      KeyConditionExpression: "#month = :month AND #at BETWEEN :from AND :to",
      ExpressionAttributeNames: { "#month": "month", "#at": "at" },
      // An `at` is longer than an instant, so none equals `to`.
      ExpressionAttributeValues: { ":month": { S: month }, ":from": { S: from }, ":to": { S: to } },
      ScanIndexForward: false,
    });
    for await (const item of found) yield lineOf(item);
  }
}
