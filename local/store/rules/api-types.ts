import type { StoreOperation } from "../wire.ts";

/** A type whose values are simple in JSON; `Integer` has 32 bits, `Long` 64. */
export type ScalarType = "String" | "Boolean" | "Integer" | "Long" | "Blob";

/** A type of DynamoDB's API: a simple one, a structure by its name, a list of a type, or a map from texts to a type. */
export type ApiType = ScalarType | StructureType | readonly [ApiType] | { readonly of: ApiType };

export type StructureType = keyof typeof structures;

export type MemberTypes = Readonly<Record<string, ApiType>>;

const ATTRIBUTES = { of: "AttributeValue" } as const;
const NAMES = { of: "String" } as const;

const WRITE: MemberTypes = {
  TableName: "String",
  ReturnValues: "String",
  ReturnConsumedCapacity: "String",
  ReturnItemCollectionMetrics: "String",
  ReturnValuesOnConditionCheckFailure: "String",
  ConditionExpression: "String",
  ExpressionAttributeNames: NAMES,
  ExpressionAttributeValues: ATTRIBUTES,
  ConditionalOperator: "String",
  Expected: { of: "ExpectedAttributeValue" },
};

const READ: MemberTypes = {
  TableName: "String",
  IndexName: "String",
  Select: "String",
  Limit: "Integer",
  ConsistentRead: "Boolean",
  ExclusiveStartKey: ATTRIBUTES,
  ReturnConsumedCapacity: "String",
  ProjectionExpression: "String",
  FilterExpression: "String",
  ExpressionAttributeNames: NAMES,
  ExpressionAttributeValues: ATTRIBUTES,
  AttributesToGet: ["String"],
  ConditionalOperator: "String",
};

const TABLE: MemberTypes = { TableName: "String" };

const INDEX = { IndexName: "String", KeySchema: ["KeySchemaElement"], Projection: "Projection" } as const;

/** The members of each operation's request. */
export const REQUESTS: Readonly<Record<StoreOperation, MemberTypes>> = {
  BatchGetItem: { RequestItems: { of: "KeysAndAttributes" }, ReturnConsumedCapacity: "String" },
  BatchWriteItem: {
    RequestItems: { of: ["WriteRequest"] },
    ReturnConsumedCapacity: "String",
    ReturnItemCollectionMetrics: "String",
  },
  CreateTable: {
    TableName: "String",
    AttributeDefinitions: ["AttributeDefinition"],
    KeySchema: ["KeySchemaElement"],
    LocalSecondaryIndexes: ["LocalSecondaryIndex"],
    GlobalSecondaryIndexes: ["GlobalSecondaryIndex"],
    BillingMode: "String",
    ProvisionedThroughput: "ProvisionedThroughput",
    StreamSpecification: "StreamSpecification",
    SSESpecification: "SSESpecification",
    Tags: ["Tag"],
    TableClass: "String",
    DeletionProtectionEnabled: "Boolean",
    WarmThroughput: "WarmThroughput",
    ResourcePolicy: "String",
    OnDemandThroughput: "OnDemandThroughput",
    GlobalTableSourceArn: "String",
    GlobalTableSettingsReplicationMode: "String",
    VectorIndexes: ["VectorIndex"],
  },
  DeleteItem: { ...WRITE, Key: ATTRIBUTES },
  DeleteTable: TABLE,
  DescribeTable: TABLE,
  DescribeTimeToLive: TABLE,
  GetItem: {
    TableName: "String",
    Key: ATTRIBUTES,
    ConsistentRead: "Boolean",
    ReturnConsumedCapacity: "String",
    ProjectionExpression: "String",
    ExpressionAttributeNames: NAMES,
    AttributesToGet: ["String"],
  },
  ListTables: { ExclusiveStartTableName: "String", Limit: "Integer" },
  PutItem: { ...WRITE, Item: ATTRIBUTES },
  Query: {
    ...READ,
    ScanIndexForward: "Boolean",
    KeyConditionExpression: "String",
    KeyConditions: { of: "Condition" },
    QueryFilter: { of: "Condition" },
  },
  Scan: { ...READ, Segment: "Integer", TotalSegments: "Integer", ScanFilter: { of: "Condition" } },
  UpdateItem: {
    ...WRITE,
    Key: ATTRIBUTES,
    UpdateExpression: "String",
    AttributeUpdates: { of: "AttributeValueUpdate" },
  },
  UpdateTimeToLive: { TableName: "String", TimeToLiveSpecification: "TimeToLiveSpecification" },
};

const structures = {
  AttributeDefinition: { AttributeName: "String", AttributeType: "String" },
  AttributeValue: {
    S: "String",
    N: "String",
    B: "Blob",
    SS: ["String"],
    NS: ["String"],
    BS: ["Blob"],
    M: ATTRIBUTES,
    L: ["AttributeValue"],
    NULL: "Boolean",
    BOOL: "Boolean",
  },
  AttributeValueUpdate: { Value: "AttributeValue", Action: "String" },
  Condition: { ComparisonOperator: "String", AttributeValueList: ["AttributeValue"] },
  DeleteRequest: { Key: ATTRIBUTES },
  ExpectedAttributeValue: {
    Value: "AttributeValue",
    Exists: "Boolean",
    ComparisonOperator: "String",
    AttributeValueList: ["AttributeValue"],
  },
  GlobalSecondaryIndex: {
    ...INDEX,
    ProvisionedThroughput: "ProvisionedThroughput",
    OnDemandThroughput: "OnDemandThroughput",
    WarmThroughput: "WarmThroughput",
  },
  KeySchemaElement: { AttributeName: "String", KeyType: "String" },
  KeysAndAttributes: {
    Keys: [ATTRIBUTES],
    ConsistentRead: "Boolean",
    ProjectionExpression: "String",
    ExpressionAttributeNames: NAMES,
    AttributesToGet: ["String"],
  },
  LocalSecondaryIndex: INDEX,
  OnDemandThroughput: { MaxReadRequestUnits: "Long", MaxWriteRequestUnits: "Long" },
  Projection: { ProjectionType: "String", NonKeyAttributes: ["String"] },
  ProvisionedThroughput: { ReadCapacityUnits: "Long", WriteCapacityUnits: "Long" },
  PutRequest: { Item: ATTRIBUTES },
  SearchSchemaElement: { AttributeName: "String", SearchSchemaElementType: "String" },
  SSESpecification: { Enabled: "Boolean", SSEType: "String", KMSMasterKeyId: "String" },
  StreamSpecification: { StreamEnabled: "Boolean", StreamViewType: "String" },
  Tag: { Key: "String", Value: "String" },
  TimeToLiveSpecification: { Enabled: "Boolean", AttributeName: "String" },
  VectorAttributeDefinition: { AttributeName: "String" },
  VectorIndex: {
    IndexName: "String",
    VectorAttribute: "VectorAttributeDefinition",
    Projection: "Projection",
    Dimensions: "Integer",
    DistanceFunction: "String",
    SearchSchema: ["SearchSchemaElement"],
  },
  WarmThroughput: { ReadUnitsPerSecond: "Long", WriteUnitsPerSecond: "Long" },
  WriteRequest: { PutRequest: "PutRequest", DeleteRequest: "DeleteRequest" },
} as const;

/** The members of each structure. */
export const STRUCTURES: Readonly<Record<StructureType, MemberTypes>> = structures;
