import {
  ConditionalCheckFailedException,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import type { Table } from "../../lib/dynamo/table.ts";
import { markerIds } from "./marker-ids.ts";

const MARKER_ID = markerIds.records;

/** What the store remembers about the demo records in it. */
export interface SeedMarker {
  /** The midnight (epoch milliseconds, UTC) that all days are counted back from. */
  readonly anchorMs: number;
  /** The own-account word that the records were written with. */
  readonly ownAccount: string;
  /** Whether every record has been written. */
  readonly isComplete: boolean;
}

/**
 * Remembers, in the store itself, that and when the demo was written into it. It lies with the data and not in a file
 * beside it, so that a store on another engine, or one that was emptied, is judged by what it holds.
 */
export class SeedMarkerStore {
  readonly #settings: Table;

  constructor(settings: Table) {
    this.#settings = settings;
  }

  /** The marker that is there; if none is, the given one. Of several processes that begin at once, one decides. */
  async open(first: Omit<SeedMarker, "isComplete">): Promise<SeedMarker> {
    return (await this.#read()) ?? (await this.#begin(first)) ?? (await this.open(first));
  }

  /** Says that every record has been written. */
  async complete(): Promise<void> {
    await this.#settings.client.send(
      new UpdateItemCommand({
        TableName: this.#settings.name,
        Key: { id: { S: MARKER_ID } },
        UpdateExpression: "SET #complete = :true",
        ExpressionAttributeNames: { "#complete": "complete" },
        ExpressionAttributeValues: { ":true": { BOOL: true } },
      }),
    );
  }

  async #read(): Promise<SeedMarker | undefined> {
    const command = new GetItemCommand({
      TableName: this.#settings.name,
      Key: { id: { S: MARKER_ID } },
      ConsistentRead: true,
    });
    const { Item } = await this.#settings.client.send(command);
    if (Item?.anchor_ms?.N === undefined || Item.own_account?.S === undefined) return undefined;
    return {
      anchorMs: Number(Item.anchor_ms.N),
      ownAccount: Item.own_account.S,
      isComplete: Item.complete?.BOOL === true,
    };
  }

  /** @returns undefined when another process was faster. */
  async #begin({ anchorMs, ownAccount }: Omit<SeedMarker, "isComplete">): Promise<SeedMarker | undefined> {
    try {
      await this.#settings.client.send(
        new PutItemCommand({
          TableName: this.#settings.name,
          Item: { id: { S: MARKER_ID }, anchor_ms: { N: String(anchorMs) }, own_account: { S: ownAccount } },
          ConditionExpression: "attribute_not_exists(#id)",
          ExpressionAttributeNames: { "#id": "id" },
        }),
      );
      return { anchorMs, ownAccount, isComplete: false };
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return undefined;
      throw error;
    }
  }
}
