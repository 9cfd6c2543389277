import type { StoreAddress } from "../store/engine.ts";
import { LOCAL_REGION } from "../store/local-account.ts";
import { QUEUES_AT_AWS } from "../template/local-names.ts";
import { TemplateError } from "../template/template-error.ts";
import type { FunctionDefinition } from "../template/template-function.ts";

/** A path without a file, so that the AWS SDK in a function does not read the profiles of this machine's user. */
const NO_FILE = "/nonexistent";

/** Where a function finds the services that it calls. */
export interface ServiceAddresses extends StoreAddress {
  /** The endpoint of the queues, with a slash at its end; absent where none are served. */
  readonly queuesEndpoint?: string | undefined;
}

/** The variables that Lambda's runtime sets for every function, with the addresses and access key of the local services. */
function runtimeVariables(
  { name, memoryMb, handler, runtime, codePath }: FunctionDefinition,
  { endpoint, accessKeyId, queuesEndpoint }: ServiceAddresses,
) {
  return {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: accessKeyId,
    AWS_SESSION_TOKEN: accessKeyId,
    AWS_CONFIG_FILE: NO_FILE,
    AWS_SHARED_CREDENTIALS_FILE: NO_FILE,
    AWS_DEFAULT_REGION: LOCAL_REGION,
    AWS_REGION: LOCAL_REGION,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    ...(queuesEndpoint !== undefined && { AWS_ENDPOINT_URL_SQS: queuesEndpoint }),
    AWS_EXECUTION_ENV: `AWS_Lambda_${runtime}`,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: `${memoryMb}`,
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: "local",
    LAMBDA_TASK_ROOT: codePath,
    TZ: ":UTC",
    _HANDLER: handler,
  };
}

/**
 * The whole environment of one function: the variables of the template and of Lambda's runtime, and none of this
 * process. An override replaces a variable that the template sets. The address of a queue is that of the local one.
 */
export function variablesOf(
  definition: FunctionDefinition,
  addresses: ServiceAddresses,
  overrides: Readonly<Record<string, string>>,
): Record<string, string> {
  const { environment } = definition;
  const own = Object.entries(overrides).filter(([key]) => Object.hasOwn(environment, key));
  return {
    ...runtimeVariables(definition, addresses),
    ...withLocalQueues(environment, addresses),
    ...Object.fromEntries(own),
  };
}

const withLocalQueues = (
  environment: Readonly<Record<string, string>>,
  { queuesEndpoint }: ServiceAddresses,
): Readonly<Record<string, string>> =>
  queuesEndpoint === undefined
    ? environment
    : Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [
          name,
          value.startsWith(QUEUES_AT_AWS) ? queuesEndpoint + value.slice(QUEUES_AT_AWS.length) : value,
        ]),
      );

/** Throws a `TemplateError` for an override of a variable that no function has: no deployed function would read it. */
export function checkOverrides(
  definitions: readonly FunctionDefinition[],
  overrides: Readonly<Record<string, string>>,
): void {
  for (const key of Object.keys(overrides)) {
    if (definitions.some(({ environment }) => Object.hasOwn(environment, key))) continue;
    throw new TemplateError(
      `No function of the template has the variable ${key}, so it cannot be overridden here.`,
    );
  }
}
