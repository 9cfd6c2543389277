import { describe, expect, test } from "vitest";
import { noCredentials } from "../../../../ops/compare/credentials.ts";
import type { Probe } from "../../../../ops/compare/probe.ts";
import { found, get } from "../../../../ops/compare/probe.ts";
import { comparisonOf, reportText } from "../../../../ops/compare/report.ts";
import {
  type Outcome,
  paceOf,
  recordSuite,
  runSuite,
  type SuiteParts,
} from "../../../../ops/compare/run-suite.ts";
import type { Seen } from "../../../../ops/compare/send-message.ts";
import { type Label, Side } from "../../../../ops/compare/side.ts";

const sideOf = (label: Label): Side =>
  new Side({ label, url: new URL(`http://${label}.example`), credentials: noCredentials });

const answer = (status: number): Seen => ({ kind: "answer", status, fields: [], body: Buffer.alloc(0) });
const probe = (given: Partial<Probe> = {}): Probe => ({
  name: "sample",
  shows: "A sample.",
  sending: (side) => get(side, "/sample"),
  ...given,
});

/** Runs requests against two sides that answer with the given statuses, one after the other, then with the last. */
async function run(
  probes: readonly Probe[],
  left: number[],
  right: number[],
  more: Partial<SuiteParts> = {},
) {
  const sent: string[] = [];
  const outcomes: Outcome[] = [];
  const statuses = { left: [...left], right: [...right] };
  const parts: SuiteParts = {
    probes,
    left: sideOf("left"),
    right: sideOf("right"),
    send: async ({ label }) => {
      sent.push(label);
      const queue = statuses[label];
      return answer((queue.length > 1 ? queue.shift() : queue[0]) as number);
    },
    pace: async () => void sent.push("pause"),
    isExact: false,
    signal: new AbortController().signal,
    ...more,
  };
  for await (const outcome of runSuite(parts)) outcomes.push(outcome);
  return { outcomes, sent };
}

const reasonsOf = (outcomes: readonly Outcome[]) =>
  outcomes.map((outcome) => ("notCompared" in outcome ? outcome.notCompared : outcome.differences.length));

describe("a request", () => {
  test("goes to both sides after one pause, and so does the one before it", async () => {
    const { sent } = await run([probe(), probe({ before: (side) => get(side, "/before") })], [200], [200]);
    expect(sent).toEqual(["pause", "left", "right", "pause", "left", "right", "pause", "left", "right"]);
  });

  test("is sent to none when one side lacks a credential for it, and the reason names the side", async () => {
    const lacking = probe({
      sending: (side) => get(side, side.label === "left" ? "/" : side.get("ramp.orderId")),
    });
    const { outcomes, sent } = await run([lacking], [200], [200]);
    expect(sent).toEqual([]);
    expect(reasonsOf(outcomes)).toEqual(["right has no ramp.orderId in its credentials"]);
  });

  test("is not sent without what the answer before it lacks", async () => {
    const next = probe({
      before: (side) => get(side, "/"),
      sending: (side) => get(side, found(side, undefined, "a link")),
    });
    expect(reasonsOf((await run([next], [200], [200])).outcomes)).toEqual([
      "left answered without a link before",
    ]);
  });

  test.each([
    ["alike, as it is meant", 200, [200], [200], 0],
    ["alike, as nothing is meant", undefined, [404], [404], 0],
    ["alike, but not as it is meant", 200, [401], [401], "both answered 401, alike, where 200 is meant"],
    ["otherwise on one side", 200, [200], [401], 1],
    ["otherwise than meant, and differently", 200, [401], [404], 1],
    ["that one is busy", 200, [200], [429], "right was busy (429): ask again, with a lower --rate"],
    ["that both are busy", undefined, [429], [429], "left was busy (429): ask again, with a lower --rate"],
  ])("is judged when the answers are %s", async (_, meant, left, right, expected) => {
    const { outcomes } = await run([probe({ ...(meant !== undefined && { meant }) })], left, right);
    expect(reasonsOf(outcomes)).toEqual([expected]);
  });

  test("that differs is asked again, and a difference that is gone then is told apart", async () => {
    const { outcomes, sent } = await run([probe()], [200], [503, 503, 200]);
    expect(outcomes).toMatchObject([
      { differences: [], passing: [{ aspect: "status", left: "200", right: "503" }] },
    ]);
    expect(sent.filter((label) => label === "right")).toHaveLength(3);
    const lasting = await run([probe()], [200], [503, 503, 503, 200]);
    expect(lasting.outcomes).toMatchObject([{ differences: [{ aspect: "status" }] }]);
    expect(lasting.outcomes[0]).not.toHaveProperty("passing");
    const alike = await run([probe()], [200], [200]);
    expect(alike.sent).toEqual(["pause", "left", "right"]);
  });

  test("that uses up a limit is repeated on each side until it is refused, and not for ever", async () => {
    const limited = probe({ meant: 429, usesUp: "a limit" });
    const many = Array.from({ length: 40 }, () => 200);
    const { outcomes, sent } = await run([limited], [...many, 429], [200, 429]);
    expect(reasonsOf(outcomes)).toEqual([0]);
    expect(sent.filter((label) => label === "left").length).toBeGreaterThan(40);
    expect(sent.filter((label) => label === "right").length).toBeLessThan(40);
    const used = await run([limited], [429], [429]);
    expect(used.sent).toEqual(["left", "right"]);
    const endless = await run([limited], [200], [429]);
    expect(reasonsOf(endless.outcomes)).toEqual([1]);
    expect(endless.sent.length).toBeLessThan(1_000);
  });

  test("that is under way at Ctrl-C is not told, and none follows", async () => {
    const stop = new AbortController();
    const send = async (): Promise<Seen> => {
      stop.abort();
      return answer(200);
    };
    const { outcomes } = await run([probe(), probe()], [200], [200], { send, signal: stop.signal });
    expect(outcomes).toEqual([]);
  });
});

describe("the report", () => {
  const difference = (aspect: string, left = "a", right = "b") => ({ aspect, left, right });
  const outcomes: readonly Outcome[] = [
    ...["one", "two", "three", "four"].map((name) => ({
      probe: probe({ name }),
      status: "401",
      differences: [difference("header vary"), difference("spelling of date", "date", "Date")],
    })),
    { probe: probe({ name: "five" }), status: "200", differences: [difference("body", "x".repeat(50), "y")] },
    {
      probe: probe({ name: "nine" }),
      status: "200",
      differences: [],
      passing: [difference("status", "200", "503")],
    },
    { probe: probe({ name: "six" }), notCompared: "right has no ramp.apiKey in its credentials" },
    { probe: probe({ name: "seven" }), notCompared: "right has no ramp.apiKey in its credentials" },
  ];
  const of = (ignore: readonly string[] = []) =>
    comparisonOf({ left: "http://l/", right: "http://r/", outcomes, ignore, isExact: false, byHand: [] });

  test("tells a difference once, with the requests that show it", () => {
    expect(of().differences.map(({ aspect, requests }) => [aspect, requests])).toEqual([
      ["header vary", ["one", "two", "three", "four"]],
      ["spelling of date", ["one", "two", "three", "four"]],
      ["body", ["five"]],
    ]);
  });

  test.each([
    ["vary", ["spelling of date", "body"]],
    ["spelling", ["header vary", "body"]],
    ["spelling of date", ["header vary", "body"]],
    ["body", ["header vary", "spelling of date"]],
    ["var", ["header vary", "spelling of date", "body"]],
  ])("passes over what is to be ignored: %s", (ignored, aspects) => {
    const comparison = of([ignored]);
    expect(comparison.differences.map(({ aspect }) => aspect)).toEqual(aspects);
    expect(comparison.ignored).toHaveLength(3 - aspects.length);
  });

  test("fits 80 columns, and says what differs, what was not compared and why, and what is not looked at", () => {
    const text = reportText(of(["spelling"]), 80);
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(text).toMatch(/^header vary +a +b +one, two and 2 more$/m);
    expect(text).toMatch(/^differed once +left +right +requests\nstatus +200 +503 +nine$/m);
    expect(text).toMatch(/^right has no ramp\.apiKey in its credentials +six, seven$/m);
    expect(text).toMatch(/^ {2}header date: its form$/m);
    expect(text).toMatch(
      /^Statuses on the left: 200 × 2, 401 × 4\.\n6 requests compared, 2 differences \(1 more ignored\), 2 requests not compared\.$/m,
    );
  });
});

test("requests are sent at even distances, and none is made up for after a slow one", async () => {
  let now = 5_000;
  const waits: number[] = [];
  const pace = paceOf(
    4,
    () => now,
    async (ms) => {
      waits.push(ms);
      now += ms;
    },
  );
  await pace();
  now += 50;
  await pace();
  await pace();
  now += 1_000;
  await pace();
  await pace();
  expect(waits).toEqual([200, 250, 250]);
});

/** Records one request of a side that answers so. */
async function recordBy(send: () => Seen, one = probe(), signal = new AbortController().signal) {
  const kept: Seen[] = [];
  const recorded = recordSuite({
    probes: [one],
    side: sideOf("left"),
    send: async () => send(),
    pace: async () => {},
    signal,
    keep: async (_probe, _side, _sending, seen) => void kept.push(seen),
  });
  return { outcomes: await Array.fromAsync(recorded), kept };
}

describe("a request is recorded", () => {
  const busy = "left was busy (429): ask again, with a lower --rate";
  test.each([
    ["by what it is answered twice", {}, [[404], [404]], 404],
    ["by no answer that the next one does not confirm", {}, [[200, "slow"], [200], [200]], 200],
    ["by what it is for, if it gets that", { meant: 200 }, [[503], [503], [200], [200]], 200],
    ["by what it gets in its place, if that lasts", { meant: 200 }, [[200], [503], [503], [503]], 503],
    ["once, where it uses up a limit", { meant: 429, usesUp: "a limit" }, [[429]], 429],
    [
      "by nothing where each answer is another",
      { meant: 200 },
      [[500], [502], [503], [504]],
      "left answered otherwise each time: status",
    ],
    ["never by a limit that it is not for", { meant: 200 }, [[429], [429], [429], [429]], busy],
  ] as const)("%s", async (_, given, answers, expected) => {
    const left = answers.map(
      ([status, policy = "fast"]): Seen => ({
        kind: "answer",
        status,
        fields: [["RateLimit-Policy", policy]],
        body: Buffer.alloc(0),
      }),
    );
    const last = left.at(-1);
    const { outcomes, kept } = await recordBy(() => left.shift() as Seen, probe(given));
    const [status] = typeof expected === "number" ? [String(expected)] : [];
    expect(outcomes).toMatchObject([status ? { status } : { notCompared: expected }]);
    expect([kept, left]).toEqual([status ? [last] : [], []]);
  });

  test("by nothing where the side is not reached, or at Ctrl-C", async () => {
    const unreached = await recordBy(() => ({ kind: "none", why: "ECONNREFUSED", isUnreached: true }));
    expect(unreached.outcomes).toMatchObject([{ notCompared: "left was not reached: ECONNREFUSED" }]);
    const stopped = await recordBy(() => answer(200), probe(), AbortSignal.abort());
    expect([stopped.outcomes, stopped.kept, unreached.kept]).toEqual([[], [], []]);
  });
});
