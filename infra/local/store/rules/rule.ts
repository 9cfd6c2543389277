import type { EngineKind } from "../engine-kind.ts";
import type { TableShapes } from "../table-shape.ts";
import type { StoreInput, StoreOperation } from "../wire.ts";

/** A request as a rule looks at it. */
export interface RuledRequest {
  readonly operation: StoreOperation;
  readonly input: StoreInput;
  readonly tables: TableShapes;
}

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
  /** The message of the refusal; undefined for a request that keeps the rule. */
  readonly check: (request: RuledRequest) => string | undefined;
}
