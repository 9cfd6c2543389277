import { QueryCommand } from "@aws-sdk/client-dynamodb";
import { callStore } from "../dynamo/client.ts";
import type { Item } from "../dynamo/item.ts";
import { priced, unproven } from "../dynamo/proven.ts";
import type { Table } from "../dynamo/table.ts";

/** A segment as it is stored. */
export interface StoredSegment {
  readonly partition: string;
  readonly sort: Buffer;
  readonly payload: Buffer;
}

/** The segments of one partition to read, the highest key first. */
export interface SegmentQuestion {
  readonly partition: string;
  /** Both ends are included. */
  readonly from: Buffer;
  readonly to: Buffer;
  /** The `after` of the previous answer, below which reading continues. */
  readonly after: Buffer | undefined;
  /** The most segments to read. */
  readonly segmentsMax: number;
  readonly isConsistent: boolean;
}

export interface SegmentPage {
  readonly segments: readonly StoredSegment[];
  /** The key that the query has reached, when more may lie below it, even if it found no segment. */
  readonly after: Buffer | undefined;
  /** Read units, as DynamoDB counts them. */
  readonly units: number;
}

/** Reads segments. */
export class TradeStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Sends one query, and returns at most one page of its answer.
   *
   * @throws {Failure} `temporarily_unavailable` when the store does not answer, or its answer proves nothing.
   */
  async page(question: SegmentQuestion): Promise<SegmentPage> {
    const { partition, from, to, after } = question;
    const command = new QueryCommand({
      TableName: this.#table.name,
      KeyConditionExpression: "#pk = :pk AND #sk BETWEEN :from AND :to",
      ExpressionAttributeNames: { "#pk": "pk", "#sk": "sk" },
      ExpressionAttributeValues: { ":pk": { S: partition }, ":from": { B: from }, ":to": { B: to } },
      ScanIndexForward: false,
      Limit: question.segmentsMax,
      ConsistentRead: question.isConsistent,
      ...priced,
      ...(after !== undefined && { ExclusiveStartKey: { pk: { S: partition }, sk: { B: after } } }),
    });
    const answer = await callStore((options) => this.#table.client.send(command, options));
    const units = answer.ConsumedCapacity?.CapacityUnits;
    if (answer.Items === undefined || units === undefined) throw unproven();
    const reached = answer.LastEvaluatedKey;
    return { segments: answer.Items.map(segmentOfItem), after: reached && sortOf(reached), units };
  }
}

const sortOf = ({ sk }: Item): Buffer => Buffer.from(sk?.B ?? []);

/** A segment as the table holds it. A payload that is missing or of another type counts as empty. */
export const segmentOfItem = (item: Item): StoredSegment => ({
  partition: item.pk?.S ?? "",
  sort: sortOf(item),
  payload: Buffer.from(item.d?.B ?? []),
});
