import type { Bucket } from "../../lib/rate-limit/token-bucket.ts";
import { countOf, type Draw, oneOf } from "./arrivals.ts";
import { Environments, type EnvironmentsProps } from "./environments.ts";
import { Owners } from "./owners.ts";
import { Supply } from "./supply.ts";
import { Table, type TableProps } from "./table.ts";

/** How many requests the gateway lets through. */
interface ThrottleProps {
  readonly requestsPerSecond: number;
  readonly burst: number;
}

/** A deployment under load. A supply that is never short stands for a part that the question leaves out. */
export interface Experiment {
  readonly seconds: number;
  /** Calls a second that callers send during a second, whatever the answers are. */
  readonly offered: (second: number) => number;
  readonly throttles: readonly ThrottleProps[];
  readonly environments: EnvironmentsProps;
  readonly owners: number;
  readonly buckets: readonly Bucket[];
  /** Tokens of a call. */
  readonly tokens: number;
  /** The table of the limits, which each decision writes to. */
  readonly limits: TableProps;
  /** The tables that a call reads once its tokens are paid. */
  readonly reads: readonly TableProps[];
}

/** The part of the deployment that refused a call. */
export type Refuser = "gateway" | "lambda" | "limit" | "store";

/** What happened during a second. */
export interface Second {
  readonly offered: number;
  readonly served: number;
  readonly refused: Readonly<Record<Refuser, number>>;
  readonly coldStarts: number;
  /** Environments at the end of the second. */
  readonly environments: number;
  /** Partitions of all tables at the end of the second. */
  readonly partitions: number;
}

/** The end of an experiment: each second, and what was used up in all. */
export interface Outcome {
  readonly seconds: readonly Second[];
  readonly tokensCharged: number;
  /** Units that the reads of each table took. */
  readonly readUnits: readonly number[];
}

/**
 * Lets callers arrive at random, ms by ms, and sends each call through gateway, Lambda, limit and store in that order.
 * The same draws give the same outcome.
 */
export function run(experiment: Experiment, draw: Draw): Outcome {
  let now = 0;
  const parts = partsOf(experiment, () => now, draw);
  const seconds = Array.from({ length: experiment.seconds }, (_, second) => {
    const tally = emptyTally();
    const mean = experiment.offered(second) / 1_000;
    for (let ms = 0; ms < 1_000; ms += 1, now += 1)
      for (let left = countOf(draw, mean); left > 0; left -= 1) count(tally, answer(parts, now, draw));
    return { ...tally, environments: parts.environments.count, partitions: partitionsOf(parts) };
  });
  return {
    seconds,
    tokensCharged: parts.owners.charged,
    readUnits: parts.reads.map(({ served }) => served),
  };
}

type Parts = ReturnType<typeof partsOf>;

const partsOf = (experiment: Experiment, clock: () => number, draw: Draw) => ({
  throttles: experiment.throttles.map(
    ({ requestsPerSecond, burst }) => new Supply(requestsPerSecond, burst, clock()),
  ),
  environments: new Environments(experiment.environments, clock()),
  owners: new Owners(experiment.owners, experiment.buckets),
  tokens: experiment.tokens,
  ownerCount: experiment.owners,
  limits: new Table(experiment.limits, clock, draw),
  reads: experiment.reads.map((props) => new Table(props, clock, draw)),
});

const partitionsOf = ({ limits, reads }: Parts): number =>
  [limits, ...reads].reduce((sum, { partitions }) => sum + partitions, 0);

interface Answer {
  readonly refuser?: Refuser;
  readonly isCold: boolean;
}

function answer(parts: Parts, now: number, draw: Draw): Answer {
  // A request that a later throttle refuses has taken from the earlier ones.
  if (!parts.throttles.every((throttle) => throttle.take(now))) return { refuser: "gateway", isCold: false };
  const environment = parts.environments.take(now);
  if (environment === undefined) return { refuser: "lambda", isCold: false };
  const isCold = environment === "cold";
  const owner = oneOf(draw, parts.ownerCount);
  if (!parts.limits.serve(owner)) return { refuser: "store", isCold };
  if (!parts.owners.admit(owner, parts.tokens, now)) return { refuser: "limit", isCold };
  return parts.reads.every((table) => table.serve()) ? { isCold } : { refuser: "store", isCold };
}

const emptyTally = () => ({
  offered: 0,
  served: 0,
  refused: { gateway: 0, lambda: 0, limit: 0, store: 0 },
  coldStarts: 0,
});

function count(tally: ReturnType<typeof emptyTally>, { refuser, isCold }: Answer): void {
  tally.offered += 1;
  if (isCold) tally.coldStarts += 1;
  if (refuser === undefined) tally.served += 1;
  else tally.refused[refuser] += 1;
}
