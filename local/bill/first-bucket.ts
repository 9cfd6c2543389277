import * as z from "zod/mini";
import type { EndpointContract } from "../../lib/http/contract.ts";
import { bucketsIn, rateLimitEnv } from "../../lib/rate-limit/settings.ts";
import type { BucketDescription } from "../../lib/rate-limit/token-bucket.ts";
import type { Application } from "../template/template.ts";

/** The first bucket of an endpoint's limit, as the function of a route has it in its environment. */
export function firstBucket(
  { functions }: Pick<Application, "functions">,
  functionName: string,
  { limit }: Pick<EndpointContract, "limit">,
): BucketDescription | undefined {
  const environment = functions.find(({ name }) => name === functionName)?.environment ?? {};
  const parsed = z.object(rateLimitEnv(limit)).safeParse(environment);
  return parsed.success ? bucketsIn(parsed.data, limit)[0] : undefined;
}
