import { RemovalPolicy, Validations } from "aws-cdk-lib";
import {
  type Attribute,
  AttributeType,
  Billing,
  ProjectionType,
  TableEncryptionV2,
  TableV2,
} from "aws-cdk-lib/aws-dynamodb";
import { Construct } from "constructs";
import {
  type KeySchema,
  type KeyType,
  type TableName,
  type TableSchema,
  tables,
} from "../../lib/dynamo/tables.ts";
import { isKept, withoutBackups } from "../settings/table-safety.ts";
import type { Stage } from "../stage.ts";
import { ownKey } from "./own-key.ts";
import { removalPolicyOf } from "./removal-policy.ts";

const attributeTypes: Readonly<Record<KeyType, AttributeType>> = {
  S: AttributeType.STRING,
  N: AttributeType.NUMBER,
  B: AttributeType.BINARY,
};

const attribute = ({ name, type }: { name: string; type: KeyType }): Attribute => ({
  name,
  type: attributeTypes[type],
});

const keysOf = ({ partition, sort }: KeySchema) => ({
  partitionKey: attribute(partition),
  ...(sort !== undefined && { sortKey: attribute(sort) }),
});

export interface ServiceTableProps {
  readonly stage: Stage;
  /** The table that it is one of. */
  readonly table: TableName;
  /** Its name in the account. */
  readonly tableName: string;
}

/**
 * One table as `lib/dynamo/tables.ts` describes it, billed per request and hard to lose: recoverable to any second of
 * the last 35 days and encrypted with a key whose use is logged. Unless the stage is disposable, the table is protected
 * from deletion, and kept when its stack is deleted. `settings/table-safety.ts` has the exceptions.
 */
export class ServiceTable extends Construct {
  constructor(scope: Construct, id: string, { stage, table, tableName }: ServiceTableProps) {
    super(scope, id);
    const schema: TableSchema = tables[table];
    const whyNoBackups = withoutBackups[table];
    const made = new TableV2(this, "Table", {
      tableName,
      ...keysOf(schema),
      globalSecondaryIndexes: schema.indexes.map((index) => ({
        indexName: index.name,
        ...keysOf(index),
        projectionType: index.projection === "all" ? ProjectionType.ALL : ProjectionType.KEYS_ONLY,
      })),
      ...(schema.expiresAt !== undefined && { timeToLiveAttribute: schema.expiresAt }),
      billing: Billing.onDemand(),
      encryption: this.#encryptionOf(stage),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: whyNoBackups === undefined },
      deletionProtection: isKept(table) && !stage.disposable,
      removalPolicy: isKept(table) ? removalPolicyOf(stage) : RemovalPolicy.DESTROY,
    });
    if (whyNoBackups === undefined) return;
    Validations.of(made).acknowledge({ id: "AwsSolutions::AwsSolutions-DDB3", reason: whyNoBackups });
  }

  /** A key whose use CloudTrail logs: AWS's own, or the operator's. */
  #encryptionOf(stage: Stage): TableEncryptionV2 {
    const key = ownKey(this, stage);
    return key === undefined ? TableEncryptionV2.awsManagedKey() : TableEncryptionV2.customerManagedKey(key);
  }
}
