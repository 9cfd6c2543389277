import * as z from "zod/mini";
import type { EndpointContract } from "../lib/http/contract.ts";
import { bucketsIn, rateLimitEnv } from "../lib/rate-limit/settings.ts";
import type { BucketDescription } from "../lib/rate-limit/token-bucket.ts";
import { BILL_HEADER, type Bill, billOf, billText } from "./bill/bill.ts";
import type { Companion, Exchange } from "./gateway/exchange.ts";
import { hintsFor, WARNING_HEADER } from "./hints/hints.ts";
import type { HintParts } from "./hints/request-seen.ts";
import { contractOf } from "./hints/request-seen.ts";
import type { RequestReport } from "./log/request-line.ts";
import type { CallLedger } from "./store/call-ledger.ts";
import type { StoreCall } from "./store/store-call.ts";
import type { Application } from "./template/template.ts";

export interface CompanionParts extends HintParts {
  readonly application: Application;
  readonly calls: Pick<CallLedger, "take">;
  /** Receives each request with its answer, before the answer is sent. */
  readonly answered: (report: RequestReport) => void;
}

/** The header of an answer that names what is new in it, where a start serves what is to come. */
const SCENE_HEADER = "x-local-tomorrow";

/** The helpers that `npm start` adds to the gateway: they explain answers, and change nothing but headers. */
export function createCompanion({ application, calls, answered, ...parts }: CompanionParts): Companion {
  const bucketOf = firstBucketsOf(application);
  return (exchange) => {
    const hints = hintsFor(exchange, parts);
    const { stint, scene } = exchange.response;
    const made = stint === undefined ? [] : calls.take(stint.session, stint.beganNs, stint.endedNs);
    const bill = isPage(exchange) ? undefined : billFor(exchange, made, bucketOf);
    answered({ exchange, hints, calls: made, ...(bill !== undefined && { bill }) });
    return {
      ...(hints.length > 0 && { [WARNING_HEADER]: [...hints] }),
      ...(scene !== undefined && { [SCENE_HEADER]: scene }),
      ...(bill !== undefined && { [BILL_HEADER]: billText(bill) }),
    };
  };
}

/** A page of the local gateway has no bill, because a deployment has no such page. */
const isPage = ({ match, response }: Exchange): boolean => match === undefined && response.statusCode === 200;

function billFor(exchange: Exchange, calls: readonly StoreCall[], bucketOf: FirstBucketOf): Bill {
  const { match, response } = exchange;
  const contract = contractOf(exchange);
  const bucket =
    match === undefined || contract === undefined ? undefined : bucketOf(match.route.functionName, contract);
  return billOf(calls, response.body?.length ?? 0, bucket);
}

/** The first bucket of an endpoint's limit, by the name of its function; undefined where it has none. */
type FirstBucketOf = (
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
