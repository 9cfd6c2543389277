/** A metric by what CloudWatch finds it by. */
export interface MetricKey {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

/** What a period has of a metric: a statistic, and the number of samples that it was made of. */
export interface Reading {
  readonly value: number;
  readonly samples: number;
}

interface Directive {
  readonly Namespace: string;
  readonly Dimensions: readonly (readonly string[])[];
  readonly Metrics: readonly { readonly Name: string }[];
}

const keyOf = ({ namespace, name, dimensions }: MetricKey): string => {
  const pairs = Object.entries(dimensions).map(([member, value]) => `${member}=${value}`);
  return JSON.stringify([namespace, name, pairs.toSorted()]);
};

/** The samples of metrics, as CloudWatch collects them from lines of the log and from its own services. */
export class MetricData {
  readonly #samples = new Map<string, { readonly atMs: number; readonly value: number }[]>();

  /** Adds a sample, so many times. */
  add(metric: MetricKey, atMs: number, value = 1, times = 1): this {
    const samples = this.#samples.get(keyOf(metric)) ?? [];
    for (let n = 0; n < times; n += 1) samples.push({ atMs, value });
    this.#samples.set(keyOf(metric), samples);
    return this;
  }

  /** Takes the metrics of a line in embedded metric format, as if it was written at another time, so many times. */
  addLine(line: string, atMs: number, times = 1): this {
    const members = JSON.parse(line) as Record<string, unknown> & {
      readonly _aws: { readonly CloudWatchMetrics: readonly Directive[] };
    };
    for (const { Namespace: namespace, Dimensions, Metrics } of members._aws.CloudWatchMetrics)
      for (const set of Dimensions)
        for (const { Name: name } of Metrics) {
          const dimensions = Object.fromEntries(set.map((member) => [member, String(members[member])]));
          this.add({ namespace, name, dimensions }, atMs, Number(members[name]), times);
        }
    return this;
  }

  /** A statistic over the period that begins at an instant; undefined without samples. */
  read(metric: MetricKey, statistic: string, startMs: number, periodMs: number): Reading | undefined {
    const all = this.#samples.get(keyOf(metric)) ?? [];
    const values = all
      .filter(({ atMs }) => atMs >= startMs && atMs < startMs + periodMs)
      .map(({ value }) => value)
      .sort((a, b) => a - b);
    if (values.length === 0) return undefined;
    return { value: statisticOf(statistic, values), samples: values.length };
  }
}

function statisticOf(statistic: string, sorted: readonly number[]): number {
  const percentile = /^p(\d+)$/.exec(statistic)?.[1];
  const rank = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] as number;
  if (percentile !== undefined) return rank(Number(percentile) / 100);
  if (statistic === "Sum") return sorted.reduce((sum, value) => sum + value, 0);
  if (statistic === "Maximum") return rank(1);
  if (statistic === "Minimum") return sorted[0] as number;
  throw new Error(`No reading of the statistic ${statistic}`);
}
