import { type DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { CLOCKS_APART_MAX_MS } from "../../lib/clock.ts";
import { physicalTableName } from "../../lib/dynamo/tables.ts";
import type { ContractLimit } from "../../lib/rate-limit/settings.ts";
import { LOCAL_STAGE } from "../../local/template/local-stage.ts";

/** Empties an owner's buckets for `ms`, so that the next request that is charged to them is refused. */
export async function useUpLimit(
  client: DynamoDBClient,
  { name, defaultBuckets }: ContractLimit,
  owner: string,
  ms = CLOCKS_APART_MAX_MS - 1_000,
): Promise<void> {
  const fullAgainAt = defaultBuckets.map(({ name: bucket, burst, refillTokens, refillWindowMs }) => {
    const capacityMs = (burst / refillTokens) * refillWindowMs;
    // Further ahead than a full bucket takes, as by a clock that is, but not so far that it is not believed.
    return [`t_${bucket}`, { N: String(Date.now() + capacityMs + ms) }] as const;
  });
  const Item = { k: { S: `${name}#${owner}` }, ...Object.fromEntries(fullAgainAt) };
  const TableName = physicalTableName(LOCAL_STAGE, "RateLimits");
  await client.send(new PutItemCommand({ TableName, Item }));
}
