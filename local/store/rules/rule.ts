import type { StoreOperation } from "../wire.ts";
import type { RequestAnalysis } from "./request-analysis.ts";

/** The engines that stand in for DynamoDB: dynalite is embedded, dynoxide is a program of its own. */
export type EngineKind = "dynalite" | "dynoxide";

/** One of DynamoDB's rules for requests. */
export interface Rule {
  /** In kebab-case. */
  readonly name: string;
  /** DynamoDB's demand, as one sentence. */
  readonly demands: string;
  /** Where the demand is documented. */
  readonly source: string;
  readonly operations: readonly StoreOperation[];
  /** The exception's name; `ValidationException` unless given. */
  readonly code?: string;
  /** Engines that refuse a breach by themselves, in any words. A test tries each. */
  readonly keptBy: readonly EngineKind[];
  /** Engines that a breach may end or make fail, or that may never answer it; none unless given. */
  readonly endedBy?: readonly EngineKind[];
  /** The message of the refusal; undefined for a request that keeps the rule. */
  readonly check: (request: RequestAnalysis) => string | undefined;
}

export const BOTH: readonly EngineKind[] = ["dynalite", "dynoxide"];
export const DYNALITE: readonly EngineKind[] = ["dynalite"];
export const DYNOXIDE: readonly EngineKind[] = ["dynoxide"];
export const NEITHER: readonly EngineKind[] = [];

export const READ_OPERATIONS = ["Query", "Scan"] as const satisfies readonly StoreOperation[];
export const WRITE_OPERATIONS = [
  "DeleteItem",
  "PutItem",
  "UpdateItem",
] as const satisfies readonly StoreOperation[];
export const CONDITION_OPERATIONS = [...WRITE_OPERATIONS, ...READ_OPERATIONS] as const;
/** Operations that take expressions. */
export const EXPRESSION_OPERATIONS = ["BatchGetItem", "GetItem", ...CONDITION_OPERATIONS] as const;
/** Operations that read or write items. */
export const ITEM_OPERATIONS = ["BatchWriteItem", ...EXPRESSION_OPERATIONS] as const;

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

/**
 * Makes rules of a table by their names. A rule has the shared terms unless it has its own, and both engines keep it
 * unless it says otherwise.
 */
export const rulesWith =
  <Shared extends Partial<Rule>>(shared: Shared) =>
  (
    table: Readonly<Record<string, Omit<Rule, "name" | "keptBy" | keyof Shared> & Partial<Rule>>>,
  ): readonly Rule[] =>
    Object.entries(table).map(
      ([name, terms]) => ({ keptBy: BOTH, ...shared, ...terms, name }) as unknown as Rule,
    );
