import {
  type KeySchema,
  physicalTableName,
  type TableName,
  type TableSchema,
  tables,
} from "../../lib/dynamo/tables.ts";
import type { TableDefinition } from "../../local/store/tables.ts";
import { LOCAL_STAGE } from "../../local/template/local-stage.ts";

const partsOf = ({ partition, sort }: KeySchema) => (sort === undefined ? [partition] : [partition, sort]);

const keysOf = (schema: KeySchema): TableDefinition["keySchema"] =>
  partsOf(schema).map(({ name }, at) => ({ AttributeName: name, KeyType: at === 0 ? "HASH" : "RANGE" }));

/**
 * The definition of every table of a stage, to be created in a local engine. The gateway creates those of the local stage,
 * which is meant unless another is named, from the template.
 */
export function stageTables(stage: string = LOCAL_STAGE): TableDefinition[] {
  return (Object.keys(tables) as TableName[]).map((table) => {
    const schema: TableSchema = tables[table];
    const attributes = new Map(
      [schema, ...schema.indexes].flatMap(partsOf).map(({ name, type }) => [name, type]),
    );
    return {
      name: physicalTableName(stage, table),
      keySchema: keysOf(schema),
      attributes: Array.from(attributes, ([AttributeName, AttributeType]) => ({
        AttributeName,
        AttributeType,
      })),
      indexes: schema.indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: keysOf(index),
        Projection: { ProjectionType: index.projection === "all" ? "ALL" : "KEYS_ONLY" },
      })),
      expiresAt: schema.expiresAt,
    };
  });
}
