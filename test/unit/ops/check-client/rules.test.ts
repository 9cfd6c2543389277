import { expect, test } from "vitest";
import { contractBrand } from "../../../../lib/brand.ts";
import { judgeClient, rulesOfInterface } from "../../../../ops/check-client/judge-client.ts";
import type { Evidence } from "../../../../ops/check-client/rules/client-rule.ts";
import { interfaceNames, type Scene, scenesOf, type Trouble } from "../../../../ops/check-client/scene.ts";
import type { Visit } from "../../../../ops/check-client/visit.ts";
import { runRules, type Verdict } from "../../../../ops/checks/rule.ts";

const PATIENCE_MS = 15_000;
const step = { act: 1, run: 1, station: 0, answer: "plain", isLast: false } as const;
const scene = scenesOf("exchange", "list")[0] as Scene;

type Members = Partial<Omit<Visit, "step">> & {
  readonly trouble?: Trouble;
  readonly step?: Partial<NonNullable<Visit["step"]>>;
};

/** A request for the first page of a listing, 1 s after the one before it unless `arrivedMs` says another. */
function visit(number: number, { trouble, step: changes, ...rest }: Members = {}): Visit {
  const arrivedMs = rest.arrivedMs ?? number * 1_000;
  return {
    number,
    run: 1,
    interfaceName: "exchange",
    endpoint: "list-trades",
    target: "/1.0/trades/all/BTC-USD",
    headers: {},
    answeredMs: arrivedMs,
    status: 200,
    changes: [],
    texts: {},
    step: { ...step, scene, ...(trouble !== undefined && { trouble }), ...changes },
    ...rest,
    arrivedMs,
  };
}

const evidenceOf = (visits: readonly Visit[], given: Partial<Evidence> = {}): Evidence => ({
  interfaceName: "exchange",
  visits,
  runs: [],
  astray: [],
  copy: "",
  brand: contractBrand,
  baseUrl: "http://127.0.0.1:1",
  publicKeyHex: "",
  patienceMs: PATIENCE_MS,
  now: 10_000_000,
  ...given,
});

const limited = (members: Members = {}) =>
  visit(1, { trouble: { kind: "limited", waitMs: 1_500 }, status: 429, ...members });
const failing = { trouble: { kind: "unavailable", waitMs: 300 }, status: 503 } as const;

/** What was seen, the rule that judges it, its verdict, the requests, and what else is known. */
type Row = [
  what: string,
  rule: string,
  verdict: Verdict,
  visits: readonly Visit[],
  given?: Partial<Evidence>,
];

const waited = (rule: string, ms: number, verdict: Verdict): Row => [
  `${ms} ms after a 429 that asked for 1500 ms, with a patience of 15 s`,
  rule,
  verdict,
  [limited(), visit(2, { arrivedMs: 1_000 + ms })],
];

/** Nothing comes after a 429. */
const absent = (what: string, given: Partial<Evidence>, repeated: Verdict, unit: Verdict): readonly Row[] => [
  [`nothing comes, and ${what}`, "429-repeated", repeated, [limited()], given],
  [`nothing comes, and ${what}`, "429-unit", unit, [limited()], given],
];

const poll = { interfaceName: "passes", endpoint: "get-pass" } as const;
const polled = (code: number, verdict: Verdict): Row => [
  `a client that polls, which may have had enough polls, ends at a limit with ${code}`,
  "429-repeated",
  verdict,
  [limited(poll)],
  { interfaceName: "passes", runs: [{ run: 1, endedMs: 2_000, code }] },
];

const pauses = (first: number, second: number, verdict: Verdict): Row => [
  `pauses of ${first} and ${second} ms between failures that ask for 300 ms`,
  "503-slower",
  verdict,
  [
    visit(1, failing),
    visit(2, { ...failing, arrivedMs: 1_000 + first }),
    visit(3, { arrivedMs: 1_000 + first + second }),
  ],
];

/** The repetition of something else does not count. */
const other = (what: string, members: Members): Row => [
  `a request of another ${what} after a 429`,
  "429-repeated",
  "fail",
  [limited(), visit(2, { arrivedMs: 2_600, ...members })],
];

const refused = (number: number, members: Members = {}) =>
  visit(number, { status: 401, step: { answer: "refused" }, ...members });
const withToken = (number: number, authorization: string) => refused(number, { headers: { authorization } });

/** Two windows, the verdict on their overlap, and that on the gap between them. */
function border(name: "exchange" | "business", pair: [string, string], overlap: Verdict, gap?: Verdict) {
  const visits = pair.map((query, at) => visit(at + 1, { interfaceName: name, target: `/list?${query}` }));
  const what = `${name}: ${pair.join(", then ")}`;
  const of = (rule: string, verdict: Verdict): Row => [what, rule, verdict, visits, { interfaceName: name }];
  return [of("window-no-overlap", overlap), ...(gap === undefined ? [] : [of("window-no-gap", gap)])];
}
const trades = (older: string, overlap: Verdict, gap?: Verdict) =>
  border("exchange", ["start_date=100&end_date=200", older], overlap, gap);
const transactions = (end: string, overlap: Verdict, gap: Verdict) =>
  border(
    "business",
    ["from=2026-11-02T00:00:00Z&to=2026-11-03T00:00:00Z", `from=2026-11-01T00:00:00Z&to=${end}`],
    overlap,
    gap,
  );

const AMOUNT = "1234567890.1234567897";
const digits = (copy: string, verdict: Verdict): Row => [
  `a copy that has ${JSON.stringify(copy)} of ${AMOUNT}`,
  "digits",
  verdict,
  [visit(1, { texts: { id: ["a"], "data[].p": [AMOUNT] } })],
  { copy },
];
const listed = (copy: string, verdict: Verdict): Row => [
  `a copy that has ${JSON.stringify(copy)} of the records a, b and c`,
  "copy-complete",
  verdict,
  [visit(1, { step: { isLast: true }, texts: { "data[].tid": ["a", "b", "c"] } })],
  { copy },
];

test.each<Row>([
  waited("429-not-early", 1_479, "fail"),
  waited("429-not-early", 1_480, "pass"),
  waited("429-not-early", 1_500, "pass"),
  waited("429-not-early", 14_000, "pass"),
  waited("429-unit", PATIENCE_MS, "pass"),
  waited("429-unit", PATIENCE_MS + 1, "fail"),
  ...absent("the client has ended", { runs: [{ run: 1, endedMs: 1_100, code: 0 }] }, "fail", "not checked"),
  ...absent("the check has ended the client", { runs: [{ run: 1, endedMs: 1_100 }] }, "not checked", "fail"),
  ...absent("the patience is over", { now: 1_001 + PATIENCE_MS }, "fail", "not checked"),
  ...absent("it may come back", { now: 1_000 + PATIENCE_MS }, "not checked", "not checked"),
  polled(0, "not checked"),
  polled(1, "fail"),
  pauses(400, 500, "pass"),
  pauses(400, 499, "fail"),
  pauses(1_200, 1_200, "pass"),
  pauses(1_199, 1_199, "fail"),
  pauses(279, 900, "not checked"),
  pauses(280, 900, "pass"),
  other("run", { run: 2 }),
  other("endpoint", { endpoint: "list-transactions" }),
  other("page", { step: { station: 1 } }),
  other("scene", { step: { act: 2 } }),
  ["the same token after a 401", "401-stops", "fail", [withToken(1, "Bearer a"), withToken(2, "Bearer a")]],
  ["a new token after a 401", "401-stops", "pass", [withToken(1, "Bearer a"), withToken(2, "Bearer b")]],
  ["a request of the next run after a 401", "401-stops", "pass", [refused(1), refused(2, { run: 2 })]],
  ...trades("start_date=0&end_date=99", "pass", "pass"),
  ...trades("start_date=0&end_date=100", "fail", "pass"),
  ...trades("start_date=0&end_date=98", "pass", "fail"),
  ...border("exchange", ["start_date=0&end_date=99", "start_date=100&end_date=200"], "pass", "pass"),
  ...transactions("2026-11-02T00:00:00Z", "pass", "pass"),
  ...transactions("2026-11-02", "pass", "pass"),
  ...transactions("2026-11-02T01:00:00%2B01:00", "pass", "pass"),
  ...transactions("2026-11-02T00:00:00.000001Z", "fail", "pass"),
  ...transactions("2026-11-01T23:59:59.999999Z", "pass", "fail"),
  // Windows that share half of one or more are the same listing again.
  ...trades("start_date=0&end_date=149", "fail"),
  ...trades("start_date=0&end_date=150", "not checked"),
  ...trades("start_date=0&end_date=250", "not checked"),
  ...border("exchange", ["start_date=110&end_date=210", "start_date=100&end_date=200"], "not checked"),
  [
    "windows of two runs, which are not neighbours",
    "window-no-overlap",
    "not checked",
    [
      visit(1, { target: "/list?start_date=100&end_date=200" }),
      visit(2, { target: "/list?start_date=0&end_date=100", run: 2 }),
    ],
  ],
  digits(`a\t${AMOUNT}\n`, "pass"),
  digits(`{"amount":-${AMOUNT}}`, "pass"),
  digits(`a,"${AMOUNT}"`, "pass"),
  digits("1234567890.123456789700", "pass"),
  digits("1.2345678901234567897e9", "pass"),
  digits("1234567890.1234567", "fail"),
  digits("1234567890.12345678971", "fail"),
  digits("x1234567890.1234567897", "not checked"),
  digits("", "not checked"),
  digits("12 records", "not checked"),
  listed("a b c", "pass"),
  listed("a b c a b c", "pass"),
  listed("a b", "fail"),
  listed("a b c c", "fail"),
  listed("", "not checked"),
])("%s: %s %s", async (_what, id, verdict, visits, given) => {
  const evidence = evidenceOf(visits, given);
  const rules = rulesOfInterface(evidence.interfaceName).filter((rule) => rule.id === id);
  expect(await runRules(rules, evidence, { isStrict: true })).toMatchObject([{ verdict }]);
});

test("a breach of advice is a warning, and fails in a strict check; one of the contract fails in both", async () => {
  const visits = [
    visit(1, failing),
    visit(2, { ...failing, arrivedMs: 1_300 }),
    visit(3, { arrivedMs: 1_600 }),
    limited({ number: 4, arrivedMs: 4_000 }),
    visit(5, { arrivedMs: 4_001 }),
  ];
  for (const [isStrict, verdict] of [
    [false, "warn"],
    [true, "fail"],
  ] as const) {
    const findings = await judgeClient(evidenceOf(visits), isStrict);
    const told = findings.filter(({ id }) => ["exchange/503-slower", "exchange/429-not-early"].includes(id));
    expect(told).toMatchObject([
      { level: "contract", verdict: "fail", advice: expect.any(String) },
      { level: "advice", verdict, advice: expect.any(String) },
    ]);
  }
});

/** The rules of each level; without names of interfaces, the level is that of all. */
const LEVELS: Readonly<Record<string, string>> = {
  contract: "accepted digits",
  "contract: exchange": "signature signed-anew",
  "contract: exchange, business": "copy-complete",
  "contract: passes": "404-stops 410-stops tag-sent tag-exact tag-newest tag-kept",
  "contract: exchange; RFC: business": "next-page empty-page cursor-exact",
  "contract: exchange, passes; RFC: business, ramp": "429-not-early",
  "contract: exchange; RFC: business, ramp, passes": "429-unit",
  "contract: passes; RFC: exchange, business, ramp": "503-not-early off-not-early",
  "contract: passes; advice: exchange, business, ramp": "429-repeated 503-repeated",
  "contract: exchange, business, ramp; advice: passes": "absent-members",
  RFC: "redirect-without-credentials deprecation",
  advice: "503-slower cut-repeated cut-body-repeated newer-members",
  "advice: exchange, business, ramp": "401-stops",
  "advice: exchange, business": "403-stops page-once window-no-overlap window-no-gap",
};

test("each rule has its level on each interface: only a breach of the contract fails a client", () => {
  const held = interfaceNames.flatMap((name) =>
    rulesOfInterface(name).map(({ id, level }) => `${id}: ${level} of ${name}`),
  );
  const told = Object.entries(LEVELS).flatMap(([levels, ids]) =>
    levels.split("; ").flatMap((part) => {
      const [one = "", names = interfaceNames.join(", ")] = part.split(": ");
      return names.split(", ").flatMap((name) => ids.split(" ").map((id) => `${id}: ${one} of ${name}`));
    }),
  );
  expect(told.toSorted()).toEqual(held.toSorted());
});
