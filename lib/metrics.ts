/**
 * The namespace of all metrics, in which stages of one account differ by the dimension `stage`. CloudWatch reads the
 * metrics from lines of the log (embedded metric format).
 */
export const METRIC_NAMESPACE = "countinghouse";

/** Every metric, with its unit as CloudWatch spells it. `None` is a reading that is looked at and not added up. */
export const metricUnits = {
  /** 1 for each request. */
  Requests: "Count",
  /** 1 for an answer that an operator has to look at: a 5xx, unless the endpoint is switched off. Else 0. */
  Failures: "Count",
  /** From the request to its answer. */
  Duration: "Milliseconds",
  /** What the request's owner was charged; 0 for a request that was refused. */
  TokensCharged: "Count",
  /** 1 for the first request of an environment, and absent from all others. */
  ColdStart: "Count",
  /** 1 for each decision that a limit made without the store. */
  RateLimitOutage: "Count",
  /** 1 for each segment of trades which cannot be read, when a request meets it or it keeps trades of messages out. */
  DamagedSegment: "Count",
  /** 1 for each time that a token issuer's keys could not be fetched. */
  KeySetRefreshFailed: "Count",
  /** The days that remain to the credential or certificate of a kind that expires first. */
  DaysToExpiry: "None",
  /** 1 while an endpoint is switched off, else 0. */
  SwitchedOff: "None",
  /** Records of messages that readers see since. */
  RecordsWritten: "Count",
  /** Those of the written ones that took a step which their kind does not usually take. */
  RecordsUnusual: "Count",
  /** Records of messages that readers saw before. */
  RecordsUnchanged: "Count",
  /** Records of messages that a newer version, or a withdrawal, keeps out. */
  RecordsStale: "Count",
  /** Records of messages that can never be stored, and are in the queue for them. */
  RecordsRejected: "Count",
  /** Records of messages that are received again, because they could not be stored or rejected yet. */
  RecordsReturned: "Count",
} as const;

export type MetricName = keyof typeof metricUnits;

/**
 * The members of a line that tell its metrics apart. Each combination of their values is a metric of its own, at its own
 * price, so an owner is never among them.
 */
export const metricDimensions = {
  endpoint: ["stage", "endpoint"],
  code: ["stage", "endpoint", "code"],
  kind: ["stage", "kind"],
} as const;

/** Metrics that a line carries, told apart by one set of dimensions, which are members of the line too. */
export interface MetricSet {
  readonly by: keyof typeof metricDimensions;
  readonly values: Readonly<Partial<Record<MetricName, number>>>;
}

/** The members by which a line carries metrics: their values, and the description that CloudWatch finds them by. */
export interface MetricMembers extends Readonly<Partial<Record<MetricName, number>>> {
  readonly _aws: object;
}

/**
 * Makes the members by which a line carries metrics. A metric that is in several sets has one value.
 *
 * @param epochMs when the values were taken.
 */
export function metricMembers(epochMs: number, ...sets: readonly MetricSet[]): MetricMembers {
  const descriptions = sets.map(({ by, values }) => ({
    Namespace: METRIC_NAMESPACE,
    Dimensions: [metricDimensions[by]],
    Metrics: (Object.keys(values) as MetricName[]).map((Name) => ({ Name, Unit: metricUnits[Name] })),
  }));
  return {
    ...Object.assign({}, ...sets.map(({ values }) => values)),
    _aws: { Timestamp: epochMs, CloudWatchMetrics: descriptions },
  };
}
