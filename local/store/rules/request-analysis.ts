import { isMembers, type Members } from "../../../lib/json-value.ts";
import { ownMember } from "../../../lib/own-member.ts";
import { firstFault } from "../first-fault.ts";
import { isGiven, listOf, membersOf } from "../members.ts";
import type { IndexShape, KeyShape, TableShape, TableShapes } from "../table-shape.ts";
import { attributesFault, type ValueFault, valueFault } from "../value/value-fault.ts";
import type { StoreInput, StoreOperation } from "../wire.ts";
import { REQUESTS } from "./api-types.ts";
import {
  EXPRESSION_PARAMETERS,
  type ExpressionParameter,
  ExpressionScope,
  writtenValues,
} from "./expression-scope.ts";
import { joined, type KeyCondition, keyConditionOf } from "./key-condition.ts";
import { membersFault, type TypeFault } from "./type-fault.ts";

/** A request that is to be held to the rules. */
export interface RuledRequest {
  readonly operation: StoreOperation;
  readonly input: StoreInput;
  readonly tables: TableShapes;
}

/** A key or an item that a request names, and its table's shape. */
export interface Placed {
  readonly table: TableShape | undefined;
  readonly attributes: Members;
}

/** The expressions that each operation takes. */
const EXPRESSIONS: Partial<Record<StoreOperation, readonly ExpressionParameter[]>> = {
  BatchGetItem: ["ProjectionExpression"],
  DeleteItem: ["ConditionExpression"],
  GetItem: ["ProjectionExpression"],
  PutItem: ["ConditionExpression"],
  Query: EXPRESSION_PARAMETERS.slice(2),
  Scan: EXPRESSION_PARAMETERS.slice(3),
  UpdateItem: EXPRESSION_PARAMETERS.slice(0, 2),
};

/** The parts of a request that the rules check. Each part is computed once, when the first rule asks for it. */
export class RequestAnalysis implements RuledRequest {
  readonly operation: StoreOperation;
  readonly input: StoreInput;
  readonly tables: TableShapes;
  readonly #known = new Map<string, unknown>();

  constructor({ operation, input, tables }: RuledRequest) {
    this.operation = operation;
    this.input = input;
    this.tables = tables;
  }

  #once<Part>(name: string, make: () => Part): Part {
    if (!this.#known.has(name)) this.#known.set(name, make());
    return this.#known.get(name) as Part;
  }

  /** The fault of the request's first member of a wrong type; undefined when all types are right. */
  get typeFault(): TypeFault | undefined {
    return this.#once("typeFault", () => membersFault(this.input, REQUESTS[this.operation]));
  }

  /** The shape of the one table that the request names; undefined when it names no table, or an unknown one. */
  get table(): TableShape | undefined {
    return this.#once("table", () => this.#shape(this.input.TableName));
  }

  /** The index that the request reads; undefined when it names no index, or an unknown one. */
  get index(): IndexShape | undefined {
    return this.#once("index", () => {
      const { IndexName: indexName } = this.input;
      return this.table?.indexes.find(({ name }) => name === indexName);
    });
  }

  /** The keys by which a query or a scan reads: those of its index, or of its table. */
  get readKeys(): KeyShape | undefined {
    return isGiven(this.input.IndexName) ? this.index : this.table;
  }

  /** The tables of a batch, each with its part of the request. */
  get batch(): readonly (readonly [name: string, part: unknown])[] {
    return this.#once("batch", () => Object.entries(membersOf(this.input.RequestItems) ?? {}));
  }

  /** Groups of expressions that share names and values. */
  get scopes(): readonly ExpressionScope[] {
    return this.#once("scopes", () => {
      const parameters = EXPRESSIONS[this.operation] ?? [];
      if (this.operation !== "BatchGetItem") return [new ExpressionScope(this.input, this.table, parameters)];
      return this.batch.flatMap(([name, part]) => {
        const members = membersOf(part);
        return members === undefined ? [] : [new ExpressionScope(members, this.#shape(name), parameters)];
      });
    });
  }

  /** The expressions of a request to one table. */
  get scope(): ExpressionScope {
    return this.scopes[0] ?? new ExpressionScope({}, undefined, []);
  }

  /** The conditions in a query's `KeyConditionExpression`; undefined when it is missing, or has another form. */
  get keyConditions(): readonly KeyCondition[] | undefined {
    return this.#once("keyConditions", () => {
      const tree = this.scope.tree("KeyConditionExpression");
      if (tree?.kind !== "condition") return undefined;
      const conditions = joined(tree.root).map((node) => keyConditionOf(node, this.scope));
      return conditions.includes(undefined) ? undefined : (conditions as KeyCondition[]);
    });
  }

  /** The keys of the items that are read, changed or deleted. */
  get keys(): readonly Placed[] {
    return this.#once("keys", () => {
      if (this.operation === "BatchGetItem") return this.#placed((part) => listOf(membersOf(part)?.Keys));
      if (this.operation === "BatchWriteItem")
        return this.#placed((part) => writes(part, "DeleteRequest", "Key"));
      return placed(this.table, this.input.Key);
    });
  }

  /** The items that are put. */
  get items(): readonly Placed[] {
    return this.#once("items", () => {
      if (this.operation === "BatchWriteItem")
        return this.#placed((part) => writes(part, "PutRequest", "Item"));
      return this.operation === "PutItem" ? placed(this.table, this.input.Item) : [];
    });
  }

  /** The first fault of a value of the request. The message says where the value is. */
  get valueFault(): ValueFault | undefined {
    return this.#once(
      "valueFault",
      () => this.#attributeFault() ?? this.#startKeyFault() ?? this.#operandFault() ?? this.#writtenFault(),
    );
  }

  #attributeFault(): ValueFault | undefined {
    return firstFault([...this.items, ...this.keys], ({ attributes }) => attributesFault(attributes));
  }

  #startKeyFault(): ValueFault | undefined {
    const values = Object.values(membersOf(this.input.ExclusiveStartKey) ?? {});
    const fault = firstFault(values, (value) => valueFault(value));
    if (fault === undefined || UNPLACED.has(fault.kind)) return fault;
    return { ...fault, message: `The provided starting key is invalid: ${fault.message}` };
  }

  #operandFault(): ValueFault | undefined {
    return firstFault(Object.entries(this.scope.values ?? {}), ([placeholder, value]) => {
      const fault = valueFault(value);
      if (fault === undefined || UNPLACED_OPERANDS.has(fault.kind)) return fault;
      const message = `ExpressionAttributeValues contains invalid value: ${fault.message} for key ${placeholder}`;
      return { ...fault, message };
    });
  }

  /** The first fault of a value that an update puts at a path. Each step of the path is a level. */
  #writtenFault(): ValueFault | undefined {
    return firstFault(writtenValues(this.scope), ({ path, value }) => valueFault(value, path.steps.length));
  }

  #placed(read: (part: unknown) => readonly unknown[]): readonly Placed[] {
    return this.batch.flatMap(([name, part]) => {
      const table = this.#shape(name);
      return read(part).flatMap((each) => placed(table, each));
    });
  }

  #shape(tableName: unknown): TableShape | undefined {
    return typeof tableName === "string" ? this.tables(tableName) : undefined;
  }
}

/** Attributes with their table's shape; none where they are not the members of an object. */
const placed = (table: TableShape | undefined, given: unknown): readonly Placed[] =>
  isMembers(given) ? [{ table, attributes: given }] : [];

/** Faults of a value of an expression for which DynamoDB's message does not say where the value is. */
const UNPLACED_OPERANDS: ReadonlySet<string> = new Set(["base64", "name-length", "nesting"]);

/** Faults of a start key for which DynamoDB's message does not say where the value is. */
const UNPLACED: ReadonlySet<string> = new Set([
  "base64",
  "name-length",
  "nesting",
  "number",
  "number-digits",
  "number-range",
  "repeating-set",
]);

const writes = (part: unknown, request: string, member: string): readonly unknown[] =>
  listOf(part).map((write) => ownMember(membersOf(ownMember(membersOf(write), request)), member));
