/** The operator's switch of one endpoint. An endpoint without a stored switch is on. */
export type Switch = { readonly on: true } | { readonly on: false; readonly reason: string };

/** Key of an endpoint's switch among the settings. */
export const switchId = (endpointName: string): string => `switch#${endpointName}`;
