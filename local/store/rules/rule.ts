import type { EngineKind } from "../engine-kind.ts";
import type { StoreOperation } from "../wire.ts";
import type { RequestAnalysis } from "./request-analysis.ts";

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
  /** Engines that a breach may end, or that may never answer it; none unless given. */
  readonly endedBy?: readonly EngineKind[];
  /** The message of the refusal; undefined for a request that keeps the rule. */
  readonly check: (request: RequestAnalysis) => string | undefined;
}

/** The first fault of several things; undefined when none has a fault. */
export function firstFault<Thing>(
  things: Iterable<Thing>,
  fault: (thing: Thing) => string | undefined,
): string | undefined {
  for (const thing of things) {
    const message = fault(thing);
    if (message !== undefined) return message;
  }
  return undefined;
}
