import { type TomorrowScene, tomorrowScenes } from "../../local/tomorrow/scenes.ts";
import type { Finding } from "../checks/rule.ts";
import { countOf, isAmount, likeness } from "./rules/answer-rules.ts";
import { named } from "./rules/client-rule.ts";
import type { ClientRun } from "./run-client.ts";
import type { Changes, ScriptedService } from "./scripted-service.ts";
import type { Visit } from "./visit.ts";

export interface TomorrowOptions {
  readonly service: ScriptedService;
  /** Starts the client once, and ends it after so many requests. */
  readonly start: (changes: Changes, requestsMax: number) => Promise<ClientRun>;
  /** All that the client has kept of the records so far, beside what it prints. */
  readonly copy: () => Promise<string>;
  readonly stop: AbortSignal;
  /** Says which scene is played. */
  readonly tell: (text: string) => void;
}

/** One run of the client: its requests, and all that it showed. */
interface Played extends ClientRun {
  readonly visits: readonly Visit[];
  readonly shown: string;
}

/** The run with answers of today, and the members that it showed. */
interface Today extends Played {
  readonly members: ReadonlySet<string>;
}

/** A client sends at most so many requests where nothing is changed. */
const REQUESTS_MAX = 200;

/**
 * Starts the client once with answers as they are today, and then again for what the contracts allow to come at each
 * endpoint that it has called.
 *
 * @returns the findings, or as `fault` why there can be none.
 */
export async function checkTomorrow(
  options: TomorrowOptions,
): Promise<{ readonly findings: readonly Finding[]; readonly fault?: string }> {
  const today = await playToday(options, false);
  const fault = faultOf(today, today);
  if (fault !== undefined)
    return {
      findings: [],
      fault: `The client fails where nothing is changed: ${fault}. Check it without --tomorrow first.`,
    };
  let failed: Promise<Today> | undefined;
  const ofFailure = () => (failed ??= playToday(options, true));
  const findings: Finding[] = [];
  for (const endpoint of new Set(today.visits.map((visit) => visit.endpoint)))
    for (const scenes of Map.groupBy(tomorrowScenes(endpoint), ({ kind }) => kind).values())
      findings.push(...(await judgeKind(options, [today, ofFailure], { endpoint, scenes })));
  return { findings };
}

async function playToday(options: TomorrowOptions, isOfFailure: boolean): Promise<Today> {
  options.tell(isOfFailure ? "Today: a record of a failure." : "Today: nothing is changed.");
  const played = await play(options, { endpoint: "", scenes: [], isOfFailure }, REQUESTS_MAX);
  return { ...played, members: membersShown(played) };
}

/** Scenes that came at once, and what they broke. */
interface Judged {
  readonly scenes: readonly TomorrowScene[];
  readonly fault?: string | undefined;
}

const isBroken = ({ fault }: Judged): boolean => fault !== undefined;

/** The scenes that no answer had. */
const unmetOf = ({ scenes }: Changes, judged: readonly Judged[]): TomorrowScene[] =>
  scenes.filter((one) => !judged.some((some) => some.scenes.includes(one)));

/** The findings on the scenes of one kind: on each that broke the client, on those that it bore, and on the rest. */
async function judgeKind(
  options: TomorrowOptions,
  [today, ofFailure]: readonly [today: Today, ofFailure: () => Promise<Today>],
  kind: Changes,
): Promise<Finding[]> {
  const judged = await playKind(options, today, kind);
  // A record that is read by itself has some members only when it is one of a failure.
  const failed = unmetOf(kind, judged).length > 0 ? await ofFailure() : undefined;
  if (failed !== undefined && faultOf(failed, failed) === undefined) {
    const broken = judged.filter(isBroken).flatMap(({ scenes }) => scenes);
    const scenes = kind.scenes.filter((one) => !broken.includes(one));
    judged.push(...(await playKind(options, failed, { ...kind, scenes, isOfFailure: true })));
  }
  return findingsOf(today, kind, judged);
}

/** Plays the scenes of one kind beside a run of today. */
async function playKind(options: TomorrowOptions, today: Today, kind: Changes): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const scenes of Map.groupBy(kind.scenes, depthOf).values()) {
    const whole = await judge(options, today, { ...kind, scenes });
    judged.push(...whole);
    if (scenes[0]?.kind !== "absent-member" || scenes.length < 2 || whole.some(isBroken)) continue;
    // The absence of one member may break a client only where the one beside it is there.
    for (const half of [0, 1])
      judged.push(
        ...(await judge(options, today, { ...kind, scenes: scenes.filter((_, at) => at % 2 === half) })),
      );
  }
  return judged;
}

function findingsOf(today: Today, kind: Changes, judged: readonly Judged[]): Finding[] {
  const broken = judged.filter(isBroken);
  const unmet = unmetOf(kind, judged);
  const borne = kind.scenes.filter(
    (one) => ![...unmet, ...broken.flatMap(({ scenes }) => scenes)].includes(one),
  );
  // What a client does not show, it may have cut off.
  const isShown = ({ kind: change, member = "" }: TomorrowScene) =>
    !change.startsWith("longest") || today.members.has(`${kind.endpoint} ${member}`);
  return [
    ...broken.flatMap(({ scenes, fault }) => findingOn(kind.endpoint, scenes, "fail", fault)),
    ...findingOn(kind.endpoint, borne.filter(isShown), "pass"),
    ...findingOn(
      kind.endpoint,
      borne.filter((one) => !isShown(one)),
      "unshown",
    ),
    ...findingOn(kind.endpoint, unmet, "unmet"),
  ];
}

/** An absent member would hide the absence of those within it. */
const depthOf = ({ kind, member = "" }: TomorrowScene): number =>
  kind === "absent-member" ? member.split(".").length : 0;

/** Plays scenes at once, and one by one if together they break the client. Those that it did not meet are left out. */
async function judge(options: TomorrowOptions, today: Today, changes: Changes): Promise<Judged[]> {
  const { endpoint, scenes, isOfFailure } = changes;
  const [{ kind, name } = {}] = scenes;
  const what = scenes.length > 1 ? `${scenes.length} ${wordsOf(kind)} at once` : name;
  options.tell(`Tomorrow: ${endpoint}, ${what}.`);
  const played = await play(options, changes, today.visits.length * 2 + 10);
  const together = {
    scenes: scenes.filter((scene) => isMet(scene, played.visits)),
    fault: faultOf(played, today),
  };
  if (together.fault === undefined || together.scenes.length < 2) return [together];
  const alone: Judged[] = [];
  for (const scene of together.scenes)
    alone.push(...(await judge(options, today, { endpoint, scenes: [scene], isOfFailure })));
  return alone.some(isBroken) ? alone : [together];
}

const namesOf = (scenes: readonly TomorrowScene[]): string => scenes.map(({ name }) => name).join("; ");

/** A kind as a person says it, such as `absent members`. */
const wordsOf = (kind = ""): string => `${kind.replace("-", " ")}s`;

/** A finding on some scenes of one kind; none without a scene. */
function findingOn(
  endpoint: string,
  scenes: readonly TomorrowScene[],
  outcome: "pass" | "fail" | "unshown" | "unmet",
  fault = "",
): Finding[] {
  const members = scenes.map(({ name, member = name }) => member || "the record").join(", ");
  return scenes.slice(0, 1).map(({ kind, member, advice }) => {
    const [id, rule, seen] = {
      pass: ["", wordsOf(kind), members],
      fail: [`/${member === undefined ? kind : members}`, namesOf(scenes), fault],
      unshown: [
        "/unshown",
        wordsOf(kind),
        `the client showed no ${members} today: print them, post them to /understood, or give --copy`,
      ],
      unmet: ["/unmet", wordsOf(kind), `no answer could show: ${members}`],
    }[outcome] as [string, string, string];
    return {
      id: `${endpoint}/${kind}${id}`,
      level: "contract",
      rule: `${endpoint}: ${rule}`,
      expected: "the client goes on as today",
      seen,
      verdict: outcome === "pass" || outcome === "fail" ? outcome : "not checked",
      why: "The contract allows this change at any time, without a new version.",
      ...(outcome === "fail" && { advice }),
    };
  });
}

async function play(options: TomorrowOptions, changes: Changes, requestsMax: number): Promise<Played> {
  const { service, start, copy, stop } = options;
  const before = await copy();
  const run = await start(changes, requestsMax);
  stop.throwIfAborted();
  const after = await copy();
  const shown = `${run.printed}\n${after.startsWith(before) ? after.slice(before.length) : after}`;
  return { ...run, shown, visits: service.visits.filter((visit) => visit.run === run.end.run) };
}

/** Whether an answer of a run had the scene; a parameter that is deprecated is refused in its scene. */
const isMet = ({ kind, name }: TomorrowScene, visits: readonly Visit[]): boolean =>
  visits.some(
    ({ status, step, changes }) =>
      changes.some((change) => change.name === name) ||
      (kind === "past-sunset" && status === 400 && step?.scene.changes?.[0]?.kind === kind),
  );

/** What went wrong in a run, and after which request; undefined when the client did what it does today. */
function faultOf(played: Played, today: Today): string | undefined {
  const { end, complaint, visits } = played;
  const last = visits.at(-1);
  const where = last === undefined ? "before any request" : `after ${named(last)}`;
  const refused = visits.find(({ refusal }) => refusal !== undefined);
  const ends = ({ visits: all }: Played) => all.filter(({ step }) => step?.isLast === true).length;
  if (end.code === undefined) return `it had to be ended ${where}`;
  if (end.code !== 0) return `it ended with ${end.code} ${where}${complaint === "" ? "" : `: ${complaint}`}`;
  if (refused !== undefined) return `${named(refused)} was refused (${refused.refusal?.code})`;
  if (ends(played) < ends(today)) return `it stopped ${where}, before the end of what it reads`;
  return lossOf(played, today);
}

/** The members, after the names of their endpoints, of which a run shows every text that it was given. */
function membersShown({ visits, shown }: Played): ReadonlySet<string> {
  const given = visits.flatMap(({ endpoint, texts }) =>
    Object.entries(texts).map(([member, all]) => ({ member: `${endpoint} ${member}`, all })),
  );
  const members = [...Map.groupBy(given, ({ member }) => member)].filter(([, parts]) => {
    const texts = parts.flatMap(({ all }) => all);
    return texts.length > 0 && texts.every((text) => countOf(shown, text) > 0);
  });
  return new Set(members.map(([member]) => member));
}

/** The first text that a run does not show, though the client shows its like of every record today. */
function lossOf({ visits, shown }: Played, { members }: Today): string | undefined {
  for (const visit of visits) {
    const texts = Object.entries(visit.texts).flatMap(([member, all]) =>
      members.has(`${visit.endpoint} ${member}`) ? all : [],
    );
    const lost = texts.find((text) => countOf(shown, text) === 0);
    if (lost === undefined) continue;
    const seen = isAmount(lost) ? likeness(shown, lost) : undefined;
    return `${lost} of ${named(visit)} ${seen === undefined ? "is not in what it showed" : `became ${seen}`}`;
  }
  return undefined;
}
