import { utcText } from "./instant.ts";

/** The states of a record: how far each has come, and which ones usually follow it, by one step or by several. */
export interface Lifecycle<State extends string> {
  /** 0 to 9. A state has a higher rank than any that it usually comes from. */
  readonly rank: Readonly<Record<State, number>>;
  /**
   * Everything that usually follows, not only the next step: of a record that went through three states, the second may
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

/** How an instant of creation changed, of two in 18 digits of microseconds; undefined when it did not. */
export const creationStep = (from: string, to: string): string | undefined =>
  from === to ? undefined : `created_at ${microsText(from)} → ${microsText(to)}`;

const SECONDS_LENGTH = 12;

const microsText = (micros: string): string =>
  utcText({ seconds: Number(micros.slice(0, SECONDS_LENGTH)), fraction: micros.slice(SECONDS_LENGTH) });

/** The instant of update of a version, by its key. */
export const versionInstant = (version: string): string => microsText(version.split("#")[0] ?? "");

/**
 * Where a version of a record stands among the others: by the instant of its update (18 digits of microseconds), then
 * by how far its state has come. Sorts as text.
 */
export const versionKey = (updatedMicros: string, rank: number): string => `${updatedMicros}#${rank}`;
