import { DynamoDB } from "@aws-sdk/client-dynamodb";
import { RateLimiterDynamo, RateLimiterRes, RateLimiterUnion } from "rate-limiter-flexible";
import type { BucketDescription } from "../../lib/rate-limit/token-bucket.ts";
import type { Ask } from "../ask.ts";

export interface PeerTables {
  readonly tableName: string;
}

/** Creates the table that the library keeps its counters in, as its documentation asks for it. */
export async function preparePeerTables(endpoint: string): Promise<PeerTables> {
  const client = new DynamoDB({
    endpoint,
    region: "local",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
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

/** Two windows at once the library's own way: a union of one limiter for each. */
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

/** The wait of the slower window, rounded up as a `Retry-After` in whole ms has to be. */
function longestWait(refusal: unknown): number {
  const results = Object.values(refusal as Record<string, unknown>);
  const waits = results.filter((result) => result instanceof RateLimiterRes);
  if (waits.length === 0) throw refusal;
  return Math.max(1, ...waits.map(({ msBeforeNext }) => Math.ceil(msBeforeNext)));
}
