import { isDeepStrictEqual } from "node:util";
import type { WireItem, WireValue } from "../../local/store/behaviour/touched-items.ts";
import {
  exceptionOf,
  type StoreHandler,
  type StoreInput,
  type StoreOperation,
} from "../../local/store/wire.ts";
import { ask, makeTable, sortedTable } from "./store-handler.ts";

type SortType = "S" | "N" | "B";

const attribute = (AttributeName: string, AttributeType: string) => ({ AttributeName, AttributeType });
const index = (IndexName: string, Projection: object) => ({
  IndexName,
  KeySchema: [
    { AttributeName: "colour", KeyType: "HASH" },
    { AttributeName: "rank", KeyType: "RANGE" },
  ],
  Projection,
});

/**
 * A store, with short forms of the probes' requests. Each probe has tables of its own, one for each type of sort key.
 */
class Probed {
  readonly store: StoreHandler;
  readonly #tableNames: string;

  constructor(store: StoreHandler, tableNames: string) {
    this.store = store;
    this.#tableNames = tableNames;
  }

  table(type: SortType = "S"): string {
    return `${this.#tableNames}-${type}`;
  }

  /** Creates the tables. Those whose sort keys are texts have indexes. */
  async begin(): Promise<void> {
    const indexKeys = [attribute("colour", "S"), attribute("rank", "N")];
    for (const type of ["S", "N", "B"] as const)
      await makeTable(this.store, {
        ...sortedTable(this.table(type)),
        AttributeDefinitions: [
          attribute("pk", "S"),
          attribute("sk", type),
          ...(type === "S" ? indexKeys : []),
        ],
        ...(type === "S" && {
          GlobalSecondaryIndexes: [
            index("keys", { ProjectionType: "KEYS_ONLY" }),
            index("some", { ProjectionType: "INCLUDE", NonKeyAttributes: ["note"] }),
          ],
        }),
      });
  }

  ask(operation: StoreOperation, input: StoreInput) {
    return ask(this.store, operation, { TableName: this.table(), ...input });
  }

  key(sk: string, type: SortType = "S") {
    return { pk: { S: "p" }, sk: { [type]: sk } };
  }

  async put(sk: string, more: WireItem = {}, input: StoreInput = {}) {
    return this.ask("PutItem", { Item: { ...this.key(sk), ...more }, ...input });
  }

  async get(sk: string): Promise<WireItem | undefined> {
    const { Item } = await this.ask("GetItem", { Key: this.key(sk), ConsistentRead: true });
    return Item as WireItem | undefined;
  }

  /** A query of all items; `and` is a condition for the sort key, with the values `:a` and `:b`. */
  query(input: StoreInput & { and?: string; values?: WireItem } = {}) {
    const { and, values, ...rest } = input;
    return this.ask("Query", {
      KeyConditionExpression: `pk = :p${and === undefined ? "" : ` AND ${and}`}`,
      ExpressionAttributeValues: { ":p": { S: "p" }, ...values },
      ...rest,
    });
  }

  /** Puts items with these sort keys, and resolves with the order in which a query lists them. */
  async ordered(type: SortType, sorts: readonly string[]): Promise<readonly string[]> {
    const TableName = this.table(type);
    for (const sk of sorts.toSorted()) await this.ask("PutItem", { TableName, Item: this.key(sk, type) });
    return sortsOf(await this.query({ TableName }), type);
  }

  update(sk: string, UpdateExpression: string, values?: WireItem, ReturnValues = "ALL_NEW") {
    return this.ask("UpdateItem", {
      Key: this.key(sk),
      UpdateExpression,
      ReturnValues,
      ...(values !== undefined && { ExpressionAttributeValues: values }),
    });
  }

  /** Whether a condition holds for an item. @throws whatever else the store answers. */
  async holds(sk: string, ConditionExpression: string, values: WireItem = {}): Promise<boolean> {
    const input = {
      Key: this.key(sk),
      UpdateExpression: "SET touched = :true",
      ConditionExpression,
      ExpressionAttributeValues: { ":true": { BOOL: true }, ...values },
    };
    const exception = await this.exception("UpdateItem", input);
    if (exception !== undefined && exception !== "ConditionalCheckFailedException")
      throw new Error(exception);
    return exception === undefined;
  }

  async exception(operation: StoreOperation, input: StoreInput): Promise<string | undefined> {
    return exceptionOf(await this.store({ operation, input: { TableName: this.table(), ...input } }));
  }

  /** The sort keys of all pages of a query or a scan. */
  async pages(operation: "Query" | "Scan", input: StoreInput): Promise<readonly string[]> {
    const found: string[] = [];
    let ExclusiveStartKey: unknown;
    do {
      const page = await this.ask(operation, {
        ...input,
        ...(ExclusiveStartKey !== undefined && { ExclusiveStartKey }),
      });
      found.push(...sortsOf(page));
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey !== undefined);
    return found;
  }
}

type Answer = Readonly<Record<string, unknown>>;

const sortsOf = ({ Items }: Answer, type: SortType = "S"): readonly string[] =>
  (Items as WireItem[]).map(({ sk }) => String(sk?.[type]));
const unitsOf = ({ ConsumedCapacity }: Answer): number =>
  (ConsumedCapacity as { CapacityUnits: number }).CapacityUnits;
const same = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one, other);
const count = <Each>(length: number, make: (at: number) => Each): Each[] =>
  Array.from({ length }, (_, at) => make(at));
const hex = (...texts: string[]): string[] =>
  texts.map((text) => Buffer.from(text, "hex").toString("base64"));

const N = (n: number | string): WireValue => ({ N: String(n) });
const S = (text: string): WireValue => ({ S: text });
const TOTAL = { ReturnConsumedCapacity: "TOTAL" };
const RED = { KeyConditionExpression: "colour = :red", ExpressionAttributeValues: { ":red": S("red") } };

/** Probes by the name of the behaviour: true when a store behaves like DynamoDB. */
const probes: Readonly<Record<string, (probed: Probed) => Promise<boolean>>> = {
  "index-lag": async (probed) => {
    await Promise.all(count(20, (at) => probed.put(String(at), { colour: S("red"), rank: N(at) })));
    const { Count } = await probed.ask("Query", { IndexName: "keys", ...RED });
    return Count !== 20;
  },
  "eventual-reads": async (probed) => {
    await Promise.all(count(20, (at) => probed.put(String(at))));
    return (await probed.query()).Count !== 20;
  },
  "partition-throttling": async (probed) => {
    const Item = { ...probed.key("a"), note: S("x".repeat(390_000)) };
    const puts = await Promise.all(count(8, () => probed.exception("PutItem", { Item })));
    return puts.includes("ThrottlingException");
  },
  expiry: async (probed) => {
    await probed.put("a", { expires: N(1) });
    return (await probed.get("a")) === undefined;
  },
  "lost-answers": async (probed) => {
    const puts = await Promise.allSettled(count(50, (at) => probed.put(String(at))));
    return puts.some(({ status }) => status === "rejected");
  },
  "failed-condition-item": async (probed) => {
    await probed.put("a");
    const input = {
      TableName: probed.table(),
      Key: probed.key("a"),
      ConditionExpression: "attribute_not_exists(pk)",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    };
    const { body } = await probed.store({ operation: "DeleteItem", input });
    return same(body.Item, probed.key("a"));
  },
  "sum-digits": async (probed) => {
    await probed.put("a", { amount: N("0.1") });
    const add = (amount: string) =>
      probed.exception("UpdateItem", {
        Key: probed.key("a"),
        UpdateExpression: "SET amount = amount + :a",
        ExpressionAttributeValues: { ":a": N(amount) },
      });
    return (await add("1E36")) === undefined && (await add("1E37")) === "ValidationException";
  },
  "strong-reads": async (probed) => {
    const reads = count(50, async (at) => {
      await probed.put(String(at), { at: N(at) });
      return probed.get(String(at));
    });
    return (await Promise.all(reads)).every((item, at) => item?.at?.N === String(at));
  },
  "numbers-trimmed": async (probed) => {
    const spelled = ["1.0", "-0", "1E2", "007", "0.000001", "1.50e-3", "-1.10"];
    await probed.put("a", { numbers: { L: spelled.map(N) } });
    const plain = ["1", "0", "100", "7", "0.000001", "0.0015", "-1.1"];
    return same((await probed.get("a"))?.numbers, { L: plain.map(N) });
  },
  "number-keys": async (probed) => {
    const put = { TableName: probed.table("N"), Item: { ...probed.key("1.0", "N"), note: S("x") } };
    await probed.ask("PutItem", put);
    const { Item } = await probed.ask("GetItem", { TableName: probed.table("N"), Key: probed.key("1", "N") });
    return (Item as WireItem | undefined)?.note?.S === "x";
  },
  "number-order": async (probed) => {
    const sorted = ["-100000000000000000000", "-10", "-2", "-1.5", "0", "0.001", "1", "2", "10"];
    const exact = [...sorted, "9007199254740992", "9007199254740993"];
    return same(await probed.ordered("N", exact), exact);
  },
  "binary-order": async (probed) => {
    const sorted = hex("00", "0000", "00ff", "01", "7f", "80", "ff", "ff00");
    return same(await probed.ordered("B", sorted), sorted);
  },
  "text-order": async (probed) => {
    const sorted = [" ", "A", "a", "a/", "aa", "a~", "b", "~", "é", "\uffff", "\u{10000}"];
    return same(await probed.ordered("S", sorted), sorted);
  },
  "binary-ranges": async (probed) => {
    await probed.ordered("B", hex("00", "0000", "00ff", "01", "7f", "80", "ff", "ff00"));
    const select = async (and: string, from: string, to?: string) => {
      const [a = "", b] = hex(from, ...(to === undefined ? [] : [to]));
      const values = { ":a": { B: a }, ...(b !== undefined && { ":b": { B: b } }) };
      return sortsOf(await probed.query({ TableName: probed.table("B"), and, values }), "B");
    };
    return (
      same(await select("sk BETWEEN :a AND :b", "00ff", "80"), hex("00ff", "01", "7f", "80")) &&
      same(await select("begins_with(sk, :a)", "ff"), hex("ff", "ff00")) &&
      same(await select("sk < :a", "0000"), hex("00")) &&
      same(await select("sk >= :a", "80"), hex("80", "ff", "ff00"))
    );
  },
  "index-sparse": async (probed) => {
    await probed.put("a", { colour: S("red") });
    await probed.put("b", { colour: S("red"), rank: N(1) });
    return same(sortsOf(await probed.ask("Query", { IndexName: "keys", ...RED })), ["b"]);
  },
  "index-projection": async (probed) => {
    const item = { colour: S("red"), rank: N(1), note: S("x"), other: S("y") };
    await probed.put("a", item);
    const { other: _, note, ...keys } = { ...probed.key("a"), ...item };
    const [all, some] = await Promise.all(
      ["keys", "some"].map((IndexName) => probed.ask("Query", { IndexName, ...RED })),
    );
    return same(all?.Items, [keys]) && same(some?.Items, [{ ...keys, note }]);
  },
  "index-pages": async (probed) => {
    await Promise.all(count(7, (at) => probed.put(String(at), { colour: S("red"), rank: N(1) })));
    const query = { IndexName: "keys", ...RED, Limit: 2 };
    const ways = await Promise.all([
      probed.pages("Query", query),
      probed.pages("Query", { ...query, ScanIndexForward: false }),
    ]);
    return ways.every((found) => found.length === 7 && new Set(found).size === 7);
  },
  "page-size": async (probed) => {
    await Promise.all(count(30, (at) => probed.put(String(at), { note: S("x".repeat(50_000)) })));
    const filter = { FilterExpression: "note = :a", values: { ":a": S("y") } };
    const pages = await Promise.all(
      [{}, { ProjectionExpression: "sk" }, filter].map((more) => probed.query(more)),
    );
    return pages.every(
      ({ ScannedCount, LastEvaluatedKey }) =>
        [20, 21].includes(Number(ScannedCount)) && LastEvaluatedKey !== undefined,
    );
  },
  "limit-before-filter": async (probed) => {
    await Promise.all(count(5, (at) => probed.put(String(at), { odd: { BOOL: at % 2 === 1 } })));
    const page = await probed.query({
      Limit: 3,
      FilterExpression: "odd = :a",
      values: { ":a": { BOOL: true } },
    });
    return page.Count === 1 && page.ScannedCount === 3 && same(page.LastEvaluatedKey, probed.key("2"));
  },
  "limit-met": async (probed) => {
    await Promise.all(count(3, (at) => probed.put(String(at))));
    const [met, over] = await Promise.all([probed.query({ Limit: 3 }), probed.query({ Limit: 4 })]);
    return same(met?.LastEvaluatedKey, probed.key("2")) && over?.LastEvaluatedKey === undefined;
  },
  "start-after-deleted": async (probed) => {
    await Promise.all(count(3, (at) => probed.put(String(at))));
    await probed.ask("DeleteItem", { Key: probed.key("1") });
    return same(sortsOf(await probed.query({ ExclusiveStartKey: probed.key("1") })), ["2"]);
  },
  segments: async (probed) => {
    await Promise.all(count(40, (at) => probed.put(String(at))));
    const segments = await Promise.all(
      count(3, (Segment) => probed.pages("Scan", { Segment, TotalSegments: 3 })),
    );
    return same(segments.flat().toSorted(), (await probed.pages("Scan", {})).toSorted());
  },
  "update-sees-before": async (probed) => {
    await probed.put("a", { one: N(1), two: N(2) });
    const { Attributes } = await probed.update("a", "SET one = two, two = one");
    return same(Attributes, { ...probed.key("a"), one: N(2), two: N(1) });
  },
  "update-creates": async (probed) => {
    await probed.update("a", "SET one = :one", { ":one": N(1) });
    await probed.ask("DeleteItem", { Key: probed.key("b") });
    return same(await probed.get("a"), { ...probed.key("a"), one: N(1) });
  },
  "updated-values": async (probed) => {
    await probed.put("a", { one: N(1), two: N(2) });
    const fresh = await probed.update("a", "SET one = :x, three = :x", { ":x": N(3) }, "UPDATED_NEW");
    const old = await probed.update("a", "SET one = :x, four = :x", { ":x": N(4) }, "UPDATED_OLD");
    return same(fresh.Attributes, { one: N(3), three: N(3) }) && same(old.Attributes, { one: N(3) });
  },
  "old-values": async (probed) => {
    const none = await probed.put("a", {}, { ReturnValues: "ALL_OLD" });
    const some = await probed.ask("DeleteItem", { Key: probed.key("a"), ReturnValues: "ALL_OLD" });
    return none.Attributes === undefined && same(some.Attributes, probed.key("a"));
  },
  sets: async (probed) => {
    await probed.put("a", { words: { SS: ["x", "y"] } });
    const isEqual = await probed.holds("a", "words = :a", { ":a": { SS: ["y", "x"] } });
    const { Attributes } = await probed.update("a", "DELETE words :a", { ":a": { SS: ["x", "y"] } });
    return isEqual && (Attributes as WireItem).words === undefined;
  },
  "empty-values": async (probed) => {
    const empty = { text: S(""), list: { L: [] }, map: { M: {} } };
    await probed.put("a", empty);
    return same(await probed.get("a"), { ...probed.key("a"), ...empty });
  },
  "atomic-updates": async (probed) => {
    await Promise.all(count(50, () => probed.update("a", "ADD seen :one", { ":one": N(1) })));
    return (await probed.get("a"))?.seen?.N === "50";
  },
  "absent-comparison": async (probed) => {
    await probed.put("a");
    const holds = await Promise.all(
      ["=", "<", ">", "<=", ">=", "<>"].map((sign) => probed.holds("a", `absent ${sign} :a`, { ":a": N(1) })),
    );
    return same(holds, [false, false, false, false, false, true]);
  },
  "absent-item-units": async (probed) => {
    const read = (ConsistentRead: boolean) =>
      probed.ask("GetItem", { Key: probed.key("a"), ConsistentRead, ...TOTAL });
    return same([unitsOf(await read(true)), unitsOf(await read(false))], [1, 0.5]);
  },
  "query-units": async (probed) => {
    await Promise.all(["a", "b"].map((sk) => probed.put(sk, { note: S("x".repeat(3_000)) })));
    const units = await Promise.all(
      [
        {},
        { ConsistentRead: true },
        { ProjectionExpression: "sk" },
        { FilterExpression: "note = :a", values: { ":a": S("y") } },
      ].map(async (more) => unitsOf(await probed.query({ ...more, ...TOTAL }))),
    );
    return same(units, [1, 2, 1, 1]);
  },
  "text-comparison": async (probed) => {
    await probed.put("a", { said: S("\uffff") });
    return probed.holds("a", "said < :a", { ":a": S("\u{10000}") });
  },
  "documents-equal": async (probed) => {
    await probed.put("a", { nested: { M: { one: { L: [N(1)] } } } });
    return probed.holds("a", "nested = :a", { ":a": { M: { one: { L: [N("1.0")] } } } });
  },
  "empty-compared": async (probed) => {
    await probed.put("a", { said: S(""), flag: { BOOL: false } });
    const holds = await Promise.all([
      probed.holds("a", "said BETWEEN :a AND :a", { ":a": S("") }),
      probed.holds("a", "said IN (:a) AND flag IN (:b)", { ":a": S(""), ":b": { BOOL: false } }),
      probed.holds("a", "attribute_type(flag, :a)", { ":a": S("BOOL") }),
      probed.holds("a", "size(said) = :a", { ":a": N(0) }),
    ]);
    return holds.every((does) => does);
  },
  "absent-pair": async (probed) => {
    await probed.put("a");
    return !(await probed.holds("a", "gone = lost"));
  },
  "double-negation": async (probed) => {
    await probed.put("a");
    const input = { Item: probed.key("a"), ConditionExpression: "NOT NOT attribute_exists(pk)" };
    return (await probed.exception("PutItem", input)) === undefined;
  },
  "plus-sign": async (probed) => {
    const Item = { ...probed.key("a"), amount: N("+1") };
    return (await probed.exception("PutItem", { Item })) === undefined;
  },
  "proto-attribute": async (probed) => {
    const named = JSON.parse('{"__proto__":{"S":"x"}}') as WireItem;
    await probed.ask("PutItem", { Item: { ...probed.key("a"), ...named } });
    return Object.hasOwn((await probed.get("a")) ?? {}, "__proto__");
  },
  "batch-size": async (probed) => {
    const keys = count(50, (at) => probed.key(String(at)));
    await Promise.all(keys.map(({ sk }) => probed.put(sk.S as string, { note: S("x".repeat(390_000)) })));
    const { Responses } = await ask(probed.store, "BatchGetItem", {
      RequestItems: { [probed.table()]: { Keys: keys } },
    });
    return [42, 43].includes((Responses as Record<string, unknown[]>)[probed.table()]?.length ?? 0);
  },
  "index-write-units": async (probed) => {
    const item = { colour: S("red"), rank: N(1), note: S("x") };
    return unitsOf(await probed.put("a", item, TOTAL)) === 3;
  },
  "projected-read-units": async (probed) => {
    await probed.put("a", { note: S("x".repeat(5_000)) });
    const projected = { Key: probed.key("a"), ConsistentRead: true, ProjectionExpression: "sk" };
    return unitsOf(await probed.ask("GetItem", { ...projected, ...TOTAL })) === 2;
  },
  "foreign-segment": async (probed) => {
    await probed.put("a");
    const exceptions = await Promise.all(
      count(20, (Segment) =>
        probed.exception("Scan", { Segment, TotalSegments: 20, ExclusiveStartKey: probed.key("a") }),
      ),
    );
    return exceptions.filter((exception) => exception === undefined).length === 1;
  },
  "prefix-case": async (probed) => {
    await Promise.all(["abc", "ABC"].map((sk) => probed.put(sk)));
    return same(sortsOf(await probed.query({ and: "begins_with(sk, :a)", values: { ":a": S("a") } })), [
      "abc",
    ]);
  },
  "list-end": async (probed) => {
    await probed.put("a", { elements: { L: [N(1)] } });
    const { Attributes } = await probed.update("a", "SET elements[9] = :a", { ":a": N(2) });
    return same((Attributes as WireItem).elements, { L: [N(1), N(2)] });
  },
  "page-scanned-count": async (probed) => {
    await Promise.all(count(30, (at) => probed.put(String(at + 10), { note: S("x".repeat(50_000)) })));
    const filter = { FilterExpression: "note = :a", values: { ":a": S("y") } };
    const { ScannedCount, LastEvaluatedKey } = await probed.query(filter);
    return Number((LastEvaluatedKey as WireItem | undefined)?.sk?.S) === 9 + Number(ScannedCount);
  },
};

/** The behaviours that have a probe. */
export const probedBehaviours: readonly string[] = Object.keys(probes);

/** Whether a store has a behaviour of DynamoDB's. It creates tables whose names begin with the given one. */
export async function behavesAsNamed(
  name: string,
  store: StoreHandler,
  tableNames: string,
): Promise<boolean> {
  const probe = probes[name];
  if (probe === undefined) throw new Error(`There is no probe for ${name}.`);
  const probed = new Probed(store, tableNames);
  await probed.begin();
  return probe(probed);
}
