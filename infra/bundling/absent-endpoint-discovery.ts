/**
 * Stands in a function's bundle for the SDK's endpoint discovery, which this service does not use: a region has one
 * endpoint. The SDK calls these exports by their names.
 */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => undefined,
  configFileSelector: () => undefined,
  default: () => undefined,
};

export const resolveEndpointDiscoveryConfig = <Config>(config: Config): Config => config;
