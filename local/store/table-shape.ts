export type KeyKind = "S" | "N" | "B";

/** One key attribute of a table or an index. */
export interface KeyAttribute {
  readonly name: string;
  readonly type: KeyKind;
}

export interface KeyShape {
  readonly partition: KeyAttribute;
  readonly sort: KeyAttribute | undefined;
}

export interface IndexShape extends KeyShape {
  readonly name: string;
  /** Every attribute that the index holds, its own keys and the table's among them; all of them when `"all"`. */
  readonly projects: "all" | ReadonlySet<string>;
  readonly projectionType: "ALL" | "KEYS_ONLY" | "INCLUDE";
}

/** What a table's keys and indexes are, as the store describes them. */
export interface TableShape extends KeyShape {
  readonly name: string;
  readonly indexes: readonly IndexShape[];
}

/** The shape of a table by its name; undefined when the store has none of that name. */
export type TableShapes = (tableName: string) => TableShape | undefined;

/** The key attributes of a table or an index, its partition's first. */
export const keyAttributes = ({ partition, sort }: KeyShape): readonly KeyAttribute[] =>
  sort === undefined ? [partition] : [partition, sort];

interface DescribedKey {
  readonly AttributeName: string;
  readonly KeyType: "HASH" | "RANGE";
}

/** What `DescribeTable` says of a table, as far as its shape is concerned. */
export interface DescribedTable {
  readonly TableName: string;
  readonly KeySchema: readonly DescribedKey[];
  readonly AttributeDefinitions: readonly {
    readonly AttributeName: string;
    readonly AttributeType: KeyKind;
  }[];
  readonly GlobalSecondaryIndexes?: readonly {
    readonly IndexName: string;
    readonly KeySchema: readonly DescribedKey[];
    readonly Projection: {
      readonly ProjectionType: IndexShape["projectionType"];
      readonly NonKeyAttributes?: readonly string[];
    };
  }[];
}

/** Reads a table's description. */
export function tableShapeOf(described: DescribedTable): TableShape {
  const types = new Map(
    described.AttributeDefinitions.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]),
  );
  const keysOf = (schema: readonly DescribedKey[]): KeyShape => {
    const attribute = (role: DescribedKey["KeyType"]): KeyAttribute | undefined => {
      const name = schema.find(({ KeyType }) => KeyType === role)?.AttributeName;
      return name === undefined ? undefined : { name, type: types.get(name) as KeyKind };
    };
    return { partition: attribute("HASH") as KeyAttribute, sort: attribute("RANGE") };
  };
  const table = keysOf(described.KeySchema);
  const indexes = (described.GlobalSecondaryIndexes ?? []).map(({ IndexName, KeySchema, Projection }) => {
    const keys = keysOf(KeySchema);
    const named = [...keyAttributes(table), ...keyAttributes(keys)].map(({ name }) => name);
    const { ProjectionType: projectionType, NonKeyAttributes = [] } = Projection;
    const projects = projectionType === "ALL" ? ("all" as const) : new Set([...named, ...NonKeyAttributes]);
    return { ...keys, name: IndexName, projects, projectionType };
  });
  return { ...table, name: described.TableName, indexes };
}
