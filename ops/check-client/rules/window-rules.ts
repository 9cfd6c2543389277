import { microsKey, parseDateOrInstant } from "../../../lib/instant.ts";
import { areNeighbours, overlapOf, type Span } from "../span.ts";
import type { Visit } from "../visit.ts";
import {
  always,
  type ClientRule,
  type Evidence,
  fail,
  type Judgement,
  named,
  pass,
  unseen,
} from "./client-rule.ts";

/** The window of a listing. */
interface AskedWindow extends Span {
  readonly visit: Visit;
}

/** The windows that a run asked for by both ends, the newest first. */
function windowsOf({ visits, interfaceName }: Evidence): AskedWindow[] {
  const windows = new Map<string, AskedWindow>();
  for (const visit of visits) {
    const query = new URLSearchParams(visit.target.slice(visit.target.indexOf("?") + 1));
    if (query.has("cursor")) continue;
    const window = interfaceName === "exchange" ? tradeWindow(query) : transactionWindow(query);
    if (window === undefined) continue;
    const subject = `${visit.run} ${visit.endpoint} ${window.first} ${window.last}`;
    if (!windows.has(subject)) windows.set(subject, { visit, ...window });
  }
  return [...windows.values()].sort(
    (one, other) => one.visit.run - other.visit.run || other.first - one.first,
  );
}

/** Milliseconds; the contract includes both ends. */
function tradeWindow(query: URLSearchParams): Span | undefined {
  const [start, end] = [query.get("start_date"), query.get("end_date")];
  return start === null || end === null ? undefined : { first: Number(start), last: Number(end) };
}

/** Microseconds; the contract includes `from` and not `to`. */
function transactionWindow(query: URLSearchParams): Span | undefined {
  const [from, to] = [query.get("from"), query.get("to")].map((text) => parseDateOrInstant(text ?? ""));
  if (from === undefined || to === undefined) return undefined;
  return { first: Number(microsKey(from)), last: Number(microsKey(to)) - 1 };
}

/** Judges each two windows of one run that are meant to stand side by side, by how many instants they share. */
function judgeNeighbours(evidence: Evidence, faultOf: (overlap: number) => string | undefined): Judgement {
  const windows = windowsOf(evidence);
  let neighbours = 0;
  for (const [at, newer] of windows.entries()) {
    const older = windows[at + 1];
    if (older?.visit.run !== newer.visit.run || !areNeighbours(newer, older)) continue;
    neighbours += 1;
    const fault = faultOf(overlapOf(newer, older));
    if (fault !== undefined) return fail(`${named(older.visit)} and ${named(newer.visit)}: ${fault}`);
  }
  return neighbours === 0
    ? unseen("no two windows side by side were read in one run")
    : pass(`${neighbours} borders`);
}

const ADVICE =
  "Trades: both ends are included, so the next older window ends at start_date - 1. Transactions: from is included and to is not, so it ends at the from of the newer one.";

/** The rules about windows that stand side by side. */
export const windowRules: readonly ClientRule[] = [
  {
    id: "window-no-overlap",
    levelOf: always("advice"),
    rule: "No instant is read in two windows",
    expected: "windows that do not overlap",
    why: "What two windows include is paid for twice in tokens, and a record there comes twice. A client that drops doubles by their ids may overlap windows on purpose.",
    advice: ADVICE,
    interfaces: ["exchange", "business"],
    judge: (evidence) =>
      judgeNeighbours(evidence, (overlap) => (overlap > 0 ? "the windows overlap" : undefined)),
  },
  {
    id: "window-no-gap",
    levelOf: always("advice"),
    rule: "No instant is left out between two windows",
    expected: "windows without a gap",
    why: "A record between two windows is never read.",
    advice: ADVICE,
    interfaces: ["exchange", "business"],
    judge: (evidence) =>
      judgeNeighbours(evidence, (overlap) =>
        overlap < 0 ? "there is a gap between the windows" : undefined,
      ),
  },
];
