import { describe, expect, test } from "vitest";
import stackPolicy from "../../infra/stack-policy.json" with { type: "json" };
import {
  type KeySchema,
  physicalTableName,
  type TableName,
  type TableSchema,
  tables,
} from "../../lib/dynamo/tables.ts";
import {
  disposable,
  resourcesOf,
  type Synthesis,
  sorted,
  synthesize,
  testStage,
} from "../support/synthesize.ts";

const own = synthesize(testStage());
const { data } = own;
const created = resourcesOf(data, "AWS::DynamoDB::GlobalTable");
const tableNames = Object.keys(tables) as TableName[];

const keyElements = ({ partition, sort }: KeySchema) => [
  { AttributeName: partition.name, KeyType: "HASH" },
  ...(sort ? [{ AttributeName: sort.name, KeyType: "RANGE" }] : []),
];

test("every table of the store is created, and no other resource", () => {
  expect(sorted(created.map(({ Properties }) => Properties.TableName))).toEqual(
    sorted(tableNames.map((name) => physicalTableName("test", name))),
  );
  expect(Object.keys(data.Resources)).toHaveLength(tableNames.length);
});

test("the data stack exports nothing, so that no other stack can block a change of it", () => {
  expect(data.Outputs ?? {}).toEqual({});
});

describe.each(tableNames)("%s", (name) => {
  const schema: TableSchema = tables[name];
  const table = created.find(({ Properties }) => Properties.TableName === physicalTableName("test", name));
  const properties = table?.Properties;
  const isKept = name !== "RateLimits";
  const hasBackups = isKept && name !== "Imports";

  test("outlives its stack and its replacement, unless its creation fails or it only holds limits", () => {
    const kept = { DeletionPolicy: "RetainExceptOnCreate", UpdateReplacePolicy: "Retain" };
    expect(table).toMatchObject(isKept ? kept : { DeletionPolicy: "Delete", UpdateReplacePolicy: "Delete" });
  });

  test("has a name that is written out, so that a later deployment can adopt the table", () => {
    expect(properties.TableName).toBe(`countinghouse-test-${name}`);
  });

  test("is encrypted, billed per request, protected from deletion unless it holds limits, and recoverable unless journals must not outlive records", () => {
    expect(properties.BillingMode).toBe("PAY_PER_REQUEST");
    expect(properties.SSESpecification).toEqual({ SSEEnabled: true, SSEType: "KMS" });
    expect(properties.Replicas).toHaveLength(1);
    expect(properties.Replicas[0]).toMatchObject({
      DeletionProtectionEnabled: isKept,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: hasBackups },
    });
  });

  test("carries the tags of the stage, by which its cost is found", () => {
    expect(properties.Replicas[0].Tags).toEqual([
      { Key: "project", Value: "countinghouse" },
      { Key: "stage", Value: "test" },
    ]);
  });

  test("has no throughput limit, which would refuse readers", () => {
    expect(JSON.stringify(properties)).not.toContain("ThroughputSettings");
  });

  test("has the keys and indexes that its store reads by", () => {
    expect(properties.KeySchema).toEqual(keyElements(schema));
    const indexes = (properties.GlobalSecondaryIndexes ?? []).map((index: Record<string, unknown>) => ({
      name: index.IndexName,
      keys: index.KeySchema,
      projection: index.Projection,
    }));
    expect(indexes).toEqual(
      schema.indexes.map((index) => ({
        name: index.name,
        keys: keyElements(index),
        projection: { ProjectionType: index.projection === "all" ? "ALL" : "KEYS_ONLY" },
      })),
    );
    const keys = [schema, ...schema.indexes].flatMap(({ partition, sort }) =>
      sort ? [partition, sort] : [partition],
    );
    const types = new Map(keys.map((key) => [key.name, key.type]));
    expect(properties.AttributeDefinitions).toHaveLength(types.size);
    for (const { AttributeName, AttributeType } of properties.AttributeDefinitions) {
      expect(AttributeType).toBe(types.get(AttributeName));
    }
  });

  test("expires items by the attribute that its schema names, and otherwise never", () => {
    const expected = schema.expiresAt && { AttributeName: schema.expiresAt, Enabled: true };
    expect(properties.TimeToLiveSpecification).toEqual(expected);
  });
});

describe("a stage that names a restored table", () => {
  const restored = "countinghouse-test-Trades-r1";
  const given = synthesize(testStage({ tables: { Trades: restored } }));
  const named = resourcesOf(given.data, "AWS::DynamoDB::GlobalTable");

  test("keeps every table where it was, and has the restored one beside it, with the same shape and protection", () => {
    for (const { id, ...table } of created) expect(given.data.Resources[id]).toEqual(table);
    const [before, copy] = ["countinghouse-test-Trades", restored].map((name) => {
      const found = named.find(({ Properties }) => Properties.TableName === name);
      const { TableName, ...shape } = found?.Properties ?? {};
      return { ...found, id: TableName, Properties: shape, Metadata: undefined };
    });
    expect(copy).toEqual({ ...before, id: restored });
    expect(named).toHaveLength(created.length + 1);
  });

  test("is deployed only where the CDK's command line finds that table, because a missing one would be made empty", () => {
    expect(given.lookups).toEqual([
      expect.objectContaining({
        account: "123456789012",
        region: "eu-central-1",
        typeName: "AWS::DynamoDB::GlobalTable",
        exactIdentifier: restored,
      }),
    ]);
    expect(given.lookups).not.toContainEqual(expect.objectContaining({ ignoreErrorOnMissingContext: true }));
    expect(own.lookups).toEqual([]);
  });

  test("gives its functions the restored one", () => {
    expect(JSON.stringify(given.api)).toContain(`"TRADES_TABLE":"${restored}"`);
  });

  test("changes no policy, so that no version which serves is refused, on the way there or back", () => {
    const policiesOf = ({ api, operators }: Synthesis) => [
      ...resourcesOf(api, "AWS::IAM::Policy"),
      ...resourcesOf(operators, "AWS::IAM::ManagedPolicy"),
    ];
    expect(policiesOf(given)).toEqual(policiesOf(own));
  });
});

describe("a stage that is not disposable", () => {
  const { terminationProtection } = synthesize(testStage());

  test("has stacks that CloudFormation refuses to delete", () => {
    expect(terminationProtection).toEqual({
      "countinghouse-test-alarms": true,
      "countinghouse-test-api": true,
      "countinghouse-test-data": true,
      "countinghouse-test-operators": true,
    });
  });

  test("has a stack policy for its data that refuses to replace or delete what outlives the stack", () => {
    const [allow, deny] = stackPolicy.Statement;
    expect(stackPolicy.Statement).toHaveLength(2);
    expect(allow).toEqual({ Effect: "Allow", Principal: "*", Action: "Update:*", Resource: "*" });
    expect(deny).toMatchObject({
      Effect: "Deny",
      Principal: "*",
      Action: ["Update:Replace", "Update:Delete"],
      Resource: "*",
    });
    const refused = deny?.Condition?.StringEquals.ResourceType;
    for (const { Type, DeletionPolicy } of Object.values(data.Resources))
      if (DeletionPolicy === "RetainExceptOnCreate") expect(refused).toContain(Type);
  });
});

test("a disposable stage leaves nothing behind, and nothing of it refuses to be deleted", () => {
  const { data, api, terminationProtection } = synthesize(testStage(disposable));
  expect(Object.values(terminationProtection)).toEqual([false, false, false, false]);
  for (const { Type, DeletionPolicy, UpdateReplacePolicy, Properties } of [
    ...Object.values(data.Resources),
    ...Object.values(api.Resources),
  ]) {
    expect([Type, DeletionPolicy ?? "Delete", UpdateReplacePolicy ?? "Delete"]).toEqual([
      Type,
      "Delete",
      "Delete",
    ]);
    if (Type === "AWS::DynamoDB::GlobalTable")
      expect(Properties.Replicas[0].DeletionProtectionEnabled).toBe(false);
  }
});
