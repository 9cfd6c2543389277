import type { Credentials } from "./types.ts";

/** One call of a world's method, for the thread that runs the worlds. Texts, so that no object crosses realms. */
export interface HouseCall {
  readonly id: number;
  readonly world: string;
  readonly method: string;
  /** The arguments, as `writeArguments` writes them. */
  readonly given: string;
}

/** An open world, as the test's thread needs to know it. */
export interface OpenedWorld {
  readonly baseUrl: string;
  readonly credentials: Credentials;
}

/** What the thread sends: the outcome of a call, or a line of a world. */
export type HouseMessage =
  | {
      readonly id: number;
      /** What the call resolves with, as JSON; absent for nothing. */
      readonly json?: string;
      /** The memory of an opened world's `ClockShift`. */
      readonly clockShift?: SharedArrayBuffer;
    }
  | {
      readonly id: number;
      readonly refusal: string;
      /** The stack of a failure that no caller could expect. */
      readonly stack?: string;
    }
  | { readonly world: string; readonly line: string };

/** The name of the world that a start opens. */
export const OWN_WORLD = "main";
