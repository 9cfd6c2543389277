import type { EngineKind } from "../engine-kind.ts";
import type { StoreOperation } from "../wire.ts";

export const BOTH: readonly EngineKind[] = ["dynalite", "dynoxide"];
export const DYNALITE: readonly EngineKind[] = ["dynalite"];
export const DYNOXIDE: readonly EngineKind[] = ["dynoxide"];
export const NEITHER: readonly EngineKind[] = [];

/** Operations that read or write items. */
export const ITEM_OPERATIONS = [
  "BatchGetItem",
  "BatchWriteItem",
  "DeleteItem",
  "GetItem",
  "PutItem",
  "Query",
  "Scan",
  "UpdateItem",
] as const satisfies readonly StoreOperation[];

/** Operations that take expressions. */
export const EXPRESSION_OPERATIONS = [
  "BatchGetItem",
  "DeleteItem",
  "GetItem",
  "PutItem",
  "Query",
  "Scan",
  "UpdateItem",
] as const satisfies readonly StoreOperation[];

export const CONDITION_OPERATIONS = [
  "DeleteItem",
  "PutItem",
  "Query",
  "Scan",
  "UpdateItem",
] as const satisfies readonly StoreOperation[];

export const READ_OPERATIONS = ["Query", "Scan"] as const satisfies readonly StoreOperation[];
export const WRITE_OPERATIONS = [
  "DeleteItem",
  "PutItem",
  "UpdateItem",
] as const satisfies readonly StoreOperation[];

export const INVALID = "One or more parameter values were invalid: ";
export const NOT_VALID = "One or more parameter values are not valid. ";

/** The message for a member that breaks a constraint of the service's model. */
export const constraint = (value: string, member: string, demanded: string): string =>
  `1 validation error detected: Value ${value} at '${member}' failed to satisfy constraint: ${demanded}`;

/** Pages of DynamoDB's documentation, as the sources of rules name them. */
export const pageOf = {
  /** A page of the API reference, and a member of its request. */
  api: (page: string) => `API: ${page}`,
  /** A page of the developer guide. */
  guide: (page: string) => `Guide: ${page}`,
};
