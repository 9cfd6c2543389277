import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
} from "@aws-sdk/client-dynamodb";
import type { Item } from "../../lib/dynamo/item.ts";

type PutInput = PutItemCommand["input"];

/**
 * A table that knows only conditional puts, and answers them as DynamoDB does. It is fast enough for hundreds of
 * thousands of histories. Another test holds its answers to those of the engines.
 */
export class ConditionalPuts {
  readonly #keyNames: readonly string[];
  readonly #items = new Map<string, Item>();
  /** The number of puts so far. */
  asked = 0;
  /** Awaited before and after each put takes effect, so that writers interleave. */
  pause: (() => Promise<void>) | undefined;

  constructor(...keyNames: readonly string[]) {
    this.#keyNames = keyNames;
  }

  /** The client that registers write through. */
  get client(): DynamoDBClient {
    const send = async (command: unknown) => {
      if (!(command instanceof PutItemCommand)) throw new Error("This table knows conditional puts only.");
      await this.pause?.();
      const answer = this.#put(command.input);
      await this.pause?.();
      if (answer instanceof Error) throw answer;
      return answer;
    };
    return { send } as unknown as DynamoDBClient;
  }

  /** Every item, in the order in which their keys were first put. */
  get items(): readonly Item[] {
    return [...this.#items.values()];
  }

  clear(): void {
    this.#items.clear();
  }

  #put(input: PutInput): object {
    this.asked += 1;
    const item = input.Item ?? {};
    const key = JSON.stringify(this.#keyNames.map((name) => item[name]));
    const before = this.#items.get(key);
    if (!holds(input, before ?? {})) {
      return failedBy(before);
    }
    this.#items.set(key, item);
    return { ConsumedCapacity: {}, ...(before !== undefined && { Attributes: before }) };
  }
}

/** The error of a condition that an item failed. It has no stack, which would take more time than all the rest. */
function failedBy(item: Item | undefined): Error {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const shown = { ...(item !== undefined && { Item: { ...item } }) };
  const error = new ConditionalCheckFailedException({ message: "", $metadata: {}, ...shown });
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}

/**
 * Whether an item meets a put's condition: clauses joined by AND, groups of them by OR, the last one in parentheses.
 */
function holds({ ConditionExpression = "", ...references }: PutInput, item: Item): boolean {
  return ConditionExpression.split(" OR ").some((group) =>
    group
      .replace(/^\((.*)\)$/, "$1")
      .split(" AND ")
      .every((clause) => clauseHolds(clause, references, item)),
  );
}

type References = Pick<PutInput, "ExpressionAttributeNames" | "ExpressionAttributeValues">;

function clauseHolds(clause: string, references: References, item: Item): boolean {
  const absent = /^attribute_not_exists\((#\w+)\)$/.exec(clause)?.[1];
  const [, left = "", operator, right = ""] = /^(#\w+) ([=<]) (:\w+)$/.exec(clause) ?? [];
  const attribute = references.ExpressionAttributeNames?.[absent ?? left] ?? "";
  if (absent !== undefined) return item[attribute] === undefined;
  const [is, asked] = [item[attribute]?.S, references.ExpressionAttributeValues?.[right]?.S];
  if (operator === undefined || asked === undefined)
    throw new Error(`The clause ${clause} is not known here.`);
  if (is === undefined) return false;
  return operator === "=" ? is === asked : Buffer.compare(Buffer.from(is), Buffer.from(asked)) < 0;
}
