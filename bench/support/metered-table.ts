import { BatchWriteItemCommand, type ConsumedCapacity, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Table } from "../../lib/dynamo/table.ts";

/** What the callers of a table have used, by the engine's count of units. */
export interface Meter {
  writeUnits: number;
  readUnits: number;
  /** Answers that were waited for. */
  calls: number;
}

/** A table that counts what is used of it. Its callers ask for the units of each call, as all of lib does. */
export function meteredTable(table: Table): { readonly table: Table; readonly meter: Meter } {
  const meter: Meter = { writeUnits: 0, readUnits: 0, calls: 0 };
  const forward = table.client.send.bind(table.client) as (...given: readonly unknown[]) => Promise<unknown>;
  const send = async (...given: readonly unknown[]): Promise<unknown> => {
    const answer = await forward(...given);
    meter.calls += 1;
    if (given[0] instanceof BatchWriteItemCommand) meter.writeUnits += unitsOf(answer);
    else meter.readUnits += unitsOf(answer);
    return answer;
  };
  return { table: { ...table, client: { send } as unknown as DynamoDBClient }, meter };
}

function unitsOf(answer: unknown): number {
  const { ConsumedCapacity: consumed } = answer as {
    ConsumedCapacity?: ConsumedCapacity | readonly ConsumedCapacity[];
  };
  return [consumed ?? []].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}
