import { DynamoDB } from "@aws-sdk/client-dynamodb";
import { RateLimiterDynamo, RateLimiterRes, RateLimiterUnion } from "rate-limiter-flexible";
import type { BucketDescription } from "../../lib/rate-limit/token-bucket.ts";
import type { Ask } from "../ask.ts";

export interface PeerTables {
  readonly tableName: string;
}

/** The settings of a client of a local engine. */
export const clientOf = (endpoint: string) => ({
  endpoint,
  region: "local",
  credentials: { accessKeyId: "local", secretAccessKey: "local" },
});

/** Creates the table for the library's counters, as its documentation describes it. */
export async function preparePeerTables(endpoint: string): Promise<PeerTables> {
  const client = new DynamoDB(clientOf(endpoint));
  const tableName = "rate-limiter-flexible";
  await client.createTable({
    TableName: tableName,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [{ AttributeName: "key", KeyType: "HASH" }],
    AttributeDefinitions: [{ AttributeName: "key", AttributeType: "S" }],
  });
  client.destroy();
  return { tableName };
}

/** Limits two windows at once in the library's own way: a union with a limiter for each window. */
export function peerLimiter(
  client: DynamoDB,
  { tableName }: PeerTables,
  buckets: readonly BucketDescription[],
): Ask {
  const limiters = buckets.map(
    ({ name, refillTokens, refillWindowMs }) =>
      new RateLimiterDynamo({
        storeClient: client,
        tableName,
        tableCreated: true,
        ttlSet: true,
        keyPrefix: name,
        points: refillTokens,
        duration: refillWindowMs / 1_000,
      }),
  );
  const union = new RateLimiterUnion(...limiters);
  return async (owner, cost) => {
    try {
      await union.consume(owner, cost);
      return 0;
    } catch (refusal) {
      return longestWait(refusal);
    }
  };
}

/** The longer wait of the two windows, rounded up to whole ms as ours is. */
function longestWait(refusal: unknown): number {
  const results = Object.values(refusal as Record<string, unknown>);
  const waits = results.filter((result) => result instanceof RateLimiterRes);
  if (waits.length === 0) throw refusal;
  return Math.max(1, ...waits.map(({ msBeforeNext }) => Math.ceil(msBeforeNext)));
}
