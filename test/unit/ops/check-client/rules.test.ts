import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { contractBrand } from "../../../../lib/brand.ts";
import { judgeClient, rulesOfInterface } from "../../../../ops/check-client/judge-client.ts";
import type { Evidence } from "../../../../ops/check-client/rules/client-rule.ts";
import {
  type InterfaceName,
  interfaceNames,
  scenesOf,
  type Trouble,
} from "../../../../ops/check-client/scene.ts";
import type { RunEnd, Visit } from "../../../../ops/check-client/visit.ts";
import { sectionsOf } from "../../../support/markdown.ts";

const PATIENCE_MS = 15_000;
const [scene] = scenesOf("exchange", "list");
if (scene === undefined) throw new Error("There is a scene.");

/** A request for the first page of a listing, 1 s after the one before it unless `arrivedMs` says another. */
function visit(number: number, members: Partial<Visit> & { readonly trouble?: Trouble } = {}): Visit {
  const { trouble, ...rest } = members;
  const arrivedMs = rest.arrivedMs ?? number * 1_000;
  return {
    number,
    run: 1,
    interfaceName: "exchange",
    endpoint: "/1.0/trades/all/{symbol}",
    target: "/1.0/trades/all/BTC-USD",
    headers: {},
    answeredMs: arrivedMs,
    status: 200,
    records: [],
    step: {
      act: 1,
      run: 1,
      scene: scene as NonNullable<typeof scene>,
      station: 0,
      answer: "plain",
      isLast: false,
      ...(trouble !== undefined && { trouble }),
    },
    ...rest,
    arrivedMs,
  };
}

interface Given extends Partial<Omit<Evidence, "runs">> {
  readonly runs?: readonly RunEnd[];
}

const evidenceOf = (visits: readonly Visit[], given: Given = {}): Evidence => ({
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

/** The verdict of one rule on some evidence. */
function verdictOf(id: string, visits: readonly Visit[], given: Given = {}) {
  const evidence = evidenceOf(visits, given);
  return rulesOfInterface(evidence.interfaceName)
    .find((one) => one.id === id)
    ?.judge(evidence).verdict;
}

const limited = { kind: "limited", waitMs: 1_500 } as const;
const failing = { kind: "unavailable", waitMs: 300 } as const;

describe("a wait is judged by when the repetition comes", () => {
  test.each([
    [1_479, "fail"],
    [1_480, "pass"],
    [1_500, "pass"],
    [14_000, "pass"],
  ])("%i ms after a 429 that asked for 1500 ms: %s", (waitedMs, verdict) => {
    const visits = [visit(1, { trouble: limited, status: 429 }), visit(2, { arrivedMs: 1_000 + waitedMs })];
    expect(verdictOf("429-not-early", visits)).toBe(verdict);
  });

  test.each([
    [PATIENCE_MS, "pass"],
    [PATIENCE_MS + 1, "fail"],
  ])("%i ms after a 429, with a patience of 15 s: %s", (waitedMs, verdict) => {
    const visits = [visit(1, { trouble: limited, status: 429 }), visit(2, { arrivedMs: 1_000 + waitedMs })];
    expect(verdictOf("429-unit", visits)).toBe(verdict);
  });

  test.each<[string, Partial<Evidence>, string, string]>([
    ["the client has ended", { runs: [{ run: 1, endedMs: 1_100, code: 0 }] }, "fail", "not checked"],
    ["the check has ended the client", { runs: [{ run: 1, endedMs: 1_100 }] }, "not checked", "fail"],
    ["the patience is over", { now: 1_001 + PATIENCE_MS }, "fail", "not checked"],
    ["the client may still come back", { now: 1_000 + PATIENCE_MS }, "not checked", "not checked"],
  ])("nothing comes, and %s: not repeated %s, misread %s", (_, given, repeated, unit) => {
    const visits = [visit(1, { trouble: limited, status: 429 })];
    expect([verdictOf("429-repeated", visits, given), verdictOf("429-unit", visits, given)]).toEqual([
      repeated,
      unit,
    ]);
  });

  test("a client that polls may have had enough polls when a limit ends it", () => {
    const poll = { interfaceName: "passes", endpoint: "/passes/{partner_reference}" } as const;
    const visits = [visit(1, { ...poll, trouble: limited, status: 429 })];
    const ended = (code: number) => ({
      interfaceName: "passes" as const,
      runs: [{ run: 1, endedMs: 2_000, code }],
    });
    expect(verdictOf("429-repeated", visits, ended(0))).toBe("not checked");
    expect(verdictOf("429-repeated", visits, ended(1))).toBe("fail");
  });

  test.each([
    [400, 500, "pass"],
    [400, 499, "fail"],
    [1_200, 1_200, "pass"],
    [1_199, 1_199, "fail"],
    [279, 900, "not checked"],
    [280, 900, "pass"],
  ])("pauses of %i and %i ms between failures that ask for 300 ms: %s", (first, second, verdict) => {
    const visits = [
      visit(1, { trouble: failing, status: 503 }),
      visit(2, { trouble: failing, status: 503, arrivedMs: 1_000 + first }),
      visit(3, { arrivedMs: 1_000 + first + second }),
    ];
    expect(verdictOf("503-slower", visits)).toBe(verdict);
  });

  test("the repetition of another run, page or endpoint does not count", () => {
    const [first] = [visit(1, { trouble: limited, status: 429 })];
    const step = first.step as NonNullable<Visit["step"]>;
    for (const other of [
      { run: 2 },
      { endpoint: "/transactions" },
      { step: { ...step, station: 1 } },
      { step: { ...step, act: 2 } },
    ])
      expect(verdictOf("429-repeated", [first, visit(2, { arrivedMs: 2_600, ...other })])).toBe("fail");
  });
});

test("a breach of advice is a warning, and fails in a strict check; one of the contract fails in both", () => {
  const visits = [
    visit(1, { trouble: failing, status: 503 }),
    visit(2, { trouble: failing, status: 503, arrivedMs: 1_300 }),
    visit(3, { arrivedMs: 1_600 }),
    visit(4, { trouble: limited, status: 429 }),
    visit(5, { arrivedMs: 4_001 }),
  ];
  const found = (isStrict: boolean) =>
    judgeClient(evidenceOf(visits), isStrict)
      .filter(({ id }) => ["exchange/503-slower", "exchange/429-not-early"].includes(id))
      .map(({ level, verdict, advice }) => [level, verdict, advice !== undefined]);
  expect(found(false)).toEqual([
    ["contract", "fail", true],
    ["advice", "warn", true],
  ]);
  expect(found(true)).toEqual([
    ["contract", "fail", true],
    ["advice", "fail", true],
  ]);
});

describe("a refusal is judged by what is sent after it", () => {
  const refused = (number: number, members: Partial<Visit> = {}): Visit => {
    const one = visit(number, { status: 401, ...members });
    return { ...one, step: { ...(one.step as NonNullable<Visit["step"]>), answer: "refused" } };
  };

  test("the same token again fails, a new one does not", () => {
    const before = refused(1, { headers: { authorization: "Bearer a" } });
    const again = (token: string) =>
      verdictOf("401-stops", [before, refused(2, { headers: { authorization: token } })]);
    expect([again("Bearer a"), again("Bearer b")]).toEqual(["fail", "pass"]);
  });

  test("a request of the next run does not repeat it", () => {
    expect(verdictOf("401-stops", [refused(1), refused(2, { run: 2 })])).toBe("pass");
  });
});

describe("a border is judged to the smallest unit", () => {
  const windows = (name: InterfaceName, pairs: readonly string[]) =>
    pairs.map((query, at) => visit(at + 1, { interfaceName: name, target: `/list?${query}` }));

  test.each([
    ["start_date=100&end_date=200", "start_date=0&end_date=99", "pass", "pass"],
    ["start_date=100&end_date=200", "start_date=0&end_date=100", "fail", "pass"],
    ["start_date=100&end_date=200", "start_date=0&end_date=98", "pass", "fail"],
    ["start_date=0&end_date=99", "start_date=100&end_date=200", "pass", "pass"],
  ])("of trades: %s, then %s", (newer, older, overlap, gap) => {
    const visits = windows("exchange", [newer, older]);
    expect([verdictOf("window-no-overlap", visits), verdictOf("window-no-gap", visits)]).toEqual([
      overlap,
      gap,
    ]);
  });

  test.each([
    ["2026-11-02T00:00:00Z", "pass", "pass"],
    ["2026-11-02", "pass", "pass"],
    ["2026-11-02T01:00:00%2B01:00", "pass", "pass"],
    ["2026-11-02T00:00:00.000001Z", "fail", "pass"],
    ["2026-11-01T23:59:59.999999Z", "pass", "fail"],
  ])("of transactions: the older one ends at %s", (end, overlap, gap) => {
    const visits = windows("business", [
      "from=2026-11-02T00:00:00Z&to=2026-11-03T00:00:00Z",
      `from=2026-11-01T00:00:00Z&to=${end}`,
    ]);
    const given = { interfaceName: "business" } as const;
    expect([
      verdictOf("window-no-overlap", visits, given),
      verdictOf("window-no-gap", visits, given),
    ]).toEqual([overlap, gap]);
  });

  test.each([
    ["start_date=100&end_date=200", "start_date=0&end_date=149", "fail"],
    ["start_date=100&end_date=200", "start_date=0&end_date=150", "not checked"],
    ["start_date=100&end_date=200", "start_date=0&end_date=250", "not checked"],
    ["start_date=110&end_date=210", "start_date=100&end_date=200", "not checked"],
  ])(
    "windows that share half of one or more are the same listing again: %s, then %s",
    (one, other, verdict) => {
      expect(verdictOf("window-no-overlap", windows("exchange", [one, other]))).toBe(verdict);
    },
  );

  test("windows of two runs are not neighbours", () => {
    const [one, other] = windows("exchange", ["start_date=100&end_date=200", "start_date=0&end_date=200"]);
    const visits = [one as Visit, { ...(other as Visit), run: 2 }];
    expect(verdictOf("window-no-overlap", visits)).toBe("not checked");
  });
});

describe("digits are looked for in whatever the client wrote", () => {
  const amount = "1234567890.1234567897";
  const given = [visit(1, { records: [{ id: "a", amounts: [amount] }] })];

  test.each([
    [`a\t${amount}\n`, "pass"],
    [`{"amount":-${amount}}`, "pass"],
    [`a,"${amount}"`, "pass"],
    ["1234567890.1234567", "fail"],
    ["1234567890.12345678970", "fail"],
    ["x1234567890.1234567897", "not checked"],
    ["", "not checked"],
    ["12 records", "not checked"],
  ])("%j: %s", (copy, verdict) => {
    expect(verdictOf("digits", given, { copy })).toBe(verdict);
  });

  test("a record that is there more or less often than most is lost or doubled", () => {
    const step = { ...(visit(1).step as NonNullable<Visit["step"]>), isLast: true };
    const records = ["a", "b", "c"].map((id) => ({ id, amounts: [`1.${id.charCodeAt(0)}5`] }));
    const read = [visit(1, { step, records })];
    const verdictFor = (copy: string) => verdictOf("copy-complete", read, { copy });
    expect(["a b c", "a b c a b c", "a b", "a b c c", ""].map(verdictFor)).toEqual([
      "pass",
      "pass",
      "fail",
      "fail",
      "not checked",
    ]);
  });
});

test("docs/check-client.md lists each rule once, with its level on each interface", () => {
  const held = interfaceNames.flatMap((name) =>
    rulesOfInterface(name).map(({ rule, levelOf }) => `${rule}: ${levelOf(name)} of ${name}`),
  );
  const guide = readFileSync(new URL("../../../../docs/check-client.md", import.meta.url), "utf8");
  const rows = sectionsOf(guide).find(({ title }) => title === "The rules")?.tables[0] ?? [];
  const told = rows.flatMap(({ level = "", rules = "" }) =>
    level.split("; ").flatMap((part) => {
      const [one = "", names = interfaceNames.join(", ")] = part.split(": ");
      return names
        .split(", ")
        .flatMap((name) => rules.split("; ").map((rule) => `${rule}: ${one} of ${name}`));
    }),
  );
  expect(told.toSorted()).toEqual(held.toSorted());
});
