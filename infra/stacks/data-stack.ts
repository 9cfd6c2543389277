import { Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { type TableName, tables } from "../../lib/dynamo/tables.ts";
import { ServiceTable } from "../constructs/service-table.ts";
import { TruststoreBucket } from "../constructs/truststore-bucket.ts";
import type { Stage } from "../stage.ts";

/**
 * Everything that must outlive a deployment: the tables, and the truststore if clients have certificates. Their names
 * are fixed and reach the functions as text, so this stack exports nothing and no other stack can block a change of it.
 */
export class DataStack extends Stack {
  constructor(scope: Construct, id: string, stage: Stage, props: StackProps) {
    super(scope, id, props);
    for (const name of Object.keys(tables) as TableName[]) new ServiceTable(this, name, stage);
    if (stage.domains?.mutualTls !== undefined) new TruststoreBucket(this, "Truststore", stage);
  }
}
