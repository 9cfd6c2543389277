import { type DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { callStore } from "../dynamo/client.ts";
import { Expression } from "../dynamo/expression.ts";
import { isOwnerId } from "../id.ts";
import { normaliseOrderId } from "./order-id.ts";

/**
 * Reads sell orders of all partners. What belongs to another partner is as good as not there. Functions hold this much
 * of the store, so that none of them carries what writes.
 */
export class SellOrderReader {
  readonly #client: DynamoDBClient;
  readonly #tableName: string;

  constructor(client: DynamoDBClient, tableName: string) {
    this.#client = client;
    this.#tableName = tableName;
  }

  /**
   * The text of a partner's order by its id in any letter case, as of every write that has been answered; nothing when
   * there is none. Throws a `Failure` when the store does not answer.
   */
  async get(partnerId: string, orderId: string): Promise<string | undefined> {
    const key = normaliseOrderId(orderId);
    if (key === undefined || !isOwnerId(partnerId)) return undefined;
    const expression = new Expression();
    const command = new GetItemCommand({
      TableName: this.#tableName,
      Key: { partner_id: { S: partnerId }, order_id: { S: key } },
      ConsistentRead: true,
      ProjectionExpression: expression.name("doc"),
      ...expression.references,
    });
    const found = await callStore(() => this.#client.send(command));
    return found.Item?.doc?.S;
  }
}
