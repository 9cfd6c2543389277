import type { TomorrowScene } from "../../local/tomorrow/scenes.ts";

/** The interfaces whose clients can be checked, in the order of the report. */
export const interfaceNames = ["exchange", "business", "ramp", "passes"] as const;
export type InterfaceName = (typeof interfaceNames)[number];

/** An event that happens to a request before its station's own answer, and the wait that the answer asks for. */
export type Trouble =
  | { readonly kind: "limited" | "unavailable" | "disabled"; readonly waitMs: number }
  | { readonly kind: "cut" | "cut-body" };

const endings = ["refused", "forbidden", "missing", "gone", "redirected"] as const;

/** The last answer of a scene, to this request and to every repetition of it. */
export type Ending = (typeof endings)[number];

/** Whether an answer ends its scene for good. */
export const isEnding = (answer: Content | Ending): answer is Ending => endings.some((one) => one === answer);

/**
 * The records of a station's answer: `plain`; with all changes of tomorrow of one kind; `deprecated`, with the headers of
 * an end to come; `same`, unchanged.
 */
export type Content = "plain" | "empty-page" | "new-member" | "absent-member" | "deprecated" | "same";

/** A page, a poll or a record of a scene: the troubles come first, one for each request, and then the answer. */
export interface Station {
  readonly troubles: readonly Trouble[];
  readonly answer: Content | Ending;
}

/** What a client meets while it reads one listing, one record, or a pass for as long as it changes. */
export interface Scene {
  readonly stations: readonly Station[];
  /** How all answers of the scene are changed; undefined in the scenes of today. */
  readonly changes?: readonly TomorrowScene[];
  /** Whether a record that is read by itself is one of a failure. */
  readonly isOfFailure?: boolean;
}

/** How an endpoint is read: a listing page by page, a record at once, or a record again and again. */
export type Manner = "list" | "record" | "poll";

const station = (answer: Station["answer"], ...troubles: readonly Trouble[]): Station => ({
  troubles,
  answer,
});
const sceneOf = (...stations: readonly Station[]): Scene => ({ stations });

/** The troubles of an interface, one of each kind. */
function troublesOf(name: InterfaceName) {
  // Where `Retry-After` counts seconds, a header cannot ask for less than one.
  const [unavailableMs, disabledMs] = name === "exchange" ? [600, 800] : [1_000, 1_000];
  return {
    limit: { kind: "limited", waitMs: 1_500 },
    failure: { kind: "unavailable", waitMs: unavailableMs },
    off: { kind: "disabled", waitMs: disabledMs },
    cut: { kind: "cut" },
    cutBody: { kind: "cut-body" },
  } as const;
}
type Troubles = ReturnType<typeof troublesOf>;

// Two failures come in a row, so that a growing pause shows.

const listing = ({ limit, failure, off, cut, cutBody }: Troubles): Scene =>
  sceneOf(
    station("plain", limit),
    station("plain", failure, failure),
    station("empty-page", cut),
    station("new-member", cutBody),
    station("deprecated", off),
    station("absent-member"),
    station("plain"),
  );

const records = ({ limit, failure, off, cut, cutBody }: Troubles): readonly Scene[] => [
  sceneOf(station("plain", limit)),
  sceneOf(station("new-member", failure, failure)),
  sceneOf(station("deprecated", cut)),
  sceneOf(station("absent-member", cutBody)),
  sceneOf(station("plain", off)),
];

const polls = ({ limit, failure, off, cut, cutBody }: Troubles): Scene =>
  sceneOf(
    station("plain"),
    station("same"),
    station("same", limit),
    station("new-member"),
    station("same", failure, failure),
    station("deprecated", cut),
    station("absent-member", cutBody),
    station("same", off),
    station("gone"),
  );

/** Everything succeeds: also for a client that comes back once it has met all scenes. */
export const undisturbed: Scene = sceneOf(station("plain"));

/** The scenes of an endpoint, in the order in which a client meets them. */
export function scenesOf(name: InterfaceName, manner: Manner): readonly Scene[] {
  const troubles = troublesOf(name);
  const refusals = [
    sceneOf(station("refused")),
    // The interface of the ramp has no scopes.
    ...(name === "ramp" ? [] : [sceneOf(station("forbidden"))]),
    sceneOf(station("redirected")),
  ];
  // A client that reads two windows in a run reads both of them to the end, so that what they share shows.
  if (manner === "list") return [listing(troubles), undisturbed, ...refusals];
  if (manner === "record") return [...records(troubles), ...refusals];
  return [polls(troubles), sceneOf(station("missing")), ...refusals];
}

/** A listing, a record or a pass in which nothing happens but the changes: two pages, or a pass until it is gone. */
export function tomorrowOf(manner: Manner, changes: readonly TomorrowScene[], isOfFailure = false): Scene {
  const isEmpty = changes.some(({ kind }) => kind === "empty-page");
  const answers = {
    list: isEmpty ? (["plain", "empty-page", "plain"] as const) : (["plain", "plain"] as const),
    record: ["plain"],
    poll: ["plain", "same", "gone"],
  } as const;
  return { stations: answers[manner].map((answer) => station(answer)), changes, isOfFailure };
}
