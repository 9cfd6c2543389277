import { ContextProvider, Stack, type StackProps } from "aws-cdk-lib";
import { ContextProvider as Lookup } from "aws-cdk-lib/cloud-assembly-schema";
import type { Construct } from "constructs";
import { physicalTableName, type TableName, tables } from "../../lib/dynamo/tables.ts";
import { IngestQueues } from "../constructs/ingest-queues.ts";
import { ServiceTable } from "../constructs/service-table.ts";
import { TableBackups } from "../constructs/table-backups.ts";
import { TruststoreBucket } from "../constructs/truststore-bucket.ts";
import { restorableTables } from "../settings/table-safety.ts";
import type { Stage } from "../stage.ts";

const allTables = Object.keys(tables) as TableName[];

/**
 * Everything that must outlive a deployment: the tables, the queues if records come in by messages, and the truststore
 * if clients have certificates. Their names are fixed and reach the functions as text, so this stack exports nothing
 * and no other stack can block a change of it.
 */
export class DataStack extends Stack {
  constructor(scope: Construct, id: string, stage: Stage, props: StackProps) {
    super(scope, id, props);
    for (const table of allTables) this.#addTables(stage, table);
    if (stage.ingest !== undefined) new IngestQueues(this, "Queues", stage, stage.ingest);
    if (stage.domains?.mutualTls !== undefined) new TruststoreBucket(this, "Truststore", stage);
    if (stage.backup !== undefined)
      new TableBackups(this, "Backups", { stage, backup: stage.backup, tables: restorableTables });
  }

  /**
   * Adds the stage's own table, and the one that the stage names in its place, such as a restored one. The own one
   * stays, because it is the evidence of what went wrong, and because no switch to another table may remove one.
   */
  #addTables(stage: Stage, table: TableName): void {
    const own = physicalTableName(stage.name, table);
    new ServiceTable(this, table, { stage, table, tableName: own });
    const used = stage.tables[table];
    if (used === own) return;
    this.#requireTable(used);
    new ServiceTable(this, used, { stage, table, tableName: used });
  }

  /**
   * Has the CDK's command line look a table up, and refuse to synthesize the stage while there is none. CloudFormation
   * would make an empty one, from which callers would get "not found", and no template can demand that a table exists.
   * The CDK keeps what it found in cdk.context.json, so that a synthesis without credentials need not ask.
   */
  #requireTable(tableName: string): void {
    ContextProvider.getValue(this, {
      provider: Lookup.CC_API_PROVIDER,
      props: {
        typeName: "AWS::DynamoDB::GlobalTable",
        exactIdentifier: tableName,
        propertiesToReturn: ["TableName"],
      },
      dummyValue: [],
    });
  }
}
