import * as z from "zod/mini";
import type { EndpointContract } from "../../lib/http/contract.ts";
import { bucketsIn, rateLimitEnv } from "../../lib/rate-limit/settings.ts";
import type { BucketDescription } from "../../lib/rate-limit/token-bucket.ts";
import type { Application } from "../template/template.ts";

/** The first bucket of an endpoint's limit, by the name of its function; undefined where it has none. */
export type FirstBucketOf = (
  functionName: string,
  contract: Pick<EndpointContract, "limit">,
) => BucketDescription | undefined;

/** The first buckets of an application's limits. Each function's environment is read once, for its first bill. */
export function firstBucketsOf(application: Pick<Application, "functions">): FirstBucketOf {
  const read = new Map<string, BucketDescription | undefined>();
  return (functionName, contract) => {
    const id = `${functionName} ${contract.limit.name}`;
    if (!read.has(id)) read.set(id, firstBucket(application, functionName, contract));
    return read.get(id);
  };
}

/** The first bucket of an endpoint's limit, as the function of a route has it in its environment. */
function firstBucket(
  { functions }: Pick<Application, "functions">,
  functionName: string,
  { limit }: Pick<EndpointContract, "limit">,
): BucketDescription | undefined {
  const environment = functions.find(({ name }) => name === functionName)?.environment ?? {};
  const parsed = z.object(rateLimitEnv(limit)).safeParse(environment);
  return parsed.success ? bucketsIn(parsed.data, limit)[0] : undefined;
}
