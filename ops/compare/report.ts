import * as z from "zod/mini";
import type { Tint } from "../../local/terminal/tint.ts";
import { type Cell, tableText, wrapText } from "../terminal/write-table.ts";
import { bodyLegend } from "./body-form.ts";
import type { ByHand } from "./by-hand.ts";
import type { Difference } from "./compare-answers.ts";
import { headerLegend } from "./header-values.ts";
import type { Probe } from "./probe.ts";
import type { Outcome } from "./run-suite.ts";

const texts = z.array(z.string());
/** A difference, and the requests whose answers have it. */
const difference = z.object({ aspect: z.string(), left: z.string(), right: z.string(), requests: texts });

const requestShape = z.object({ request: z.string(), shows: z.string() });

/** What a comparison came to. */
const comparison = z.object({
  left: z.string(),
  right: z.string(),
  /** The requests that were answered and compared, with the status on the left. */
  compared: z.array(z.object({ request: z.string(), status: z.string() })),
  differences: z.array(difference),
  notCompared: z.array(z.extend(requestShape, { why: z.string() })),
  /** What differed at first, but no more when both sides were asked again. */
  passing: z.array(difference),
  /** Differences that were passed over because `--ignore` names them. */
  ignored: z.array(difference),
  /** What no request of the suite shows. */
  byHand: z.array(z.object({ name: z.string(), shows: z.string(), why: z.string(), command: z.string() })),
  /** What is not compared as it stands. */
  legend: texts,
});

type FoldedDifference = z.infer<typeof difference>;
type Comparison = z.infer<typeof comparison>;

/** What was recorded of an address. */
const recording = z.object({
  left: z.string(),
  receipt: z.string(),
  recorded: texts,
  notRecorded: z.array(z.extend(requestShape, { why: z.string() })),
});

/** What a comparison prints for programs; with `--list`, the requests that it would send; with `--record`, what it kept. */
export const comparisonOutput = {
  shape: z.union([comparison, recording, z.array(requestShape)]),
  example: {
    left: "http://127.0.0.1:3000/",
    right: "https://api.example.com/",
    compared: [{ request: "get-pass 200", status: "200" }],
    differences: [
      { aspect: "header cache-control", left: "no-store", right: "(absent)", requests: ["get-pass 200"] },
    ],
    notCompared: [],
    passing: [],
    ignored: [],
    byHand: [],
    legend: [],
  },
} as const;

interface ComparisonParts {
  readonly left: string;
  readonly right: string;
  readonly outcomes: readonly Outcome[];
  /** Aspects that are passed over: `NAME` for a header, `spelling`, or an aspect as it is reported. */
  readonly ignore: readonly string[];
  readonly isExact: boolean;
  readonly byHand: readonly ByHand[];
}

/** Folds the outcomes of a suite: a difference that several answers have is told once. */
export function comparisonOf({
  outcomes,
  ignore,
  isExact,
  byHand,
  ...addresses
}: ComparisonParts): Comparison {
  const compared = outcomes.filter((outcome) => "status" in outcome);
  const all = folded(compared);
  const isIgnored = ({ aspect }: Difference): boolean =>
    ignore.some((one) => aspect === one || aspect === `header ${one}` || aspect.startsWith(`${one} of `));
  return {
    ...addresses,
    compared: compared.map(({ probe, status }) => ({ request: probe.name, status })),
    differences: all.filter((difference) => !isIgnored(difference)),
    notCompared: outcomes.flatMap(refusalIn),
    passing: folded(compared.map(({ probe, passing = [] }) => ({ probe, differences: passing }))),
    ignored: all.filter(isIgnored),
    byHand: [...byHand],
    legend: [...headerLegend(isExact), ...bodyLegend(isExact), ...OTHERS],
  };
}

const OTHERS = [
  "ids, symbols, addresses and credentials of a side: names in angle brackets stand for them",
  "reason phrases, the order of headers, and all else where the status differs: left out",
] as const;

function folded(
  outcomes: readonly { readonly probe: Probe; readonly differences: readonly Difference[] }[],
): FoldedDifference[] {
  const found = new Map<string, { readonly difference: Difference; readonly requests: string[] }>();
  for (const { probe, differences } of outcomes)
    for (const difference of differences) {
      const key = JSON.stringify([difference.aspect, difference.left, difference.right]);
      const same = found.get(key) ?? { difference, requests: [] };
      same.requests.push(probe.name);
      found.set(key, same);
    }
  return [...found.values()].map(({ difference, requests }) => ({ ...difference, requests }));
}

const NAMED_MAX = 2;

const requestsText = (requests: readonly string[]): string =>
  requests.length <= NAMED_MAX + 1
    ? requests.join(", ")
    : `${requests.slice(0, NAMED_MAX).join(", ")} and ${requests.length - NAMED_MAX} more`;

/** The report for people: the differences first, the summary last. @param width of the terminal, if there is one. */
export function reportText(comparison: Comparison, width: number | undefined): string {
  const { left, right, differences, passing, notCompared, byHand, legend } = comparison;
  const table = (head: readonly string[], rows: readonly (readonly Cell[])[]): readonly string[] =>
    rows.length === 0 ? [] : [tableText({ head, rows }, width)];
  const reasons = [...Map.groupBy(notCompared, ({ why }) => why)];
  return [
    `left   ${left}\nright  ${right}`,
    ...table(["differs", "left", "right", "requests"], differences.map(rowOf("bad"))),
    ...table(["differed once", "left", "right", "requests"], passing.map(rowOf("warn"))),
    ...table(
      ["not compared", "requests"],
      reasons.map(([why, all]) => [why, all.map(({ request }) => request).join(", ")]),
    ),
    ...table(
      ["by hand", "shows"],
      byHand.map(({ name, shows }) => [name, shows]),
    ),
    ["Not compared as it stands:", ...legend.flatMap((line) => wrapped(line, width))].join("\n"),
    summaryText(comparison),
  ].join("\n\n");
}

const rowOf =
  (tint: Tint) =>
  ({ aspect, left, right, requests }: FoldedDifference): readonly Cell[] => [
    { text: aspect, tint },
    left,
    right,
    requestsText(requests),
  ];

/** A line of the legend, indented. */
const wrapped = (line: string, width = Number.POSITIVE_INFINITY): readonly string[] =>
  wrapText(line, width - 2).map((text) => `  ${text}`);

function summaryText({ compared, differences, notCompared, ignored }: Comparison): string {
  const counts = Map.groupBy(compared, ({ status }) => status);
  const statuses = [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([status, all]) => `${status} × ${all.length}`);
  const passedOver = ignored.length === 0 ? "" : ` (${ignored.length} more ignored)`;
  return [
    `Statuses on the left: ${statuses.join(", ")}.`,
    `${compared.length} requests compared, ${differences.length} differences${passedOver}, ${notCompared.length} requests not compared.`,
  ].join("\n");
}

/** What was recorded of an address, for programs and for people. */
export function recordingOf(left: string, receipt: string, outcomes: readonly Outcome[]) {
  const notRecorded = outcomes.flatMap(refusalIn);
  const recorded = outcomes.flatMap((outcome) => ("status" in outcome ? [outcome.probe.name] : []));
  const summary = `${recorded.length} answers of ${left} are in ${receipt}, ${notRecorded.length} requests were not recorded.`;
  const rows = notRecorded.map(({ request, why }) => [request, why]);
  return {
    json: { left, receipt, recorded, notRecorded },
    text: [...(rows.length === 0 ? [] : [{ head: ["not recorded", "why"], rows }]), summary],
  };
}

const refusalIn = (outcome: Outcome) =>
  "notCompared" in outcome
    ? [{ request: outcome.probe.name, shows: outcome.probe.shows, why: outcome.notCompared }]
    : [];
