import {
  DeleteItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { type Attribution, attributesOf, attributionOf } from "../dynamo/attribution.ts";
import { orExisting, priced, provenWrite } from "../dynamo/proven.ts";
import { scan } from "../dynamo/scan.ts";
import type { Table } from "../dynamo/table.ts";
import type { Market } from "./market.ts";
import { MARKET_LIST_ID, marketId, marketOfItem } from "./market-store.ts";

/** A market, and who listed or changed it last and when, where that was kept. */
export interface ListedMarket extends Market {
  readonly set?: Attribution;
}

/** Lists markets. It is for operators: no function of the API has the permission. */
export class MarketRegister {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Lists a market, which readers find within a second, or changes the constants of a listed one, which takes five. */
  async put(market: Market, attribution?: Attribution): Promise<void> {
    const write = this.#write(market, attribution);
    await provenWrite((options) => this.#table.client.send(new PutItemCommand(write), options));
    await this.#enlist(market.symbol);
  }

  /** Lists a market unless it is listed already, in which case it stays as it is. @returns whether it is new. */
  async add(market: Market, attribution?: Attribution): Promise<boolean> {
    const isNew = await this.#putNew(market, attribution);
    // An existing market is enlisted too, because its writer may have stopped before this step.
    await this.#enlist(market.symbol);
    return isNew;
  }

  /** Takes a market off the list, with its constants; a missing one is not an error. */
  async remove(symbol: string): Promise<void> {
    const { client, name } = this.#table;
    const unlist = new UpdateItemCommand({
      TableName: name,
      Key: { id: { S: MARKET_LIST_ID } },
      UpdateExpression: "DELETE #symbols :symbols",
      ExpressionAttributeNames: { "#symbols": "symbols" },
      ExpressionAttributeValues: { ":symbols": { SS: [symbol] } },
      ...priced,
    });
    await provenWrite(() => client.send(unlist));
    const remove = new DeleteItemCommand({
      TableName: name,
      Key: { id: { S: marketId(symbol) } },
      ...priced,
    });
    await provenWrite(() => client.send(remove));
  }

  async #putNew(market: Market, attribution: Attribution | undefined): Promise<boolean> {
    const write = {
      ...this.#write(market, attribution),
      ConditionExpression: "attribute_not_exists(#id)",
      ExpressionAttributeNames: { "#id": "id" },
    };
    const { answer } = await orExisting((options) =>
      this.#table.client.send(new PutItemCommand(write), options),
    );
    return answer !== undefined;
  }

  /** Every market, in no order. */
  async *list(): AsyncGenerator<ListedMarket> {
    const items = scan(this.#table, {
      FilterExpression: "begins_with(#id, :prefix)",
      ExpressionAttributeNames: { "#id": "id" },
      ExpressionAttributeValues: { ":prefix": { S: marketId("") } },
    });
    for await (const item of items) {
      const set = attributionOf(item);
      yield { ...marketOfItem(item), ...(set !== undefined && { set }) };
    }
  }

  /**
   * Adds a symbol to the list that readers use. The first symbol also adds the markets that are older than the list.
   */
  async #enlist(symbol: string): Promise<void> {
    const { answer } = await this.#addToList([symbol], "attribute_exists(#symbols)");
    if (answer !== undefined) return;
    const markets = await Array.fromAsync(this.list());
    await this.#addToList(markets.map((market) => market.symbol));
  }

  /** DynamoDB unites sets, so concurrent writers do not overwrite each other. */
  async #addToList(symbols: string[], condition?: string) {
    const command = new UpdateItemCommand({
      TableName: this.#table.name,
      Key: { id: { S: MARKET_LIST_ID } },
      UpdateExpression: "ADD #symbols :symbols",
      ConditionExpression: condition,
      ExpressionAttributeNames: { "#symbols": "symbols" },
      ExpressionAttributeValues: { ":symbols": { SS: symbols } },
      ...priced,
    });
    return await orExisting((options) => this.#table.client.send(command, options));
  }

  #write({ symbol, ...constants }: Market, attribution: Attribution | undefined): PutItemCommandInput {
    const members = Object.entries(constants).map(([name, value]) => [name, { S: value }]);
    return {
      TableName: this.#table.name,
      Item: {
        id: { S: marketId(symbol) },
        ...Object.fromEntries(members),
        ...attributesOf(attribution),
      },
      ...priced,
    };
  }
}
