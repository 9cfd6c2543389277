import {
  type Content,
  type Ending,
  isEnding,
  type Manner,
  type Scene,
  type Station,
  type Trouble,
  undisturbed,
} from "./scene.ts";

/** One request, as far as it decides its place in a scene. */
export interface Cue {
  /** Counts the runs of the client, from 1. */
  readonly run: number;
  /** Equal for all requests of one listing, or of one record. */
  readonly subject: string;
  /** The place that a cursor names; undefined for a request without a cursor. */
  readonly cursor?: { readonly act: number; readonly station: number };
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The place of a request in the play, and what it meets there. */
export interface Step {
  /** Counts the scenes that began, from 1. */
  readonly act: number;
  /** The run of the client in which the scene began. */
  readonly run: number;
  readonly scene: Scene;
  /** Index among the scene's stations. */
  readonly station: number;
  /** Undefined where the request meets the station's own answer. */
  readonly trouble?: Trouble;
  readonly answer: Content | Ending;
  /** Whether the scene's last station is reached. */
  readonly isLast: boolean;
}

/** A request this long after the end of a scene is a new one; a request before it repeats the refused one. */
export const REPETITION_MS = 3_000;

interface Act {
  readonly number: number;
  readonly scene: Scene;
  readonly run: number;
  readonly subject: string;
  /** The troubles that each station has already made. */
  readonly made: number[];
  /** The station that a request without a cursor meets. */
  current: number;
  /** The station that was asked for last, and whether it gave its answer. */
  reached: { readonly station: number; readonly isAnswered: boolean };
  /** When the last answer was given; undefined before. */
  endedMs?: number;
}

/**
 * A scene without what made a client break it off: the troubles up to the station that it reached, and that station's
 * special answer. Undefined where there is nothing to take away.
 */
function restOf({ stations }: Scene, { station, isAnswered }: Act["reached"]): Scene | undefined {
  const { troubles = [], answer = "plain" } = stations[station] ?? {};
  if (isAnswered ? answer === "plain" : troubles.length === 0) return undefined;
  const eased = stations.map((one, at): Station => {
    if (at > station) return one;
    return { troubles: [], answer: at === station && isAnswered ? "plain" : one.answer };
  });
  return { stations: eased };
}

/**
 * The scenes of one endpoint. A scene begins with a request for something new, and a client that repeats a request, or
 * follows a cursor, goes on in the scene that it is in.
 */
export class Play {
  /** The scene of everything that begins from now on, in place of those that wait. */
  staged?: Scene;
  readonly #manner: Manner;
  readonly #waiting: Scene[];
  readonly #acts: Act[] = [];

  constructor(manner: Manner, scenes: readonly Scene[]) {
    this.#manner = manner;
    this.#waiting = [...scenes];
  }

  /** Whether any request was made. */
  get isBegun(): boolean {
    return this.#acts.length > 0;
  }

  /** Whether every scene has come to its end. */
  get isOver(): boolean {
    return this.#waiting.length === 0 && this.#acts.every(({ endedMs }) => endedMs !== undefined);
  }

  /** Whether another run of the client meets something new. */
  get hasMore(): boolean {
    if (this.#manner === "poll") return !this.isOver;
    return this.#waiting.length > 0 || this.#restOfAbandoned(Number.POSITIVE_INFINITY) !== undefined;
  }

  /** What a request meets. */
  step(cue: Cue): Step {
    const act = this.#acts.find(({ number }) => number === cue.cursor?.act) ?? this.#current(cue);
    const { stations } = act.scene;
    const station = Math.min(cue.cursor?.station ?? act.current, stations.length - 1);
    const { troubles = [], answer = "plain" } = stations[station] ?? {};
    const isLast = station === stations.length - 1;
    const trouble = troubles[act.made[station] ?? 0];
    const step = { act: act.number, run: act.run, scene: act.scene, station, answer, isLast };
    act.reached = { station, isAnswered: trouble === undefined };
    if (trouble !== undefined) {
      act.made[station] = (act.made[station] ?? 0) + 1;
      return { ...step, trouble };
    }
    if (isLast) act.endedMs ??= cue.now;
    if (this.#manner === "poll") act.current = Math.min(station + 1, stations.length - 1);
    return step;
  }

  /** The scene that a request without a cursor goes on with, or begins. */
  #current(cue: Cue): Act {
    const open = this.#acts.findLast((act) => this.#goesOnWith(act, cue));
    if (open !== undefined) return open;
    const { run, subject } = cue;
    const scene = this.staged ?? this.#restOfAbandoned(run) ?? this.#waiting.shift() ?? undisturbed;
    const reached = { station: 0, isAnswered: false };
    const act: Act = { number: this.#acts.length + 1, scene, run, subject, made: [], current: 0, reached };
    this.#acts.push(act);
    return act;
  }

  /** What is left of a scene that an earlier run broke off, so that one fault does not hide all that comes after it. */
  #restOfAbandoned(run: number): Scene | undefined {
    const last = this.#acts.at(-1);
    if (last === undefined || last.run === run || last.endedMs !== undefined) return undefined;
    return restOf(last.scene, last.reached);
  }

  #goesOnWith({ subject, run, endedMs, scene }: Act, cue: Cue): boolean {
    if (subject !== cue.subject) return false;
    const isSameRun = run === cue.run;
    if (endedMs === undefined) return isSameRun || (this.#manner === "poll" && this.staged === undefined);
    const last = scene.stations.at(-1)?.answer;
    return isSameRun && last !== undefined && isEnding(last) && cue.now - endedMs < REPETITION_MS;
  }
}
