/** A metric as CloudWatch keeps it. */
export interface Metric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

/** A metric with the statistic of each period. */
export interface Measure {
  readonly metric: Metric;
  readonly statistic: "Maximum" | "Minimum" | "Sum" | "p99";
}

/** The values that ring: above a number, from a number on, below a number, or beyond so many deviations from the usual. */
export type Bound =
  | { readonly above: number }
  | { readonly from: number }
  | { readonly below: number }
  | { readonly deviations: number };

/** How many of the last periods must be beyond the bound. A period without data is not, unless the alarm says so. */
export interface Span {
  readonly periodS: number;
  readonly breaching: number;
  readonly of: number;
}

/** An alarm of a stage, as `ServiceAlarm` makes it. */
export interface AlarmDefinition {
  /** Ends the alarm's name, which begins with the stack's prefix. */
  readonly name: string;
  /** The heading in `docs/runbook.md`, as its anchor. */
  readonly section: string;
  /** What is the matter while the alarm rings: a sentence. */
  readonly meaning: string;
  /** What is measured, by the names that the expression uses. */
  readonly measures: Readonly<Record<string, Measure>>;
  /** The value of a period in CloudWatch's metric math; left out for a single measure as it is. */
  readonly expression?: string;
  readonly bound: Bound;
  readonly span: Span;
  /** Whether a period without data is beyond the bound too: then silence is what is the matter. */
  readonly ringsWithoutData?: true;
  /**
   * Whether it wakes somebody by itself: callers get no answers, or wrong ones, and somebody can do something about it.
   * One that does not may be joined with others.
   */
  readonly pages: boolean;
}

/** An alarm that wakes somebody for others, where several of them notice one fault. */
export interface JoinedAlarm extends Pick<AlarmDefinition, "name" | "section" | "meaning"> {
  /** The names of the alarms; it rings while any of them does. */
  readonly anyOf: readonly string[];
  /** An alarm that pages for the same fault: while it rings, this one tells nobody. */
  readonly unless?: string;
}

/** The name of a stage's alarm, which is text so that policies and commands can name it. */
export const alarmName = (stageName: string, name: string): string => `countinghouse-${stageName}-${name}`;

/** The end of the name of the alarm that reminds of an endpoint's switch. */
export const switchedOffName = (endpoint: string): string => `switched-off-${endpoint}`;

/** So many of the last minutes. */
export const minutes = (breaching: number, of: number): Span => ({ periodS: 60, breaching, of });

/** The sum of a metric in each period. */
export const sum = (metric: Metric): Measure => ({ metric, statistic: "Sum" });
