/** A number that was measured several times: its median, and the range of the middle half of its samples. */
export interface Summary {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly samples: number;
}

/** One line of the table: our figure and a peer's, on the same load, in turns. */
export interface Figure {
  readonly what: string;
  /** The unit of `ours` and `peer`; the ratio has no unit. */
  readonly unit: string;
  readonly ours: Summary;
  readonly peerName: string;
  readonly peer: Summary;
  /** Ours divided by the peer's: within each pair of samples, or of the two counts. */
  readonly ratio: Summary;
  readonly aim?: Aim;
}

/** The value that a figure should reach. */
interface Aim {
  readonly text: string;
  readonly isMet: boolean;
}

/** A named set of figures. `npm run bench -- --only NAME` runs one. */
export interface Measurement {
  readonly name: string;
  /** The comparison, its method and what it leaves out; printed above the figures. */
  readonly about: string;
  run(): Promise<readonly Figure[]>;
}

/** A summary of samples in any order. @throws {RangeError} for an empty list. */
export function summarize(samples: readonly number[]): Summary {
  const sorted = samples.toSorted((a, b) => a - b);
  return {
    median: quantile(sorted, 0.5),
    low: quantile(sorted, 0.25),
    high: quantile(sorted, 0.75),
    samples: samples.length,
  };
}

function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  if (below === undefined || above === undefined) throw new RangeError("There are no samples.");
  return below + (above - below) * (at - Math.floor(at));
}

interface FigureOptions {
  readonly what: string;
  readonly unit: string;
  readonly peerName: string;
  readonly ratioMax?: number | undefined;
}

/** A figure of paired samples: the ratio is taken within each pair, so that a disturbance of both cancels out. */
export function figureOfPairs(
  { what, unit, peerName, ratioMax }: FigureOptions,
  pairs: readonly (readonly [ours: number, peer: number])[],
): Figure {
  const ratio = summarize(pairs.map(([ours, peer]) => ours / peer));
  return {
    what,
    unit,
    peerName,
    ours: summarize(pairs.map(([ours]) => ours)),
    peer: summarize(pairs.map(([, peer]) => peer)),
    ratio,
    ...(ratioMax !== undefined && { aim: atMost(ratioMax, ratio.median) }),
  };
}

/** A figure of two counts that are the same in every run. */
export const figureOfCounts = (options: FigureOptions, ours: number, peer: number): Figure =>
  figureOfPairs(options, [[ours, peer]]);

const atMost = (ratioMax: number, ratio: number): Aim => ({
  text: `ratio at most ${Number(ratioMax.toPrecision(3))}`,
  isMet: ratio <= ratioMax,
});
