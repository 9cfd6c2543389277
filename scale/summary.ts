import type { Outcome, Refuser, Second } from "./model/run.ts";
import type { Scenario } from "./scenarios.ts";

/** How a scenario went, in calls of the whole deployment. */
export interface Summary {
  readonly name: string;
  readonly about: string;
  /** Calls a second that were sent and served around each quarter's end, from the first quarter to the last. */
  readonly offered: readonly number[];
  readonly served: readonly number[];
  /** Calls that each part refused in all. */
  readonly refused: Readonly<Record<Refuser, number>>;
  readonly coldStarts: number;
  readonly environments: number;
  /** Partitions of all tables at the end. */
  readonly partitions: number;
}

const QUARTERS = 4;

/** Adds an outcome up. */
export function summaryOf({ name, about, standsFor }: Scenario, { seconds }: Outcome): Summary {
  const sum = (of: (second: Second) => number): number =>
    standsFor * seconds.reduce((total, second) => total + of(second), 0);
  const quarters = (of: (second: Second) => number): readonly number[] =>
    Array.from({ length: QUARTERS }, (_, at) => {
      const end = Math.floor(((at + 1) * seconds.length) / QUARTERS);
      const last = seconds.slice(Math.max(0, end - Math.ceil(seconds.length / 20)), end);
      return Math.round((standsFor * last.reduce((total, second) => total + of(second), 0)) / last.length);
    });
  return {
    name,
    about,
    offered: quarters(({ offered }) => offered),
    served: quarters(({ served }) => served),
    refused: {
      gateway: sum(({ refused }) => refused.gateway),
      lambda: sum(({ refused }) => refused.lambda),
      limit: sum(({ refused }) => refused.limit),
      store: sum(({ refused }) => refused.store),
    },
    coldStarts: sum(({ coldStarts }) => coldStarts),
    environments: standsFor * Math.max(...seconds.map(({ environments }) => environments)),
    partitions: seconds.at(-1)?.partitions ?? 0,
  };
}
