import { utcText } from "./instant.ts";

/** The states of a record: the rank of each, and the states that usually follow it, by one step or by several. */
export interface Lifecycle<State extends string> {
  /** 0 to 9. A state has a higher rank than any state that it usually comes from. */
  readonly rank: Readonly<Record<State, number>>;
  /**
   * Every state that usually follows, not only the next: of three states that a record went through, the second may
   * arrive last or never.
   */
  readonly reaches: Readonly<Record<State, readonly State[]>>;
}

/** A step that a record does not usually take, as `declined → completed`; undefined when it is a usual one. */
export function unusualStep<State extends string>(
  lifecycle: Lifecycle<State>,
  from: string,
  to: State,
): string | undefined {
  const following: readonly string[] = Object.hasOwn(lifecycle.reaches, from)
    ? lifecycle.reaches[from as State]
    : [];
  return from === to || following.includes(to) ? undefined : `${from} → ${to}`;
}

/** The change between two instants of creation, in 18 digits of microseconds; undefined when they are equal. */
export const creationStep = (from: string, to: string): string | undefined =>
  from === to ? undefined : `created_at ${microsText(from)} → ${microsText(to)}`;

const SECONDS_LENGTH = 12;

const microsText = (micros: string): string =>
  utcText({ seconds: Number(micros.slice(0, SECONDS_LENGTH)), fraction: micros.slice(SECONDS_LENGTH) });

/** The instant of a version's update, from the version's key. */
export const versionInstant = (version: string): string => microsText(version.split("#")[0] ?? "");

/**
 * The place of a version among all of its record: by the instant of its update (18 digits of microseconds), then by the
 * rank of its state. Sorts as text.
 */
export const versionKey = (updatedMicros: string, rank: number): string => `${updatedMicros}#${rank}`;
