import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  ListTagsOfResourceCommand,
  ResourceNotFoundException,
  type TableDescription,
} from "@aws-sdk/client-dynamodb";
import { isKept, restorableTables } from "../../infra/settings/table-safety.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import { type KeySchema, type TableName, type TableSchema, tables } from "../../lib/dynamo/tables.ts";
import { type Found, fail, ok, warn } from "./finding.ts";

/** What a table has to have beside its keys. */
export interface TableDemands {
  /** Whether it must be protected from deletion. */
  readonly isProtected: boolean;
  /** Whether it has backups and tags, which an emulator does not. */
  readonly isAmazons: boolean;
  /** The tags that the stage's resources have. */
  readonly tags: Readonly<Record<string, string>>;
  /** What puts a table right: a sentence. */
  readonly remedy: string;
}

/** Judges one table of a store by its schema; the answer has one entry when all is well. */
export async function checkTable(
  name: TableName,
  table: Table,
  demands: TableDemands,
): Promise<readonly Found[]> {
  const schema: TableSchema = tables[name];
  const { expiresAt, indexes } = schema;
  const { isAmazons, isProtected, remedy } = demands;
  const found = await describe(table);
  if (found === undefined) return [fail("is not there", remedy)];
  /** What is wrong, by the name of what was looked at. */
  const parts: Readonly<Record<string, readonly Found[]>> = {
    [indexes.length > 0 ? "keys, indexes" : "keys"]: keyFaults(schema, found, demands),
    ...(expiresAt !== undefined && { "time to live": await lifeFaults(table, expiresAt) }),
    ...(isAmazons &&
      restorableTables.includes(name) && { "point-in-time recovery": await recoveryFaults(table) }),
    ...(isAmazons &&
      isProtected &&
      isKept(name) && { "deletion protection": protectionFaults(table, found) }),
    ...(isAmazons && { tags: await tagFaults(table, found, demands) }),
  };
  const faults = Object.values(parts).flat();
  return faults.length > 0 ? faults : [ok(`${Object.keys(parts).join(", ")} as they should be`)];
}

async function describe({ client, name: TableName }: Table): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** Keys as a text that can be compared and shown: `business_id (S), id (S)`. */
const keysText = ({ partition, sort }: KeySchema): string =>
  [partition, ...(sort === undefined ? [] : [sort])].map(({ name, type }) => `${name} (${type})`).join(", ");

const foundKeys = (
  keys: TableDescription["KeySchema"],
  { AttributeDefinitions = [] }: TableDescription,
): string =>
  (keys ?? [])
    .toSorted((a) => (a.KeyType === "HASH" ? -1 : 1))
    .map(({ AttributeName }) => {
      const { AttributeType } = AttributeDefinitions.find((one) => one.AttributeName === AttributeName) ?? {};
      return `${AttributeName} (${AttributeType})`;
    })
    .join(", ");

function keyFaults(schema: TableSchema, found: TableDescription, { remedy }: TableDemands): readonly Found[] {
  const wanted = keysText(schema);
  const given = foundKeys(found.KeySchema, found);
  const unready =
    found.TableStatus === "ACTIVE" ? [] : [warn(`is ${found.TableStatus}`, "Wait until it is ACTIVE.")];
  if (wanted !== given)
    return [
      fail(
        `has the keys ${given}, not ${wanted}`,
        "Make a table with the right keys: docs/deployment.md, Restore a table.",
      ),
    ];
  return [...unready, ...schema.indexes.flatMap((index) => indexFaults(index, found, remedy))];
}

function indexFaults(
  index: TableSchema["indexes"][number],
  found: TableDescription,
  remedy: string,
): readonly Found[] {
  const given = found.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === index.name);
  if (given === undefined) return [fail(`has no index ${index.name}`, remedy)];
  const projection = index.projection === "all" ? "ALL" : "KEYS_ONLY";
  if (
    foundKeys(given.KeySchema, found) !== keysText(index) ||
    given.Projection?.ProjectionType !== projection
  )
    return [fail(`has another index ${index.name}`, remedy)];
  return given.IndexStatus === "ACTIVE"
    ? []
    : [warn(`index ${index.name} is ${given.IndexStatus}`, "Wait until it is ACTIVE.")];
}

async function lifeFaults({ client, name: TableName }: Table, attribute: string): Promise<readonly Found[]> {
  const { TimeToLiveDescription: life = {} } = await client.send(
    new DescribeTimeToLiveCommand({ TableName }),
  );
  if (life.AttributeName === attribute && life.TimeToLiveStatus?.startsWith("ENABL") === true) return [];
  const command = `aws dynamodb update-time-to-live --table-name ${TableName} --time-to-live-specification Enabled=true,AttributeName=${attribute}`;
  return [fail(`removes nothing by ${attribute}`, command)];
}

async function recoveryFaults({ client, name: TableName }: Table): Promise<readonly Found[]> {
  const { ContinuousBackupsDescription: backups } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName }),
  );
  const recovery = backups?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus;
  const recover = `aws dynamodb update-continuous-backups --table-name ${TableName} --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`;
  return recovery === "ENABLED" ? [] : [fail("has no point-in-time recovery", recover)];
}

function protectionFaults(
  { name }: Table,
  { DeletionProtectionEnabled }: TableDescription,
): readonly Found[] {
  const protect = `aws dynamodb update-table --table-name ${name} --deletion-protection-enabled`;
  return DeletionProtectionEnabled === true ? [] : [fail("is not protected from deletion", protect)];
}

async function tagFaults(
  { client }: Table,
  { TableArn }: TableDescription,
  { tags, remedy }: TableDemands,
): Promise<readonly Found[]> {
  const { Tags = [] } = await client.send(new ListTagsOfResourceCommand({ ResourceArn: TableArn }));
  const missing = Object.entries(tags).filter(
    ([key, value]) => !Tags.some((tag) => tag.Key === key && tag.Value === value),
  );
  if (missing.length === 0) return [];
  const named = missing.map(([key, value]) => `${key}=${value}`).join(", ");
  return [warn(`lacks the tags ${named}`, remedy)];
}
