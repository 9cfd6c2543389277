/**
 * The files of this folder that may stand in a bundle, by the module of the SDK that each replaces (docs: decision 26).
 */
export const standIns = {
  "@aws-sdk/client-dynamodb": "store-client.ts",
} as const;

/** A module of the SDK that something can stand in for. */
export type ReplacedModule = keyof typeof standIns;
