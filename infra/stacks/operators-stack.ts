import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import { ManagedPolicy } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { TableName } from "../../lib/dynamo/tables.ts";
import { keyStatementsOf } from "../constructs/own-key.ts";
import { tableStatementsOf } from "../constructs/table-statements.ts";
import { type OperatorJob, operatorJobs } from "../operators.ts";
import type { Stage } from "../stage.ts";

/**
 * A managed policy for each job of operators, to attach to people's roles. It is a stack of its own, because policies
 * that are attached cannot be deleted together with the API, and follow the names of restored tables.
 */
export class OperatorsStack extends Stack {
  constructor(scope: Construct, id: string, stage: Stage, props: StackProps) {
    super(scope, id, props);
    for (const job of operatorJobs) this.#addPolicy(stage, job);
  }

  #addPolicy(stage: Stage, { name, description, tables, settings }: OperatorJob): void {
    const grants = Object.entries(tables) as [TableName, readonly string[]][];
    const policy = new ManagedPolicy(this, name, {
      description: `Lets an operator of the stage ${stage.name} ${description}`,
      statements: [
        ...grants.flatMap(([table, actions]) =>
          tableStatementsOf(this, stage, {
            table,
            actions,
            ...(table === "Settings" && settings !== undefined && { leadingKeys: settings }),
          }),
        ),
        ...keyStatementsOf(this, stage),
      ],
    });
    new CfnOutput(this, `${name}Policy`, {
      value: policy.managedPolicyArn,
      description: `Policy that lets an operator ${description}`,
    });
  }
}
