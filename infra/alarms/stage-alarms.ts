import { gatewayFailures, NO_VALUE, unexpectedFailures } from "./access-log-metrics.ts";
import { type AlarmDefinition, minutes, sum } from "./alarm.ts";
import { accountMetric } from "./aws-metrics.ts";
import { gateway } from "./endpoint-alarms.ts";

/** The name of the alarm by which CloudFormation takes a release back. */
export const RELEASE_ALARM = "release";

/** The alarms that are about no single endpoint. */
export const stageAlarms = (stageName: string): readonly AlarmDefinition[] => [
  {
    ...gateway("unrouted", "requests of no endpoint", gatewayFailures(stageName, NO_VALUE)),
    pages: true,
  },
  {
    name: RELEASE_ALARM,
    section: "release",
    meaning: "Requests get a 5xx that is not the answer of a switched-off endpoint or of a store that fails.",
    measures: { failures: sum(unexpectedFailures(stageName)) },
    bound: { from: 1 },
    span: minutes(2, 5),
    pages: false,
  },
  {
    name: "concurrency",
    section: "concurrency",
    meaning: "More than 80 % of the account's environments of Lambda in this region are taken.",
    measures: {
      claimed: { metric: accountMetric("ClaimedAccountConcurrency"), statistic: "Maximum" },
      used: { metric: accountMetric("ConcurrentExecutions"), statistic: "Maximum" },
    },
    // A part of the quota stays right when that is raised. What is reserved is taken for everybody else.
    expression: "100 * claimed / SERVICE_QUOTA(used)",
    bound: { above: 80 },
    span: minutes(2, 5),
    pages: false,
  },
];
