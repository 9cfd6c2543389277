/**
 * The files of this folder that may stand in a bundle, by the module of the SDK that each replaces. Docs: decision 26, which
 * has what each of them pays.
 */
export const standIns = {
  "@aws-sdk/credential-provider-node": "environment-credentials.ts",
  "@aws-sdk/middleware-endpoint-discovery": "absent-endpoint-discovery.ts",
  "@smithy/core/config": "environment-config.ts",
  "@smithy/core/event-streams": "absent-event-streams.ts",
} as const;

/** A module of the SDK that something can stand in for. */
export type ReplacedModule = keyof typeof standIns;
