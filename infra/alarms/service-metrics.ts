import type { ErrorCode } from "../../lib/errors.ts";
import { METRIC_NAMESPACE, type MetricName, type metricDimensions } from "../../lib/metrics.ts";
import type { Metric } from "./alarm.ts";

/** What tells the metrics of one set apart, by the names in `metricDimensions`. */
type DimensionsOf<Set extends keyof typeof metricDimensions> = Readonly<
  Record<Exclude<(typeof metricDimensions)[Set][number], "stage">, string>
>;

/** The metrics that a stage's functions write, as CloudWatch keeps them. */
export class ServiceMetrics {
  readonly #stage: string;

  constructor(stageName: string) {
    this.#stage = stageName;
  }

  ofEndpoint(name: MetricName, endpoint: string): Metric {
    return this.#metric<"endpoint">(name, { endpoint });
  }

  /** The requests of an endpoint that were answered with an error code. */
  ofCode(endpoint: string, code: ErrorCode): Metric {
    return this.#metric<"code">("Requests", { endpoint, code });
  }

  ofKind(name: MetricName, kind: string): Metric {
    return this.#metric<"kind">(name, { kind });
  }

  #metric<Set extends keyof typeof metricDimensions>(name: MetricName, others: DimensionsOf<Set>): Metric {
    return { namespace: METRIC_NAMESPACE, name, dimensions: { stage: this.#stage, ...others } };
  }
}
