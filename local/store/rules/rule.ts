import type { EngineKind } from "../engine-kind.ts";
import type { StoreOperation } from "../wire.ts";
import type { RequestAnalysis } from "./request-analysis.ts";

/** One of DynamoDB's rules for requests. */
export interface Rule {
  /** Its name in `docs/fidelity.md`, in kebab-case. */
  readonly name: string;
  /** What DynamoDB demands, as one sentence. */
  readonly demands: string;
  /** Where that is documented. */
  readonly source: string;
  readonly operations: readonly StoreOperation[];
  /** The exception's name; `ValidationException` unless given. */
  readonly code?: string;
  /** Engines that refuse such requests by themselves, whatever their words are. A test tries each. */
  readonly keptBy: readonly EngineKind[];
  /** Engines that such requests may end, or that never answer them; none unless given. */
  readonly endedBy?: readonly EngineKind[];
  /** The message of the refusal; undefined for a request that keeps the rule. */
  readonly check: (request: RequestAnalysis) => string | undefined;
}

/** The first fault that any of several things has. */
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
