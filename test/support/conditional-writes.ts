import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { type Item, keyOf } from "../../lib/dynamo/item.ts";

/** The parts that puts and updates have in common. */
type Write = Pick<
  UpdateItemCommand["input"],
  "ConditionExpression" | "ExpressionAttributeNames" | "ExpressionAttributeValues" | "ReturnValues"
>;

/**
 * A table that knows only conditional writes and reads by key, and answers them as DynamoDB does. It is fast enough for
 * hundreds of thousands of histories. Another test holds its answers to those of the engines.
 */
export class ConditionalWrites {
  readonly #keyNames: readonly string[];
  readonly #items = new Map<string, Item>();
  /** The number of writes so far. */
  asked = 0;
  /** Awaited before and after each write takes effect, so that writers interleave. */
  pause: (() => Promise<void>) | undefined;

  constructor(...keyNames: readonly string[]) {
    this.#keyNames = keyNames;
  }

  /** The client that registers write through. */
  get client(): DynamoDBClient {
    const send = async (command: unknown) => {
      await this.pause?.();
      const answer = this.#answer(command);
      await this.pause?.();
      if (answer instanceof Error) throw answer;
      return answer;
    };
    return { send } as unknown as DynamoDBClient;
  }

  /** Every item, in the order in which their keys were first written. */
  get items(): readonly Item[] {
    return [...this.#items.values()];
  }

  clear(): void {
    this.#items.clear();
  }

  #answer(command: unknown): object {
    if (command instanceof PutItemCommand) {
      const { Item = {} } = command.input;
      return this.#write(command.input, keyOf(Item, this.#keyNames), () => Item);
    }
    if (command instanceof UpdateItemCommand) {
      const { Key = {} } = command.input;
      return this.#write(command.input, Key, (before) => updated({ ...Key, ...before }, command.input));
    }
    if (!(command instanceof GetItemCommand)) throw new Error("This table does not know the command.");
    const found = this.#items.get(JSON.stringify(command.input.Key));
    return { ConsumedCapacity: {}, ...(found !== undefined && { Item: found }) };
  }

  #write(write: Write, key: Item, after: (before: Item) => Item): object {
    this.asked += 1;
    const place = JSON.stringify(key);
    const before = this.#items.get(place);
    if (!holds(write, before ?? {})) return failedBy(before);
    this.#items.set(place, after(before ?? {}));
    const isAsked = write.ReturnValues === "ALL_OLD" && before !== undefined;
    return { ConsumedCapacity: {}, ...(isAsked && { Attributes: before }) };
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

/** The item after an update that sets some attributes, and may remove others. Its attributes are in one order. */
function updated(before: Item, { UpdateExpression = "", ...references }: UpdateItemCommand["input"]): Item {
  const after = { ...before };
  for (const [, alias = "", value = ""] of UpdateExpression.matchAll(/(#\w+) = (:\w+)/g))
    after[nameOf(alias, references)] = references.ExpressionAttributeValues?.[value] ?? { NULL: true };
  for (const alias of /REMOVE (.*)$/.exec(UpdateExpression)?.[1]?.split(", ") ?? [])
    delete after[nameOf(alias, references)];
  return Object.fromEntries(Object.entries(after).sort(([one], [other]) => (one < other ? -1 : 1)));
}

const nameOf = (alias: string, { ExpressionAttributeNames }: Write): string =>
  ExpressionAttributeNames?.[alias] ?? "";

const CLAUSE = /attribute_(?:not_)?exists\(#\w+\)|#\w+ [=<] :\w+/g;

/** Whether an item meets a write's condition: clauses joined by AND and OR, with parentheses. */
function holds({ ConditionExpression = "", ...references }: Write, item: Item): boolean {
  let text = ConditionExpression.replaceAll(CLAUSE, (clause) =>
    String(clauseHolds(clause, references, item)),
  );
  while (text.includes("("))
    text = text.replaceAll(/\(([^()]*)\)/g, (_, inner: string) => String(areTrue(inner)));
  return areTrue(text);
}

/** Whether words `true` and `false`, joined by AND and OR, are true together. */
const areTrue = (text: string): boolean =>
  text.split(" OR ").some((group) => group.split(" AND ").every((word) => word === "true"));

function clauseHolds(clause: string, references: Write, item: Item): boolean {
  const [, exists, alone = ""] = /^attribute_(not_exists|exists)\((#\w+)\)$/.exec(clause) ?? [];
  if (exists !== undefined)
    return (item[nameOf(alone, references)] === undefined) === (exists === "not_exists");
  const [, left = "", operator, right = ""] = /^(#\w+) ([=<]) (:\w+)$/.exec(clause) ?? [];
  const [is, asked] = [item[nameOf(left, references)], references.ExpressionAttributeValues?.[right]];
  if (asked?.N !== undefined)
    return (
      is?.N !== undefined &&
      (operator === "=" ? Number(is.N) === Number(asked.N) : Number(is.N) < Number(asked.N))
    );
  if (operator === undefined || asked?.S === undefined)
    throw new Error(`The clause ${clause} is not known here.`);
  if (is?.S === undefined) return false;
  return operator === "=" ? is.S === asked.S : Buffer.compare(Buffer.from(is.S), Buffer.from(asked.S)) < 0;
}
