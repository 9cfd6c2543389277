/**
 * Behaviour that DynamoDB may show and an emulator never does. Each part is off by default: the first trial of a client
 * needs repeatable answers, a test needs the worst that DynamoDB may do.
 */
export interface StoreBehaviour {
  /** How far reads of a global index may be behind the writes, in milliseconds. */
  readonly indexLagMs: number;
  /** How far reads of a table that are not strongly consistent may be behind the writes, in milliseconds. */
  readonly eventualLagMs: number;
  /** The capacity of a partition, as a share of DynamoDB's; undefined for no limit. */
  readonly partitionShare: number | undefined;
  /** `early`: an item is gone at the second at which it expires. `late`: it stays. DynamoDB is in between. */
  readonly expiry: "early" | "late";
  /** The share of writes that take effect and are never answered, from 0 to 1. */
  readonly lostShare: number;
}

/**
 * An emulator's own behaviour, and the default of `npm start`: every read sees every write, capacity has no limit, and
 * items never expire.
 */
export const plainBehaviour: StoreBehaviour = {
  indexLagMs: 0,
  eventualLagMs: 0,
  partitionShare: undefined,
  expiry: "late",
  lostShare: 0,
};

const percent = (share: number): string => `${Number((share * 100).toPrecision(3))} %`;

/** The parts of a behaviour that differ from an emulator's own, a line each, for the person at the terminal. */
export function describeBehaviour(behaviour: StoreBehaviour): readonly string[] {
  const { indexLagMs, eventualLagMs, partitionShare, expiry, lostShare } = behaviour;
  return [
    ...(indexLagMs > 0 ? [`Reads of an index are up to ${indexLagMs} ms behind the writes.`] : []),
    ...(eventualLagMs > 0
      ? [`Reads that are not strongly consistent are up to ${eventualLagMs} ms behind the writes.`]
      : []),
    ...(partitionShare === undefined
      ? []
      : [`Each partition is throttled at ${percent(partitionShare)} of DynamoDB's capacity.`]),
    ...(expiry === "early" ? ["Items are gone at the second at which they expire."] : []),
    ...(lostShare > 0 ? [`${percent(lostShare)} of the writes take effect and are not answered.`] : []),
  ];
}
