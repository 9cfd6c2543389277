import { ownMember } from "../../lib/own-member.ts";
import type { TableDefinition } from "../store/tables.ts";
import type { TemplateResource } from "./resource.ts";
import { TemplateError } from "./template-error.ts";

/** Properties of an index that change what a query finds; throughput settings do not. */
const INDEX_PROPERTIES: ReadonlySet<string> = new Set(["IndexName", "KeySchema", "Projection"]);
const UNSERVED_INDEX_PROPERTIES: ReadonlySet<string> = new Set([
  "ContributorInsightsSpecification",
  "OnDemandThroughput",
  "ReadOnDemandThroughputSettings",
  "WarmThroughput",
  "WriteOnDemandThroughputSettings",
]);

/** Reads one `AWS::DynamoDB::Table` or `GlobalTable`. Throws a `TemplateError` for an unknown property of an index. */
export function readTable({ id, properties, intrinsics, at }: TemplateResource): TableDefinition {
  const list = (property: string) =>
    intrinsics.resolve(ownMember(properties, property) ?? [], `${at} ${property}`) as never[];
  return {
    name: properties.TableName === undefined ? id : intrinsics.text(properties.TableName, `${at} TableName`),
    keySchema: list("KeySchema"),
    attributes: list("AttributeDefinitions"),
    indexes: list("GlobalSecondaryIndexes").map((index) => readIndex(index, at)),
    expiresAt: readExpiry(properties.TimeToLiveSpecification),
  };
}

function readExpiry(specification: unknown): string | undefined {
  const { AttributeName, Enabled } = (specification ?? {}) as { AttributeName?: string; Enabled?: boolean };
  return Enabled === true ? AttributeName : undefined;
}

function readIndex(index: Record<string, unknown>, at: string): TableDefinition["indexes"][number] {
  const known = Object.entries(index).filter(([property]) => INDEX_PROPERTIES.has(property));
  const strange = Object.keys(index).find(
    (name) => !INDEX_PROPERTIES.has(name) && !UNSERVED_INDEX_PROPERTIES.has(name),
  );
  if (strange !== undefined)
    throw new TemplateError(`${at}: the local gateway does not know an index's property ${strange}.`);
  return Object.fromEntries(known) as TableDefinition["indexes"][number];
}
