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
 * The records of a station's answer: `plain`; `empty`, a page without records; `newer`, with members that the client
 * cannot know; `deprecated`, with the headers of an end to come; `bare`, without any optional member; `same`, unchanged.
 */
export type Content = "plain" | "empty" | "newer" | "deprecated" | "bare" | "same";

/** A page, a poll or a record of a scene: the troubles come first, one for each request, and then the answer. */
export interface Station {
  readonly troubles: readonly Trouble[];
  readonly answer: Content | Ending;
}

/** What a client meets while it reads one listing, one record, or a pass for as long as it changes. */
export interface Scene {
  readonly name: string;
  readonly stations: readonly Station[];
  /** How all answers of the scene are changed; undefined in the scenes of today. */
  readonly changes?: readonly TomorrowScene[];
  /** Whether a record that is read by itself is one of a failure. */
  readonly isOfFailure?: boolean | undefined;
}

/** How an endpoint is read: a listing page by page, a record at once, or a record again and again. */
export type Manner = "list" | "record" | "poll";

const station = (answer: Station["answer"], ...troubles: readonly Trouble[]): Station => ({
  troubles,
  answer,
});

/** The troubles of an interface: one of each kind, and two failures in a row, so that a growing pause shows. */
function troublesOf(name: InterfaceName) {
  // Where `Retry-After` counts seconds, a header cannot ask for less than one.
  const [unavailableMs, disabledMs] = name === "exchange" ? [600, 800] : [1_000, 1_000];
  const failure = { kind: "unavailable", waitMs: unavailableMs } as const;
  return {
    limit: [{ kind: "limited", waitMs: 1_500 }],
    failures: [failure, failure],
    off: [{ kind: "disabled", waitMs: disabledMs }],
    cut: [{ kind: "cut" }],
    cutBody: [{ kind: "cut-body" }],
  } as const satisfies Record<string, readonly Trouble[]>;
}

const ended = (name: string, answer: Ending): Scene => ({ name, stations: [station(answer)] });

/** The interface of the ramp has no scopes, so it never answers 403. */
const refusalsOf = (name: InterfaceName): readonly Scene[] => [
  ended("the credentials are refused", "refused"),
  ...(name === "ramp" ? [] : [ended("the scope is missing", "forbidden")]),
  ended("another host is named", "redirected"),
];

function listing(name: InterfaceName): Scene {
  const { limit, failures, off, cut, cutBody } = troublesOf(name);
  const pages = [
    station("plain", ...limit),
    station("plain", ...failures),
    station("empty", ...cut),
    station("newer", ...cutBody),
    station("deprecated", ...off),
    station("bare"),
    station("plain"),
  ];
  return { name: "a listing of seven pages", stations: pages };
}

function records(name: InterfaceName): readonly Scene[] {
  const { limit, failures, off, cut, cutBody } = troublesOf(name);
  return [
    { name: "the limit is reached", stations: [station("plain", ...limit)] },
    { name: "the store fails twice", stations: [station("newer", ...failures)] },
    { name: "the connection is cut", stations: [station("deprecated", ...cut)] },
    { name: "the body is cut", stations: [station("bare", ...cutBody)] },
    { name: "the endpoint is off", stations: [station("plain", ...off)] },
  ];
}

function polls(name: InterfaceName): Scene {
  const { limit, failures, off, cut, cutBody } = troublesOf(name);
  const stations = [
    station("plain"),
    station("same"),
    station("same", ...limit),
    station("newer"),
    station("same", ...failures),
    station("deprecated", ...cut),
    station("bare", ...cutBody),
    station("same", ...off),
    station("gone"),
  ];
  return { name: "a pass that changes until it is gone", stations };
}

/** Everything succeeds: also for a client that comes back once it has met all scenes. */
export const undisturbed: Scene = { name: "nothing happens", stations: [station("plain")] };

/** The scenes of an endpoint, in the order in which a client meets them. */
export function scenesOf(name: InterfaceName, manner: Manner): readonly Scene[] {
  const refusals = refusalsOf(name);
  // A client that reads two windows in a run reads both of them to the end, so that what they share shows.
  if (manner === "list") return [listing(name), undisturbed, ...refusals];
  if (manner === "record") return [...records(name), ...refusals];
  return [polls(name), ended("there is no such pass", "missing"), ...refusals];
}

/** A listing, a record or a pass in which nothing happens but the changes: two pages, or a pass until it is gone. */
export function tomorrowOf(
  manner: Manner,
  {
    scenes,
    isOfFailure,
  }: { readonly scenes: readonly TomorrowScene[]; readonly isOfFailure?: boolean | undefined },
): Scene {
  const isEmpty = scenes.some(({ kind }) => kind === "empty-page");
  const answers = {
    list: isEmpty ? (["plain", "empty", "plain"] as const) : (["plain", "plain"] as const),
    record: ["plain"],
    poll: ["plain", "same", "gone"],
  } as const;
  return {
    name: "tomorrow",
    stations: answers[manner].map((answer) => station(answer)),
    changes: scenes,
    isOfFailure,
  };
}
