import {
  type AttributeDefinition,
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  type GlobalSecondaryIndex,
  type KeySchemaElement,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from "@aws-sdk/client-dynamodb";
import { StartError } from "../process/start-error.ts";

/** One table as `CreateTable` takes it. */
export interface TableDefinition {
  readonly name: string;
  readonly keySchema: KeySchemaElement[];
  readonly attributes: AttributeDefinition[];
  readonly indexes: Pick<GlobalSecondaryIndex, "IndexName" | "KeySchema" | "Projection">[];
  /** The attribute with the epoch second after which an item may be deleted, as `UpdateTimeToLive` takes it. */
  readonly expiresAt?: string | undefined;
}

/** The poll ends by itself when the engine stops answering. A table takes as long as a busy machine lets it. */
const WAIT = { minDelay: 0.02, maxDelay: 0.5, maxWaitTime: 300 } as const;

/** A table was created by another version of the template. The message says what to do. */
class TableMismatch extends StartError {
  override readonly name = "TableMismatch";
}

/**
 * Creates the missing tables on a local engine, and returns how many it created. An existing table keeps its items.
 * Throws a `TableMismatch` for a table whose keys or indexes differ from the template's, because queries of that table
 * would give wrong answers.
 */
export async function createTables(
  client: DynamoDBClient,
  definitions: readonly TableDefinition[],
): Promise<number> {
  const create = async (definition: TableDefinition): Promise<boolean> => {
    const isNew = await createTable(client, definition);
    await setExpiry(client, definition);
    return isNew;
  };
  const created = await Promise.all(definitions.map(create));
  return created.filter(Boolean).length;
}

/** Deletes the tables and their items. A table that does not exist is skipped. */
export async function dropTables(
  client: DynamoDBClient,
  definitions: readonly TableDefinition[],
): Promise<void> {
  for (const { name } of definitions) {
    if ((await describe(client, name)) === undefined) continue;
    await client.send(new DeleteTableCommand({ TableName: name }));
    await waitUntilTableNotExists({ ...WAIT, client }, { TableName: name });
  }
}

/** @returns whether the table is new. */
async function createTable(client: DynamoDBClient, definition: TableDefinition): Promise<boolean> {
  const { name, keySchema, attributes, indexes } = definition;
  const existing = await describe(client, name);
  if (existing !== undefined) {
    checkSame(existing, definition);
    return false;
  }
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: keySchema,
      AttributeDefinitions: attributes,
      ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes }),
    }),
  );
  await waitUntilTableExists({ ...WAIT, client }, { TableName: name });
  return true;
}

/** Sets a table's expiry attribute at each start, because a local store keeps it in memory only. */
async function setExpiry(client: DynamoDBClient, { name, expiresAt }: TableDefinition): Promise<void> {
  if (expiresAt === undefined) return;
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: name }));
  if (TimeToLiveDescription?.TimeToLiveStatus === "ENABLED") return;
  const TimeToLiveSpecification = { AttributeName: expiresAt, Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification }));
}

async function describe(client: DynamoDBClient, name: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

function checkSame(existing: TableDescription, { name, keySchema, indexes }: TableDefinition): void {
  const expected = shapeOf(keySchema, indexes);
  if (shapeOf(existing.KeySchema, existing.GlobalSecondaryIndexes ?? []) === expected) return;
  throw new TableMismatch(
    `The keys or indexes of the table ${name} differ from the template's. Start once with --fresh to create it again.`,
  );
}

interface IndexShape {
  readonly IndexName?: string | undefined;
  readonly KeySchema?: KeySchemaElement[] | undefined;
}

/** Keys and indexes as text, sorted because engines may list them in any order. */
function shapeOf(keySchema: readonly KeySchemaElement[] | undefined, indexes: readonly IndexShape[]): string {
  const keys = (schema: readonly KeySchemaElement[] = []) =>
    schema.map(({ KeyType, AttributeName }) => `${KeyType} ${AttributeName}`).sort();
  const byName = indexes.map(({ IndexName, KeySchema }) => [IndexName, ...keys(KeySchema)].join(" ")).sort();
  return JSON.stringify([keys(keySchema), byName]);
}
