import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { Expression } from "../dynamo/expression.ts";
import { orExisting, priced } from "../dynamo/proven.ts";
import type { Table } from "../dynamo/table.ts";
import { type KeptKeySet, keptKeySetId } from "./kept-key-set.ts";

/** A run of the function that keeps sets is over long before this. */
const RUN_MS_MAX = 10 * 60_000;

/** Keeps key sets among the settings. Only the function `report-expiry` has the permission. */
export class KeptKeySetRegister {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Keeps the set that was fetched from an address, in place of the one before. A set that was fetched later stays, so
   * that a slow run cannot bring a withdrawn key back. One that claims to be fetched later than any other run could have
   * done it is of a wrong clock, and is replaced.
   *
   * @throws {Failure} when the store does not answer.
   */
  async put(url: URL, { text, fetchedAt }: KeptKeySet): Promise<void> {
    const expression = new Expression();
    const [from, to] = [fetchedAt, fetchedAt + RUN_MS_MAX].map((at) => expression.value({ N: String(at) }));
    const command = new PutItemCommand({
      TableName: this.#table.name,
      Item: { id: { S: keptKeySetId(url) }, key_set: { S: text }, fetched_at: { N: String(fetchedAt) } },
      ConditionExpression: `NOT ${expression.name("fetched_at")} BETWEEN ${from} AND ${to}`,
      ...expression.references,
      ...priced,
    });
    await orExisting(() => this.#table.client.send(command));
  }
}
