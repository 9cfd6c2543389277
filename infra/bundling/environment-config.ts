import * as z from "zod/mini";
import { readEnv } from "../../lib/env.ts";
import { ownMember } from "../../lib/own-member.ts";

/**
 * Stands in a function's bundle for the SDK's configuration loader. A function is configured by its environment alone;
 * the loader would also look for profile files, and ask the instance's metadata for the region: 8 KB, and two files that
 * are not there, read before the first request. The SDK calls what is exported here by these names.
 */
type Variables = Readonly<Record<string, string | undefined>>;

type Provided<Value> = Value | (() => Value | Promise<Value>);

const resolved = <Value>(provided: Provided<Value>): Value | Promise<Value> =>
  typeof provided === "function" ? (provided as () => Value | Promise<Value>)() : provided;

interface Selectors<Value> {
  readonly environmentVariableSelector: (variables: Variables) => Value | undefined;
  readonly default?: Provided<Value>;
}

/** A setting from its variable, else its default; read when it is first asked for, and then kept. */
export function loadConfig<Value>(selectors: Selectors<Value>): () => Promise<Value | undefined> {
  let known: Promise<Value | undefined> | undefined;
  return () => {
    known ??= load(selectors);
    return known;
  };
}

async function load<Value>({
  environmentVariableSelector: select,
  default: byDefault,
}: Selectors<Value>): Promise<Value | undefined> {
  const value = select(readEnv(z.custom<Variables>()));
  if (value !== undefined) return value;
  return byDefault === undefined ? undefined : await resolved(byDefault);
}

/** Where a switch is looked for; profiles are asked for nowhere. */
export const SelectorType = { ENV: "env", CONFIG: "shared config entry" } as const;
export const CONFIG_PREFIX_SEPARATOR = ".";
export const NODE_REGION_CONFIG_FILE_OPTIONS = {};

/** A switch as its variable spells it. @throws {TypeError} for anything but true and false. */
export function booleanSelector(variables: Variables, name: string): boolean | undefined {
  const text = ownMember(variables, name);
  if (text === undefined || text === "true" || text === "false")
    return text === undefined ? undefined : text === "true";
  throw new TypeError(`${name} must be true or false.`);
}

const switchedBy = (name: string) => ({
  environmentVariableSelector: (variables: Variables) => booleanSelector(variables, name),
  default: false,
});

export const NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS = switchedBy("AWS_USE_DUALSTACK_ENDPOINT");
export const NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS = switchedBy("AWS_USE_FIPS_ENDPOINT");

export const REGION_ENV_NAME = "AWS_REGION";
export const REGION_INI_NAME = "region";

export const NODE_REGION_CONFIG_OPTIONS = {
  environmentVariableSelector: (variables: Variables) => variables[REGION_ENV_NAME],
  default: (): never => {
    throw new Error(`${REGION_ENV_NAME} is not set.`);
  },
};

/** The defaults that the SDK has had from its beginning; the clients set all that matters themselves. */
export const resolveDefaultsModeConfig = () => async () => "legacy";

interface RegionInput {
  readonly region: Provided<string>;
  readonly useFipsEndpoint: Provided<boolean>;
}

/** The region and the switch as functions, as the SDK wants them. */
export const resolveRegionConfig = <Input extends RegionInput>(input: Input) => {
  const { region, useFipsEndpoint } = input;
  return Object.assign(input, {
    region: async () => await resolved(region),
    useFipsEndpoint: async () => await resolved(useFipsEndpoint),
  });
};

/** What the SDK throws when nothing provides a value. */
export class ProviderError extends Error {}
