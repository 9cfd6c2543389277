import { type AttributeValue, type DynamoDBClient, QueryCommand } from "@aws-sdk/client-dynamodb";
import { callStore } from "../dynamo/client.ts";
import { unproven } from "../dynamo/proven.ts";

/** A segment as it is stored. */
export interface StoredSegment {
  readonly partition: string;
  readonly sort: Buffer;
  readonly payload: Buffer;
}

/** Which segments of one partition to read, the one with the highest key first. */
export interface SegmentQuestion {
  readonly partition: string;
  /** Both ends belong to what is read. */
  readonly from: Buffer;
  readonly to: Buffer;
  /** Key of the last segment of the page before; the reading goes on below it. */
  readonly after: Buffer | undefined;
  /** The most segments to read. */
  readonly segmentsMax: number;
  readonly isConsistent: boolean;
}

export interface SegmentPage {
  readonly segments: readonly StoredSegment[];
  /** Whether there may be more below the last one. */
  readonly hasMore: boolean;
}

/** Reads segments. */
export class TradeStore {
  readonly #client: DynamoDBClient;
  readonly #tableName: string;

  constructor(client: DynamoDBClient, tableName: string) {
    this.#client = client;
    this.#tableName = tableName;
  }

  /** One query, with at most one page of its answer. */
  async query(question: SegmentQuestion): Promise<SegmentPage> {
    const { partition, from, to, after } = question;
    const command = new QueryCommand({
      TableName: this.#tableName,
      KeyConditionExpression: "#pk = :pk AND #sk BETWEEN :from AND :to",
      ExpressionAttributeNames: { "#pk": "pk", "#sk": "sk" },
      ExpressionAttributeValues: { ":pk": { S: partition }, ":from": { B: from }, ":to": { B: to } },
      ScanIndexForward: false,
      Limit: question.segmentsMax,
      ConsistentRead: question.isConsistent,
      ...(after === undefined ? {} : { ExclusiveStartKey: { pk: { S: partition }, sk: { B: after } } }),
    });
    const { Items, LastEvaluatedKey } = await callStore((options) => this.#client.send(command, options));
    if (Items === undefined) throw unproven();
    return { segments: Items.map(segmentOfItem), hasMore: LastEvaluatedKey !== undefined };
  }
}

/** A segment as the table has it; whatever is there in its place counts as an empty payload. */
export const segmentOfItem = (item: Readonly<Record<string, AttributeValue>>): StoredSegment => ({
  partition: item.pk?.S ?? "",
  sort: Buffer.from(item.sk?.B ?? []),
  payload: Buffer.from(item.d?.B ?? []),
});
