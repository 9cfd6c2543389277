import { ClockShift } from "../clock/clock-shift.ts";
import { readStartNote, type StartNote, writeStartNote } from "../store/start-note.ts";
import { shiftAfter } from "./time-move.ts";
import type { ToldTime } from "./time-routes.ts";

/**
 * How far the time of a data directory's service is ahead of the machine's, in milliseconds. It is the data's, because
 * records and limits are dated by it: a stop and a start keep it, and commands go by it. A note that cannot be read says
 * nothing of it; whoever needs the rest of it tells of that.
 */
export const readAheadMs = async (dataDir: string): Promise<number> =>
  (await readStartNote(dataDir).catch(() => undefined))?.aheadMs ?? 0;

/** The time of the service that runs on a data directory. */
export class ServiceTime {
  readonly shift = new ClockShift();
  readonly clock = this.shift.clock;
  readonly #dataDir: string;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  /** Goes on from where the last start has moved it. */
  async resume(): Promise<void> {
    this.shift.ms = await readAheadMs(this.#dataDir);
  }

  /**
   * Moves it on as a text says.
   *
   * @throws {ControlRefusal} as {@link shiftAfter} does.
   */
  move(text: string): Promise<void> {
    return this.#set(shiftAfter(this.shift, text));
  }

  /** Makes it the machine's again. */
  reset(): Promise<void> {
    return this.#set(0);
  }

  tell(): ToldTime {
    return { now: this.clock(), aheadMs: this.shift.ms };
  }

  /** The note comes first: a killed service must not forget a time by which it has dated records. */
  async #set(aheadMs: number): Promise<void> {
    const note = (await readStartNote(this.#dataDir)) as StartNote;
    await writeStartNote(this.#dataDir, { ...note, aheadMs });
    this.shift.ms = aheadMs;
  }
}
