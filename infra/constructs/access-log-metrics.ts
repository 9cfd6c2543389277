import { CfnMetricFilter, type ILogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { METRIC_NAMESPACE } from "../../lib/metrics.ts";
import { accessLogMetrics } from "../alarms/access-log-metrics.ts";

export interface AccessLogMetricsProps {
  readonly logGroup: ILogGroup;
}

/** Counts lines of the access log. The filters belong to the log group, and go with it. */
export class AccessLogMetrics extends Construct {
  constructor(scope: Construct, id: string, { logGroup }: AccessLogMetricsProps) {
    super(scope, id);
    for (const [name, { pattern, dimensions }] of Object.entries(accessLogMetrics)) {
      new CfnMetricFilter(this, name, {
        logGroupName: logGroup.logGroupName,
        filterPattern: pattern,
        metricTransformations: [
          {
            metricNamespace: METRIC_NAMESPACE,
            metricName: name,
            metricValue: "1",
            unit: "Count",
            dimensions: dimensions.map((key) => ({ key, value: `$.${key}` })),
          },
        ],
      });
    }
  }
}
