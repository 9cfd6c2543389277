import { textOf } from "../../../lib/dynamo/item.ts";
import { scan } from "../../../lib/dynamo/scan.ts";
import type { Table } from "../../../lib/dynamo/table.ts";
import { parseExactJson } from "../../../lib/json/exact-json.ts";
import type { Members, StoredRecord } from "./record-kind.ts";

/** The records of a table with an id, of any owner: the table is read whole, because its keys begin with the owner. */
export async function findDocuments(
  table: Table,
  attributes: { readonly id: string; readonly owner: string },
  id: string,
): Promise<readonly StoredRecord[]> {
  const items = await Array.fromAsync(
    scan(table, {
      FilterExpression: "#id = :id",
      ExpressionAttributeNames: { "#id": attributes.id },
      ExpressionAttributeValues: { ":id": { S: id } },
    }),
  );
  return items.map((item) => ({
    ownerId: textOf(item, attributes.owner),
    members: parseExactJson(textOf(item, "doc")) as Members,
  }));
}
