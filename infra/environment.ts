import type * as z from "zod/mini";
import { brandVariablesOf } from "../lib/brand.ts";
import { INGEST_NAME, ingestEnv } from "../lib/ingest/settings.ts";
import { limitVariableOf } from "../lib/rate-limit/settings.ts";
import { UPKEEP_NAME, upkeepEnv } from "../lib/upkeep/settings.ts";
import { type Endpoint, endpoints } from "./endpoints.ts";
import type { Stage } from "./stage.ts";

/** The buckets of every limit, by the variable that functions read. */
const limitVariablesOf = ({ rateLimits }: Stage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(rateLimits).map(([name, buckets]) => [limitVariableOf({ name }), JSON.stringify(buckets)]),
  );

/** Every variable whose value comes from a stage's settings. */
const settingsOf = (stage: Stage): Readonly<Record<string, string>> => ({
  ...brandVariablesOf(stage.brand),
  STAGE_NAME: stage.name,
  ID_TYPE_DEPRECATED_AT: stage.business.idType.deprecatedAt,
  ID_TYPE_SUNSET_AT: stage.business.idType.sunsetAt,
  PASS_CREDENTIALS: stage.passes.credentials,
  PASS_JWS_BINDING: stage.passes.jwsBinding,
  SIGNATURE_AGE_MS_MAX: String(stage.signature.ageMsMax),
  SIGNATURE_AHEAD_MS_MAX: String(stage.signature.aheadMsMax),
  ...limitVariablesOf(stage),
});

/** The variables of the token issuer that an interface's functions trust. */
const tokenSettingsOf = ({ token }: Stage["business" | "passes"]): Readonly<Record<string, string>> => ({
  TOKEN_ISSUER: token.issuer,
  TOKEN_AUDIENCE: token.audience,
  TOKEN_JWKS_URL: token.jwksUrl,
  TOKEN_TYPE: token.type,
  TOKEN_LIFETIME_DAYS_MAX: String(token.lifetimeDaysMax),
});

/**
 * The environment of one endpoint's function: exactly the keys that its contract names. Throws for a key without a
 * value, and for a value that the function would refuse at its start.
 */
export function environmentOf(stage: Stage, { contract, tables, tokens }: Endpoint): Record<string, string> {
  const tableNames = tables.map(({ variable, table }) => [variable, stage.tables[table]]);
  const values: Readonly<Record<string, string>> = {
    ...settingsOf(stage),
    ...(tokens !== undefined && tokenSettingsOf(stage[tokens])),
    ...Object.fromEntries(tableNames),
  };
  const environment: Record<string, string> = {};
  for (const key of Object.keys(contract.env.shape)) {
    const value = values[key];
    if (value === undefined)
      throw new Error(`${contract.name} needs ${key}, but no stage setting and no table provides it`);
    environment[key] = value;
  }
  return accepted(contract.name, contract.env, environment);
}

/** The environment of the function that schedules call; with the address of the truststore where there is one. */
export function upkeepEnvironmentOf(
  stage: Stage,
  truststoreUrl: string | undefined,
): Readonly<Record<string, string>> {
  const issuers = [stage.business, stage.passes].map(({ token }) => new URL(token.jwksUrl).href);
  const environment = accepted(UPKEEP_NAME, upkeepEnv, {
    STAGE_NAME: stage.name,
    CREDENTIALS_TABLE: stage.tables.Credentials,
    SETTINGS_TABLE: stage.tables.Settings,
    ENDPOINT_NAMES: endpoints.map(({ contract }) => contract.name).join(" "),
    TOKEN_JWKS_URLS: [...new Set(issuers)].join(" "),
  });
  // Its region and suffix may be references, which only CloudFormation resolves.
  return { ...environment, ...(truststoreUrl !== undefined && { TRUSTSTORE_URL: truststoreUrl }) };
}

/** The environment of the function that takes in messages. */
export function ingestEnvironmentOf(stage: Stage, rejectedUrl: string): Readonly<Record<string, string>> {
  const environment = {
    STAGE_NAME: stage.name,
    TRANSACTIONS_TABLE: stage.tables.Transactions,
    SELL_ORDERS_TABLE: stage.tables.SellOrders,
    PASSES_TABLE: stage.tables.Passes,
    TRADES_TABLE: stage.tables.Trades,
    SETTINGS_TABLE: stage.tables.Settings,
    ...brandVariablesOf(stage.brand),
  };
  // The region and suffix of the address may be references, which only CloudFormation resolves.
  accepted(INGEST_NAME, ingestEnv, { ...environment, REJECTED_QUEUE_URL: "https://sqs.example" });
  return { ...environment, REJECTED_QUEUE_URL: rejectedUrl };
}

/** An environment that its function accepts. Throws for a value that the function would refuse at its start. */
function accepted<Environment extends Record<string, string>>(
  name: string,
  schema: z.ZodMiniType,
  environment: Environment,
): Environment {
  const parsed = schema.safeParse(environment);
  if (parsed.success) return environment;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new Error(`${name} would refuse its environment. ${problems.join("; ")}`);
}
