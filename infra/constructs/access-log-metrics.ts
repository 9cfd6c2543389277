import { CfnMetricFilter, type ILogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { ACCESS_LOG_DIMENSION, accessLogMetric, accessLogMetrics } from "../alarms/access-log-metrics.ts";

export interface AccessLogMetricsProps {
  readonly logGroup: ILogGroup;
  readonly stageName: string;
}

/** Counts lines of the access log. The filters belong to the log group, and go with it. */
export class AccessLogMetrics extends Construct {
  constructor(scope: Construct, id: string, { logGroup, stageName }: AccessLogMetricsProps) {
    super(scope, id);
    for (const name of Object.keys(accessLogMetrics) as (keyof typeof accessLogMetrics)[]) {
      const { namespace } = accessLogMetric(stageName, name);
      new CfnMetricFilter(this, name, {
        logGroupName: logGroup.logGroupName,
        filterPattern: accessLogMetrics[name],
        metricTransformations: [
          {
            metricNamespace: namespace,
            metricName: name,
            metricValue: "1",
            unit: "Count",
            dimensions: [{ key: ACCESS_LOG_DIMENSION, value: `$.${ACCESS_LOG_DIMENSION}` }],
          },
        ],
      });
    }
  }
}
