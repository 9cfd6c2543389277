import { brokenInstantRule, epochMsOf, type Instant } from "./instant.ts";
import { type CallOptions, callRules } from "./options.ts";
import { TIMER_MS_MAX } from "./platform.ts";
import { aNumber, anObject, holdTo } from "./rules.ts";

/** From where a follow goes on: plain data, to be kept as JSON. */
export interface FollowResume {
  /** Changes before this instant are not given any more. Microseconds since 1970. */
  readonly sinceMicros: number;
  /** The last version of each record that was given since then or may soon change, by its id. */
  readonly seen: Readonly<Record<string, string>>;
}

/** What is followed, and how. */
export interface FollowOptions extends CallOptions {
  /** Changes of this instant or later are given: those whose `updated_at` it is. Default: now. */
  readonly since?: Instant | undefined;
  /** Goes on where another follow has ended: its `resume`. */
  readonly resume?: FollowResume | undefined;
  /** From one look at what is new or open to the next, in milliseconds. Default: 5,000. */
  readonly everyMs?: number | undefined;
}

/**
 * From where a follow begins.
 *
 * @throws {TypeError} for options that cannot be meant.
 */
export function beginningOf(options: FollowOptions, now: () => number): FollowResume {
  holdTo({ ...callRules, everyMs: aNumber(1, TIMER_MS_MAX) }, options);
  const { resume, since = now() } = options;
  if (resume !== undefined) return resumed(resume);
  const ms = epochMsOf(since);
  if (Number.isNaN(ms)) throw new TypeError(`since: ${brokenInstantRule(since)}.`);
  return { sinceMicros: ms * 1000, seen: {} };
}

function resumed(resume: FollowResume): FollowResume {
  const { sinceMicros, seen } = resume ?? {};
  const isWhole =
    Number.isSafeInteger(sinceMicros) &&
    anObject.isKept(seen) &&
    Object.values(seen).every((version) => /^\d{18}#[\d?]$/.test(version));
  if (!isWhole) throw new TypeError("resume: must be the resume of a follow.");
  return { sinceMicros, seen };
}
