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
  /** The attributes that the index holds, its own keys and the table's included; `"all"` for all attributes. */
  readonly projects: "all" | ReadonlySet<string>;
  readonly projectionType: "ALL" | "KEYS_ONLY" | "INCLUDE";
}

/** The keys and indexes of a table. */
export interface TableShape extends KeyShape {
  readonly name: string;
  readonly indexes: readonly IndexShape[];
}

/** The shape of a table by its name; undefined when the store has no table of that name. */
export type TableShapes = (tableName: string) => TableShape | undefined;

/** The key attributes of a table or an index, the partition key first. */
export const keyAttributes = ({ partition, sort }: KeyShape): readonly KeyAttribute[] =>
  sort === undefined ? [partition] : [partition, sort];

interface DescribedKey {
  readonly AttributeName: string;
  readonly KeyType: "HASH" | "RANGE";
}

/** The members of a `DescribeTable` answer that give the table's shape. */
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
