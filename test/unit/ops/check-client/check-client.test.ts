import { ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { contractBrand } from "../../../../lib/brand.ts";
import { judgeClient, rulesOfInterface } from "../../../../ops/check-client/judge-client.ts";
import { type InterfaceName, interfaceNames } from "../../../../ops/check-client/scene.ts";
import type { RunEnd } from "../../../../ops/check-client/visit.ts";
import type { Finding } from "../../../../ops/checks/rule.ts";
import { unsaid } from "../../../support/answer-check.ts";
import { NOW } from "../../../support/chain.ts";
import {
  CheckedClient,
  goodHabits,
  type Habits,
  refuses,
  startServiceFor,
} from "../../../support/checked-client.ts";

const PATIENCE_MS = 15_000;
const RUNS_MAX = 40;

/**
 * Lets a client of one interface meet every scene, by a clock that only its waits move. With `stallMs`, the check stands
 * still for so long whenever it has sent an answer, while the client's wait has begun.
 */
async function play(interfaceName: InterfaceName, habits: Partial<Habits> = {}, stallMs = 0) {
  let now = NOW;
  let stalledMs = 0;
  const end = Reflect.get(ServerResponse.prototype, "end") as (...given: unknown[]) => ServerResponse;
  vi.spyOn(ServerResponse.prototype, "end").mockImplementation(function (this: ServerResponse, ...given) {
    now += stallMs;
    stalledMs = stallMs;
    return end.apply(this, given);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  await using service = await startServiceFor(interfaceName, () => now);
  const world = {
    now: () => now,
    wait: (ms: number) => {
      now += Math.max(0, ms - stalledMs);
      stalledMs = 0;
    },
  };
  const client = new CheckedClient(service, world, { ...goodHabits, ...habits });
  const runs: RunEnd[] = [];
  do {
    const run = service.beginRun();
    const code = await client.run(interfaceName);
    runs.push({ run, endedMs: now, code });
  } while (service.hasMore && runs.length < RUNS_MAX);
  const findings = await judgeClient({
    interfaceName,
    visits: service.visits,
    runs,
    astray: service.astray,
    copy: `${client.output}\n${service.understood}`,
    brand: contractBrand,
    baseUrl: service.baseUrl,
    publicKeyHex: service.issued.publicKeyHex,
    patienceMs: PATIENCE_MS,
    now,
  });
  return { findings, answers: client.answers };
}

const check = async (...how: Parameters<typeof play>): Promise<Finding[]> => (await play(...how)).findings;

const shortly = (findings: readonly Finding[], verdict: Finding["verdict"]) =>
  findings.filter((finding) => finding.verdict === verdict).map(({ id, seen }) => `${id}: ${seen}`);

const idsOf = (findings: readonly Finding[], ...verdicts: readonly Finding["verdict"][]) =>
  findings.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id.split("/")[1]);

describe("a good client passes every rule", () => {
  test.each(interfaceNames)("of the interface %s", async (name) => {
    const findings = await check(name);
    expect(shortly(findings, "fail")).toEqual([]);
    expect(shortly(findings, "warn")).toEqual([]);
    expect(shortly(findings, "not checked")).toEqual([]);
  });

  test.each(interfaceNames)("of the interface %s, when the machine of the check is busy", async (name) => {
    const findings = await check(name, {}, 100);
    expect(shortly(findings, "fail")).toEqual([]);
  });
});

describe("the service of the check answers as the contracts say", () => {
  /** The member that the scenes add on purpose. */
  const ADDED = '"added_later":{"kind":"unknown","values":[1,null]},';

  test.each(interfaceNames)("on the interface %s, in every scene", async (name) => {
    const { answers } = await play(name);
    const added = answers.filter(({ body }) => body.includes(ADDED));
    expect(added.length).toBeGreaterThan(0);
    const surprises = answers.flatMap((answer) =>
      unsaid({ ...answer, body: answer.body.replaceAll(ADDED, "") }),
    );
    expect(surprises).toEqual([]);
    const statuses = new Set(answers.map(({ status }) => status));
    const expected = [200, 401, 429, 503, ...(name === "ramp" ? [] : [403])];
    expect([...statuses]).toEqual(
      expect.arrayContaining(name === "passes" ? [...expected, 304, 404, 410] : expected),
    );
  });

  test.each([
    ["exchange", "1500"],
    ["business", "2"],
    ["ramp", "2"],
    ["passes", "2"],
  ] as const)("on the interface %s, whose Retry-After for 1500 ms is %s", async (name, header) => {
    const { answers } = await play(name);
    const limited = answers.find(({ status }) => status === 429) as (typeof answers)[number] & {
      readonly headers: Headers;
    };
    expect(JSON.parse(limited.body)).toMatchObject({ code: "rate_limited", retry_after_ms: 1_500 });
    expect(limited.headers.get("retry-after")).toBe(header);
    for (const needed of ["ratelimit", "ratelimit-policy", "request-id", "apigw-requestid", "cache-control"])
      expect(limited.headers.get(needed), needed).not.toBeNull();
  });
});

describe("one fault does not hide the rules that come after it", () => {
  test.each([
    ["a client that gives up at a limit", "429-not-early", { pauseMs: () => undefined }],
    ["a client that stops at an unknown member", "newer-members", { isEnd: () => false }],
  ] as const)("%s", async (_, id, habits) => {
    const judge = id === "newer-members" ? refuses(/added_later/) : {};
    const findings = await check("exchange", { ...habits, ...judge });
    const about = (rule: string) => findings.find((finding) => finding.id === `exchange/${rule}`)?.verdict;
    for (const rule of ["empty-page", "deprecation", "absent-members", "401-stops", "copy-complete"])
      expect(about(rule), rule).toBe("pass");
  });
});

type Hindrance = Parameters<Habits["pauseMs"]>[0];

/** A client that pauses otherwise after one hindrance. */
const pausing = (
  hindrance: Hindrance,
  pauseMs: (toldMs: number, failures: number) => number | undefined,
): Partial<Habits> => ({
  pauseMs: (what, toldMs, failures) =>
    what === hindrance ? pauseMs(toldMs, failures) : goodHabits.pauseMs(what, toldMs, failures),
});

/** An answer without optional members, which the other answers have. */
const BARE: Readonly<Record<InterfaceName, RegExp>> = {
  exchange: /"tid":"[^"]*"\}/,
  business: /"currency":"EUR","account_id":"account-\w+"\}/,
  ramp: /"status":"COMPLETED","fees_partner/,
  passes: /"version":\d+\}/,
};

/** Keeps the records of a client that it has not kept yet. */
function withoutDoubles(): Habits["copy"] {
  const kept = new Set<string>();
  return (records) => {
    const more = records.filter(({ id }) => !kept.has(id));
    for (const { id } of more) kept.add(id);
    return more;
  };
}

/** A client that breaks each rule, and no other, in every interface that the rule is for. */
const mutants: Readonly<Record<string, Partial<Habits> | ((name: InterfaceName) => Partial<Habits>)>> = {
  "429-not-early": pausing("limited", (toldMs) => Math.ceil(toldMs / 1_000)),
  "429-unit": pausing("limited", (toldMs) => toldMs * 1_000),
  "429-repeated": pausing("limited", () => undefined),
  "503-not-early": pausing("unavailable", (_, failures) => 10 * 2 ** failures),
  "503-repeated": pausing("unavailable", () => undefined),
  "503-slower": pausing("unavailable", (toldMs) => toldMs),
  "off-not-early": pausing("off", () => 5),
  "cut-repeated": pausing("cut", () => undefined),
  "cut-body-repeated": pausing("cut body", () => undefined),
  "401-stops": { repeats: (status) => (status === 401 ? 1 : 0) },
  "403-stops": { repeats: (status) => (status === 403 ? 1 : 0) },
  "404-stops": { repeats: (status) => (status === 404 ? 1 : 0) },
  "410-stops": { repeats: (status) => (status === 410 ? 1 : 0) },
  "redirect-without-credentials": { followsRedirects: true },
  accepted: (name) =>
    name === "exchange"
      ? { probe: (query) => ({ signed: `${query}&side=buy`, sent: `${query}&side=buy` }) }
      : { proof: { Authorization: "Bearer x", "X-API-KEY": "x" } },
  signature: { probe: (query) => ({ signed: query, sent: query.split("&").sort().join("&") }) },
  "signed-anew": { isSignedOnce: true },
  "next-page": { isEnd: () => true },
  "empty-page": { isEnd: (records, next) => records === 0 || next === undefined },
  "page-once": { restarts: new Set(["cut body"]) },
  "cursor-exact": (name) =>
    name === "business"
      ? { next: (next) => next.split("&").sort().join("&") }
      : { probe: (query) => ({ signed: `${query}&cursor=AAAA`, sent: `${query}&cursor=AAAA` }) },
  "window-no-overlap": () => ({ border: 5_000, copy: withoutDoubles() }),
  "window-no-gap": { border: -1 },
  "tag-sent": { tag: (tags, before) => (before === 304 ? tags.at(-1) : undefined) },
  "tag-exact": { tag: (tags) => tags.at(-1)?.replaceAll('"', "") },
  "tag-newest": { tag: (tags) => tags[0] },
  "tag-kept": { tag: (tags, before) => (before === 304 ? undefined : tags.at(-1)) },
  "newer-members": refuses(/added_later/),
  deprecation: refuses(/^sunset$/m),
  "absent-members": (name) => refuses(BARE[name]),
  digits: { digits: (amount) => String(Number(amount)) },
  "copy-complete": { copy: (records) => records.slice(1) },
};

test("there is a mutant for every rule", () => {
  const rules = interfaceNames.flatMap((name) => rulesOfInterface(name).map(({ id }) => id));
  expect(Object.keys(mutants).sort()).toEqual([...new Set(rules)].sort());
});

const cases = interfaceNames.flatMap((name) =>
  rulesOfInterface(name).map(({ id, level }) => [id, name, level === "contract" ? "fail" : "warn"] as const),
);

describe("a client is found out that breaks", () => {
  test.each(cases)("%s of the interface %s, with a %s", async (id, name, verdict) => {
    const mutant = mutants[id];
    const findings = await check(name, typeof mutant === "function" ? mutant(name) : mutant);
    const broken = [...shortly(findings, "fail"), ...shortly(findings, "warn")];
    expect(broken.filter((text) => !text.includes(`/${id}:`))).toEqual([]);
    expect(idsOf(findings, verdict)).toEqual([id]);
  });
});

describe.each([
  ["exchange", 1],
  ["exchange", 5_000],
  ["business", 1],
  ["business", 5_000],
] as const)("windows of %s that overlap by %i ms", (name, border) => {
  test.each([
    ["cost tokens, and are not a fault where doubles are dropped", withoutDoubles, []],
    ["are a fault where a record is kept twice", () => goodHabits.copy, ["copy-complete"]],
  ] as const)("%s", async (_, copy, faults) => {
    const findings = await check(name, { border, copy: copy() });
    expect([idsOf(findings, "fail"), idsOf(findings, "warn")]).toEqual([faults, ["window-no-overlap"]]);
  });
});
