import * as z from "zod/mini";
import { readEnv } from "../../lib/env.ts";
import { LoggableError } from "../../lib/errors.ts";

const flag = z.optional(z.enum(["true", "false"]));

const placeVariables = z.object({
  AWS_REGION: z.string(),
  AWS_USE_FIPS_ENDPOINT: flag,
  AWS_USE_DUALSTACK_ENDPOINT: flag,
  AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: flag,
  AWS_ENDPOINT_URL_DYNAMODB: z.optional(z.string()),
  AWS_ENDPOINT_URL: z.optional(z.string()),
});

/** Domains of a partition of AWS: for IPv4 alone, and for IPv6 too. */
type Domains = readonly [plain: string, dualStack: string];

const COMMON: Domains = ["amazonaws.com", "api.aws"];

/** The domains of each partition that has others, by the beginning of its regions' names. */
const PARTITIONS: readonly (readonly [prefix: string, domains: Domains])[] = [
  ["cn-", ["amazonaws.com.cn", "api.amazonwebservices.com.cn"]],
  ["eusc-", ["amazonaws.eu", "api.amazonwebservices.eu"]],
  ["eu-isoe-", ["cloud.adc-e.uk", "api.cloud-aws.adc-e.uk"]],
  ["us-iso-", ["c2s.ic.gov", "api.aws.ic.gov"]],
  ["us-isob-", ["sc2s.sgov.gov", "api.aws.scloud"]],
  ["us-isof-", ["csp.hci.ic.gov", "api.aws.hci.ic.gov"]],
];

const domainsOf = (region: string): Domains =>
  PARTITIONS.find(([prefix]) => region.startsWith(prefix))?.[1] ?? COMMON;

/** The region of a function, and where it finds DynamoDB. */
export interface Place {
  readonly region: string;
  readonly endpoint: URL;
}

/**
 * Reads the place from the environment by the rules of the SDK. A function does not tell the id of its account, so no
 * endpoint of an account is looked for.
 *
 * @throws {Error} when the region is missing, a switch is neither true nor false, or a switch asks for another endpoint
 * than the configured one.
 */
export function placeOf(): Place {
  const env = readEnv(placeVariables);
  const isFips = env.AWS_USE_FIPS_ENDPOINT === "true";
  const isDualStack = env.AWS_USE_DUALSTACK_ENDPOINT === "true";
  const configured = env.AWS_ENDPOINT_URL_DYNAMODB || env.AWS_ENDPOINT_URL || "";
  const region = env.AWS_REGION;
  if (configured === "" || env.AWS_IGNORE_CONFIGURED_ENDPOINT_URLS === "true")
    return { region, endpoint: new URL(`https://${hostOf(region, isFips, isDualStack)}`) };
  if (isFips || isDualStack)
    throw new LoggableError("A configured endpoint is used as it is: it cannot be asked for FIPS or IPv6.");
  return { region, endpoint: new URL(configured) };
}

function hostOf(region: string, isFips: boolean, isDualStack: boolean): string {
  const [plain, dualStack] = domainsOf(region);
  // The plain endpoints of AWS GovCloud (US) satisfy FIPS; there are no others.
  const hasFipsName = isFips && (isDualStack || !region.startsWith("us-gov-"));
  return `${hasFipsName ? "dynamodb-fips" : "dynamodb"}.${region}.${isDualStack ? dualStack : plain}`;
}

const traceVariables = z.object({
  AWS_LAMBDA_FUNCTION_NAME: z.optional(z.string()),
  _X_AMZN_TRACE_ID: z.optional(z.string()),
});

/**
 * The header by which a call joins the trace of its invocation, inside of Lambda. Lambda sets the variable anew for each
 * invocation.
 */
export function traceHeaders(): Readonly<Record<string, string>> {
  const { AWS_LAMBDA_FUNCTION_NAME: name = "", _X_AMZN_TRACE_ID: trace = "" } = readEnv(traceVariables);
  return name === "" || trace === "" ? {} : { "x-amzn-trace-id": trace };
}
