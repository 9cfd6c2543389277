import { ScanCommand, type ScanCommandInput } from "@aws-sdk/client-dynamodb";
import { callStore } from "../../lib/dynamo/client.ts";
import type { Item } from "../../lib/dynamo/item.ts";
import { unproven } from "../../lib/dynamo/proven.ts";
import { retryStore } from "../../lib/dynamo/retry-store.ts";
import type { Table } from "../../lib/dynamo/table.ts";

/** What a count tells while it reads, and by what it is stopped. */
export interface Watch {
  /** Called with the number of further items that were read. */
  readonly onRead: (items: number) => void;
  readonly stop: AbortSignal;
}

/** How many parts of a table are read at once. */
const PARTS = 4;

/**
 * Reads a whole table, in parts side by side, as of every write that had been answered. Only these attributes of an item
 * are sent; the store reads it whole.
 *
 * @throws {Failure} when the store does not answer for half a minute, and an abort.
 */
export async function readWhole(
  table: Table,
  attributes: readonly string[],
  take: (item: Item) => void,
  watch: Watch,
): Promise<void> {
  const parts = Array.from({ length: PARTS }, (_, Segment) =>
    readPart(table, attributes, Segment, take, watch),
  );
  await Promise.all(parts);
}

async function readPart(
  { client, name }: Table,
  attributes: readonly string[],
  Segment: number,
  take: (item: Item) => void,
  { onRead, stop }: Watch,
): Promise<void> {
  let last: ScanCommandInput["ExclusiveStartKey"];
  do {
    const command = new ScanCommand({
      TableName: name,
      ...projectionOf(attributes),
      Segment,
      TotalSegments: PARTS,
      ConsistentRead: true,
      ExclusiveStartKey: last,
    });
    const send = () => callStore(() => client.send(command, { abortSignal: stop }));
    const { Items, LastEvaluatedKey } = await retryStore(send, stop);
    if (Items === undefined) throw unproven();
    Items.forEach(take);
    onRead(Items.length);
    last = LastEvaluatedKey;
  } while (last !== undefined);
}

const projectionOf = (attributes: readonly string[]) => ({
  ProjectionExpression: attributes.map((name) => `#${name}`).join(", "),
  ExpressionAttributeNames: Object.fromEntries(attributes.map((name) => [`#${name}`, name])),
});

/** The highest sort key: a scan that goes on behind it finds the next partition. */
const HIGHEST_SORT = Buffer.alloc(28, 0xff);

/**
 * The names of a table's partitions, each by a read of one item, whatever they hold. The table's keys are those of trades.
 */
export async function listPartitions({ client, name }: Table, { stop }: Watch): Promise<readonly string[]> {
  const found = new Set<string>();
  let last: ScanCommandInput["ExclusiveStartKey"];
  for (;;) {
    const command = new ScanCommand({
      TableName: name,
      ...projectionOf(["pk"]),
      Limit: 1,
      ConsistentRead: true,
      ExclusiveStartKey: last,
    });
    const { Items } = await retryStore(
      () => callStore(() => client.send(command, { abortSignal: stop })),
      stop,
    );
    if (Items === undefined) throw unproven();
    const partition = Items[0]?.pk?.S;
    if (partition === undefined) return [...found];
    found.add(partition);
    last = { pk: { S: partition }, sk: { B: HIGHEST_SORT } };
  }
}
