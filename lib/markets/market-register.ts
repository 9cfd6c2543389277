import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  type PutItemCommandInput,
  paginateScan,
} from "@aws-sdk/client-dynamodb";
import { callStore } from "../dynamo/client.ts";
import type { Market } from "./market.ts";
import { marketId, marketOfItem } from "./market-store.ts";

/** Lists markets: the operator's side, which no function of the API is granted. */
export class MarketRegister {
  readonly #client: DynamoDBClient;
  readonly #tableName: string;

  constructor(client: DynamoDBClient, tableName: string) {
    this.#client = client;
    this.#tableName = tableName;
  }

  /** Lists a market, or changes the constants of one; readers follow within five seconds. */
  async put(market: Market): Promise<void> {
    await callStore(() => this.#client.send(new PutItemCommand(this.#write(market))));
  }

  /** Lists a market unless it is listed already, which then stays as it is. @returns whether it is new. */
  async add(market: Market): Promise<boolean> {
    const write = {
      ...this.#write(market),
      ConditionExpression: "attribute_not_exists(#id)",
      ExpressionAttributeNames: { "#id": "id" },
    };
    try {
      await callStore(() => this.#client.send(new PutItemCommand(write)));
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  /** Every market there is, in no order. */
  async *list(): AsyncGenerator<Market> {
    const pages = paginateScan(
      { client: this.#client },
      {
        TableName: this.#tableName,
        ConsistentRead: true,
        FilterExpression: "begins_with(#id, :prefix)",
        ExpressionAttributeNames: { "#id": "id" },
        ExpressionAttributeValues: { ":prefix": { S: marketId("") } },
      },
    );
    for await (const page of pages) {
      for (const item of page.Items ?? []) yield marketOfItem(item);
    }
  }

  #write({ symbol, ...constants }: Market): PutItemCommandInput {
    const members = Object.entries(constants).map(([name, value]) => [name, { S: value }]);
    return {
      TableName: this.#tableName,
      Item: { id: { S: marketId(symbol) }, ...Object.fromEntries(members) },
    };
  }
}
