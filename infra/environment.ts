import { brandVariablesOf } from "../lib/brand.ts";
import { physicalTableName } from "../lib/dynamo/tables.ts";
import { limitVariableOf } from "../lib/rate-limit/settings.ts";
import type { Endpoint } from "./endpoints.ts";
import type { Stage } from "./stage.ts";

/** The buckets of every limit, each under the variable that its functions read. */
const limitVariablesOf = ({ rateLimits }: Stage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(rateLimits).map(([name, buckets]) => [limitVariableOf({ name }), JSON.stringify(buckets)]),
  );

/** Every variable that a stage's settings give a value to. */
const settingsOf = (stage: Stage): Readonly<Record<string, string>> => ({
  ...brandVariablesOf(stage.brand),
  ID_TYPE_DEPRECATED_AT: stage.business.idType.deprecatedAt,
  ID_TYPE_SUNSET_AT: stage.business.idType.sunsetAt,
  PASS_CREDENTIALS: stage.passes.credentials,
  PASS_JWS_BINDING: stage.passes.jwsBinding,
  SIGNATURE_AGE_MS_MAX: String(stage.signature.ageMsMax),
  SIGNATURE_AHEAD_MS_MAX: String(stage.signature.aheadMsMax),
  ...limitVariablesOf(stage),
});

/** The issuer that an interface's function trusts. */
const tokenSettingsOf = ({ token }: Stage["business" | "passes"]): Readonly<Record<string, string>> => ({
  TOKEN_ISSUER: token.issuer,
  TOKEN_AUDIENCE: token.audience,
  TOKEN_JWKS_URL: token.jwksUrl,
  TOKEN_TYPE: token.type,
  TOKEN_LIFETIME_DAYS_MAX: String(token.lifetimeDaysMax),
});

/**
 * The environment of one endpoint's function: exactly the keys that its contract names. A key without a value, and a
 * value that the function would refuse at its start, both stop the synthesis instead.
 */
export function environmentOf(stage: Stage, { contract, tables, tokens }: Endpoint): Record<string, string> {
  const tableNames = tables.map(({ variable, table }) => [variable, physicalTableName(stage.name, table)]);
  const values: Readonly<Record<string, string>> = {
    ...settingsOf(stage),
    ...(tokens !== undefined && tokenSettingsOf(stage[tokens])),
    ...Object.fromEntries(tableNames),
  };
  const environment: Record<string, string> = {};
  for (const key of Object.keys(contract.env.shape)) {
    const value = values[key];
    if (value === undefined)
      throw new Error(`${contract.name} needs ${key}, which no stage setting and no table gives`);
    environment[key] = value;
  }
  const parsed = contract.env.safeParse(environment);
  if (parsed.success) return environment;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new Error(`${contract.name} would refuse its environment. ${problems.join("; ")}`);
}
