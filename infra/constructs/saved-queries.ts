import { CfnQueryDefinition, type ILogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";

/** The logs of a stage. */
interface StageLogs {
  /** One line for each request that reached the gateway. */
  readonly access: ILogGroup;
  /** The groups of all functions: their own lines, and Lambda's about their invocations. */
  readonly functions: readonly ILogGroup[];
}

/** A query of CloudWatch Logs Insights, as operators find it under the stage's name. */
interface SavedQuery {
  readonly title: string;
  /** The groups that the query reads. */
  readonly over: readonly (keyof StageLogs)[];
  /** The commands, in their order. */
  readonly commands: readonly string[];
}

/**
 * What whoever runs a query replaces. CloudWatch could ask for it by a parameter, but CloudFormation does not know
 * parameters of queries in every region: not in China, GovCloud, Bahrain and the Emirates.
 */
const ID = '"put the id here"';

const queries: Readonly<Record<string, SavedQuery>> = {
  FindByErrorId: {
    title: "Find by error_id",
    over: ["functions"],
    commands: [
      `filter error_id = ${ID}`,
      "fields @timestamp, endpoint, status, code, reason, owner, gateway_request_id, aws_request_id, trace_id, @message",
    ],
  },
  FindByRequestId: {
    title: "Find by request id",
    over: ["functions", "access"],
    commands: [
      // Each source of lines has names of its own for the ids of a request.
      `filter @message like ${ID}`,
      "fields @timestamp, @log, @message",
      "sort @timestamp asc",
    ],
  },
  RefusedCredentials: {
    title: "401 storm by source",
    over: ["access"],
    commands: [
      'filter status = "401"',
      "stats count(*) as refused, latest(requestTime) as last by sourceIp, clientCertSerial, routeKey",
      "sort refused desc",
      "limit 50",
    ],
  },
  Slowest: {
    title: "Slowest",
    over: ["functions"],
    commands: [
      "filter ispresent(duration_ms)",
      "fields @timestamp, endpoint, status, duration_ms, cold_start, owner, gateway_request_id, aws_request_id, trace_id",
      "sort duration_ms desc",
      "limit 50",
    ],
  },
};

export interface SavedQueriesProps {
  readonly stageName: string;
  readonly logs: StageLogs;
}

/** The queries that an incident begins with, saved in CloudWatch Logs Insights in a folder of the stage. */
export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, { stageName, logs }: SavedQueriesProps) {
    super(scope, id);
    for (const [name, { title, over, commands }] of Object.entries(queries))
      new CfnQueryDefinition(this, name, {
        name: `countinghouse/${stageName}/${title}`,
        queryString: commands.join("\n| "),
        logGroupNames: over.flatMap((group) => logs[group]).map(({ logGroupName }) => logGroupName),
      });
  }
}
