/**
 * What the local store does as DynamoDB may, and an emulator never does. Each is off unless asked for: whoever tries a
 * client wants the same answer twice, whoever tests it wants the worst that DynamoDB promises.
 */
export interface StoreBehaviour {
  /** How far reads of a global index may be behind the writes, in milliseconds. */
  readonly indexLagMs: number;
  /** How far reads of a table that are not strongly consistent may be behind the writes, in milliseconds. */
  readonly eventualLagMs: number;
  /** What a partition bears, as a share of DynamoDB's limits; undefined for no limit at all. */
  readonly partitionShare: number | undefined;
  /** Whether an item is gone at the second at which it expires, or stays; DynamoDB is somewhere between. */
  readonly expiry: "early" | "late";
  /** The share of writes that take effect and are never answered, from 0 to 1. */
  readonly lostShare: number;
}

/** An emulator's own behaviour: at once, without limits, and for good. */
export const plainBehaviour: StoreBehaviour = {
  indexLagMs: 0,
  eventualLagMs: 0,
  partitionShare: undefined,
  expiry: "late",
  lostShare: 0,
};

const percent = (share: number): string => `${Number((share * 100).toPrecision(3))} %`;

/** What a behaviour has beyond an emulator's own, a line each, for the person at the terminal. */
export function describeBehaviour(behaviour: StoreBehaviour): readonly string[] {
  const { indexLagMs, eventualLagMs, partitionShare, expiry, lostShare } = behaviour;
  return [
    ...(indexLagMs > 0 ? [`Reads of an index are up to ${indexLagMs} ms behind the writes.`] : []),
    ...(eventualLagMs > 0
      ? [`Reads that are not strongly consistent are up to ${eventualLagMs} ms behind the writes.`]
      : []),
    ...(partitionShare === undefined
      ? []
      : [`Each partition is throttled at ${percent(partitionShare)} of what DynamoDB's bear.`]),
    ...(expiry === "early" ? ["Items are gone at the second at which they expire."] : []),
    ...(lostShare > 0 ? [`${percent(lostShare)} of the writes take effect and are not answered.`] : []),
  ];
}
