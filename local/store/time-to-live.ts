import type { TableShapes } from "./table-shape.ts";
import {
  refusalAnswer,
  type StoreAnswer,
  type StoreHandler,
  type StoreInput,
  type StoreRequest,
} from "./wire.ts";

interface Specification {
  readonly AttributeName: string;
  readonly Enabled: boolean;
}

/**
 * The expiry attribute of each table. The engines do not know UpdateTimeToLive and DescribeTimeToLive, so this layer
 * answers them (API reference). The settings last as long as the store runs.
 */
export class TimeToLive {
  readonly #attributes = new Map<string, string>();
  readonly #tables: TableShapes;

  constructor(tables: TableShapes) {
    this.#tables = tables;
  }

  /** The expiry attribute of a table; undefined when its items do not expire. */
  readonly attributeOf = (tableName: string): string | undefined => this.#attributes.get(tableName);

  /** Answers the two operations, and passes all others to `next`. */
  readonly inFrontOf =
    (next: StoreHandler): StoreHandler =>
    async (request) => {
      if (request.operation === "UpdateTimeToLive") return this.#update(request);
      if (request.operation === "DescribeTimeToLive") return this.#describe(request);
      const answer = await next(request);
      if (request.operation === "DeleteTable") this.#attributes.delete(String(request.input.TableName));
      return answer;
    };

  #update({ input }: StoreRequest): StoreAnswer {
    const name = String(input.TableName);
    const specification = specificationIn(input);
    if (specification === undefined) return invalid(INCOMPLETE);
    const { AttributeName, Enabled } = specification;
    if (this.#tables(name) === undefined) return noSuchTable(name);
    const current = this.#attributes.get(name);
    if ((current !== undefined) === Enabled)
      return invalid(`TimeToLive is already ${Enabled ? "enabled" : "disabled"}`);
    if (current !== undefined && current !== AttributeName)
      return invalid(
        `TimeToLive is active on a different AttributeName: current AttributeName is ${current}`,
      );
    if (Enabled) this.#attributes.set(name, AttributeName);
    else this.#attributes.delete(name);
    return { status: 200, body: { TimeToLiveSpecification: input.TimeToLiveSpecification } };
  }

  #describe({ input }: StoreRequest): StoreAnswer {
    const name = String(input.TableName);
    if (this.#tables(name) === undefined) return noSuchTable(name);
    const AttributeName = this.#attributes.get(name);
    const description =
      AttributeName === undefined
        ? { TimeToLiveStatus: "DISABLED" }
        : { TimeToLiveStatus: "ENABLED", AttributeName };
    return { status: 200, body: { TimeToLiveDescription: description } };
  }
}

const INCOMPLETE =
  "1 validation error detected: Value at 'timeToLiveSpecification' failed to satisfy constraint: Member must have attributeName and enabled";

function specificationIn({ TimeToLiveSpecification: given }: StoreInput): Specification | undefined {
  const { AttributeName, Enabled } = (given ?? {}) as Partial<Record<keyof Specification, unknown>>;
  const isWhole = typeof AttributeName === "string" && AttributeName !== "" && typeof Enabled === "boolean";
  return isWhole ? { AttributeName, Enabled } : undefined;
}

const invalid = (message: string): StoreAnswer => refusalAnswer({ code: "ValidationException", message });

const noSuchTable = (name: string): StoreAnswer =>
  refusalAnswer({
    code: "ResourceNotFoundException",
    message: `Requested resource not found: Table: ${name} not found`,
  });
