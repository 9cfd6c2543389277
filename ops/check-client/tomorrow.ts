import { adviceOn, type TomorrowScene, tomorrowScenes } from "../../local/tomorrow/scenes.ts";
import { type Finding, type Observation, type Rule, runRules } from "../checks/rule.ts";
import { countOf, isAmount, likeness } from "./rules/answer-rules.ts";
import { fail, named, pass, unseen } from "./rules/client-rule.ts";
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
  const rules: Rule<undefined>[] = [];
  for (const endpoint of new Set(today.visits.map((visit) => visit.endpoint)))
    for (const scenes of Map.groupBy(tomorrowScenes(endpoint), ({ kind }) => kind).values())
      rules.push(...(await judgeKind(options, [today, ofFailure], { endpoint, scenes })));
  return { findings: await runRules(rules, undefined) };
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

/** The scenes that are in none of these. */
const restOf = ({ scenes }: Changes, judged: readonly Judged[]): TomorrowScene[] =>
  scenes.filter((one) => !judged.some((some) => some.scenes.includes(one)));

/** Plays the scenes of one kind, and tells what is found of them. */
async function judgeKind(
  options: TomorrowOptions,
  [today, ofFailure]: readonly [today: Today, ofFailure: () => Promise<Today>],
  kind: Changes,
): Promise<Rule<undefined>[]> {
  const judged = await playKind(options, today, kind);
  // A record that is read by itself has some members only when it is one of a failure.
  const failed = restOf(kind, judged).length > 0 ? await ofFailure() : undefined;
  if (failed !== undefined && faultOf(failed, failed) === undefined) {
    const scenes = restOf(kind, judged.filter(isBroken));
    judged.push(...(await playKind(options, failed, { ...kind, scenes, isOfFailure: true })));
  }
  return rulesOn(today, kind, judged);
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

/** An absent member would hide the absence of those within it. */
const depthOf = ({ kind, member = "" }: TomorrowScene): number =>
  kind === "absent-member" ? member.split(".").length : 0;

/** Plays scenes at once, and one by one if together they break the client. Those that it did not meet are left out. */
async function judge(options: TomorrowOptions, today: Today, changes: Changes): Promise<Judged[]> {
  const { endpoint, scenes } = changes;
  const [{ kind, name } = {}] = scenes;
  const what = scenes.length > 1 ? `${scenes.length} ${wordsOf(kind)} at once` : name;
  options.tell(`Tomorrow: ${endpoint}, ${what}.`);
  const played = await play(options, changes, today.visits.length * 2 + 10);
  const met = scenes.filter((scene) => isMet(scene, played.visits));
  if (met.length === 0) return [];
  const together = { scenes: met, fault: faultOf(played, today) };
  if (!isBroken(together) || met.length === 1) return [together];
  const alone: Judged[] = [];
  for (const scene of met) alone.push(...(await judge(options, today, { ...changes, scenes: [scene] })));
  return alone.some(isBroken) ? alone : [together];
}

/** A kind as a person says it, such as `absent members`. */
const wordsOf = (kind = ""): string => `${kind.replace("-", " ")}s`;

const membersOf = (scenes: readonly TomorrowScene[]): string =>
  scenes.map(({ name, member = name }) => member || "the record").join(", ");

/** The rules about the scenes of one kind: on each that broke the client, on those that it bore, and on the rest. */
function rulesOn(today: Today, changes: Changes, judged: readonly Judged[]): Rule<undefined>[] {
  const { endpoint, scenes: all } = changes;
  const broken = judged.filter(isBroken);
  const unmet = restOf(changes, judged);
  const borne = restOf(changes, [...broken, { scenes: unmet }]);
  // What a client does not show, it may have cut off.
  const shown = borne.filter(
    ({ kind, member = "" }) => !kind.startsWith("longest") || today.members.has(`${endpoint} ${member}`),
  );
  const unshown = restOf({ endpoint, scenes: borne }, [{ scenes: shown }]);
  const [{ kind } = {}] = all;
  const found: (Judged & { id: string; rule?: string; run: () => Observation })[] = [
    ...broken.map(({ scenes, fault = "" }) => ({
      id: scenes[0]?.member === undefined ? `/${kind}` : `/${membersOf(scenes)}`,
      rule: scenes.map(({ name }) => name).join("; "),
      scenes,
      run: () => fail(fault),
    })),
    { id: "", scenes: shown, run: () => pass(membersOf(shown)) },
    {
      id: "/unshown",
      scenes: unshown,
      run: () => unseen(`the client showed no ${membersOf(unshown)} ${SHOW}`),
    },
    { id: "/unmet", scenes: unmet, run: () => unseen(`no answer could show: ${membersOf(unmet)}`) },
  ];
  return found
    .filter(({ scenes }) => scenes.length > 0)
    .map(({ id, rule = wordsOf(kind), run }) => ({
      id: `${endpoint}/${kind}${id}`,
      rule: `${endpoint}: ${rule}`,
      expected: "the client goes on as today",
      why: "The contract allows this change at any time, without a new version.",
      ...(kind !== undefined && { advice: adviceOn[kind] }),
      run,
    }));
}

const SHOW = "today: print them, post them to /understood, or give --copy";

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

/** The ids and amounts that a run was given, each with its request, and its member after the name of the endpoint. */
const givenIn = ({ visits }: Played) =>
  visits.flatMap((visit) =>
    Object.entries(visit.texts).flatMap(([member, texts]) =>
      texts.map((text) => ({ visit, member: `${visit.endpoint} ${member}`, text })),
    ),
  );

/** The members of which a run shows every text that it was given. */
function membersShown(played: Played): ReadonlySet<string> {
  const given = Map.groupBy(givenIn(played), ({ member }) => member);
  const shown = [...given].filter(([, all]) => all.every(({ text }) => countOf(played.shown, text) > 0));
  return new Set(shown.map(([member]) => member));
}

/** The first text that a run does not show, though the client shows its like of every record today. */
function lossOf(played: Played, { members }: Today): string | undefined {
  const lost = givenIn(played).find(
    ({ member, text }) => members.has(member) && countOf(played.shown, text) === 0,
  );
  if (lost === undefined) return undefined;
  const seen = isAmount(lost.text) ? likeness(played.shown, lost.text) : undefined;
  return `${lost.text} of ${named(lost.visit)} ${seen === undefined ? "is not in what it showed" : `became ${seen}`}`;
}
