import { type DescribedTable, type TableShapes, tableShapeOf } from "../../local/store/table-shape.ts";
import { stageTables } from "../../ops/store/local-tables.ts";

/** The shapes of a stage's tables, as its store would describe them. */
export function stageShapes(stage: string): TableShapes {
  const shapes = new Map(
    stageTables(stage).map(({ name, keySchema, attributes, indexes }) => [
      name,
      tableShapeOf({
        TableName: name,
        KeySchema: keySchema,
        AttributeDefinitions: attributes,
        GlobalSecondaryIndexes: indexes,
      } as DescribedTable),
    ]),
  );
  return (name) => shapes.get(name);
}
