/** The states of a record: how far each has come, and which ones it can still become, by one step or by several. */
export interface Lifecycle<State extends string> {
  /** 0 to 9. A state has a higher rank than any that it can come from. */
  readonly rank: Readonly<Record<State, number>>;
  /**
   * Everything that can follow, not only the next step: of a record that went through three states, the second may
   * arrive last or never, and the third must be accepted all the same.
   */
  readonly reaches: Readonly<Record<State, readonly State[]>>;
}

/** The states that a record may be in when another version of it arrives in `state`: all that lead there, and itself. */
export function leadingTo<State extends string>(lifecycle: Lifecycle<State>, state: State): readonly State[] {
  const states = Object.keys(lifecycle.reaches) as State[];
  return states.filter((earlier) => earlier === state || lifecycle.reaches[earlier].includes(state));
}

/**
 * Where a version of a record stands among the others: by the instant of its update (18 digits of microseconds), then
 * by how far its state has come. Sorts as text.
 */
export const versionKey = (updatedMicros: string, rank: number): string => `${updatedMicros}#${rank}`;
