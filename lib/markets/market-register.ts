import {
  ConditionalCheckFailedException,
  PutItemCommand,
  type PutItemCommandInput,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { priced, provenWrite } from "../dynamo/proven.ts";
import { scan } from "../dynamo/scan.ts";
import type { Table } from "../dynamo/table.ts";
import type { Market } from "./market.ts";
import { MARKET_LIST_ID, marketId, marketOfItem } from "./market-store.ts";

/** Lists markets: the operator's side, which no function of the API is granted. */
export class MarketRegister {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Lists a market, or changes the constants of one; readers follow within five seconds. */
  async put(market: Market): Promise<void> {
    await provenWrite(() => this.#table.client.send(new PutItemCommand(this.#write(market))));
    await this.#enlist(market.symbol);
  }

  /** Lists a market unless it is listed already, which then stays as it is. @returns whether it is new. */
  async add(market: Market): Promise<boolean> {
    const isNew = await this.#putNew(market);
    // Also for one that is there: its writer may have been stopped before it came to this.
    await this.#enlist(market.symbol);
    return isNew;
  }

  async #putNew(market: Market): Promise<boolean> {
    const write = {
      ...this.#write(market),
      ConditionExpression: "attribute_not_exists(#id)",
      ExpressionAttributeNames: { "#id": "id" },
    };
    try {
      await provenWrite(() => this.#table.client.send(new PutItemCommand(write)));
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  /** Every market there is, in no order. */
  async *list(): AsyncGenerator<Market> {
    const items = scan(this.#table, {
      FilterExpression: "begins_with(#id, :prefix)",
      ExpressionAttributeNames: { "#id": "id" },
      ExpressionAttributeValues: { ":prefix": { S: marketId("") } },
    });
    for await (const item of items) yield marketOfItem(item);
  }

  /** Adds a symbol to the list that readers go by; the first one brings along what was listed before there was a list. */
  async #enlist(symbol: string): Promise<void> {
    try {
      await this.#addToList([symbol], "attribute_exists(#symbols)");
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      const markets = await Array.fromAsync(this.list());
      await this.#addToList(markets.map((market) => market.symbol));
    }
  }

  /** Sets are united by the store, so writers at the same time lose nothing of each other. */
  async #addToList(symbols: string[], condition?: string): Promise<void> {
    const command = new UpdateItemCommand({
      TableName: this.#table.name,
      Key: { id: { S: MARKET_LIST_ID } },
      UpdateExpression: "ADD #symbols :symbols",
      ConditionExpression: condition,
      ExpressionAttributeNames: { "#symbols": "symbols" },
      ExpressionAttributeValues: { ":symbols": { SS: symbols } },
      ...priced,
    });
    await provenWrite(() => this.#table.client.send(command));
  }

  #write({ symbol, ...constants }: Market): PutItemCommandInput {
    const members = Object.entries(constants).map(([name, value]) => [name, { S: value }]);
    return {
      TableName: this.#table.name,
      Item: { id: { S: marketId(symbol) }, ...Object.fromEntries(members) },
      ...priced,
    };
  }
}
