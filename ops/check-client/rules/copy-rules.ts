import type { GivenRecord, Visit } from "../visit.ts";
import {
  always,
  type ClientRule,
  type Evidence,
  fail,
  isOfListing,
  type Judgement,
  pass,
  unseen,
} from "./client-rule.ts";

const NO_COPY = "the client showed no amounts: print them, post them to /understood, or give --copy";

const escaped = (text: string): string => text.replaceAll(".", "\\.");

/** How often a text stands in the copy by itself, and not as a part of a longer number or word. */
const countOf = (copy: string, text: string): number =>
  copy.match(new RegExp(`(?<![\\w.])${escaped(text)}(?![\\w]|\\.\\d)`, "g"))?.length ?? 0;

/** Digits that every way of losing some keeps. */
const KEPT_LENGTH = 11;

/** A number in the copy that begins like an amount; undefined when there is none. */
const likeness = (copy: string, amount: string): string | undefined =>
  new RegExp(`(?<![\\w.])${escaped(amount.slice(0, KEPT_LENGTH))}[\\d.]*`).exec(copy)?.[0];

/** The records that the client was given, each once. */
function givenRecords(visits: readonly Visit[]): GivenRecord[] {
  const records = visits.flatMap((visit) => visit.records);
  return [...new Map(records.map((record) => [`${record.id} ${record.amounts[0]}`, record])).values()];
}

function judgeDigits({ visits, copy }: Evidence): Judgement {
  const amounts = givenRecords(visits).flatMap((record) => record.amounts);
  let kept = 0;
  for (const amount of amounts) {
    if (countOf(copy, amount) > 0) {
      kept += 1;
      continue;
    }
    const seen = likeness(copy, amount);
    if (seen !== undefined) return fail(`${amount} became ${seen}`);
  }
  return kept === 0 ? unseen(NO_COPY) : pass(`${kept} amounts with all their digits`);
}

/** The requests of listings that were read to their end. */
function readListings({ visits }: Evidence): Visit[] {
  const isRead = ({ run, endpoint, step }: Visit) =>
    visits.some(
      (last) =>
        last.run === run &&
        last.endpoint === endpoint &&
        last.step?.act === step?.act &&
        last.step?.isLast === true &&
        last.status === 200,
    );
  return visits.filter((visit) => isOfListing(visit) && isRead(visit));
}

/** The count that most texts have. */
function usual(counts: readonly number[]): number {
  const groups = Map.groupBy(counts, (count) => count);
  return [...groups.entries()].sort(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? 0;
}

function judgeComplete(evidence: Evidence): Judgement {
  const records = givenRecords(readListings(evidence));
  let judged = 0;
  for (const column of COLUMNS) {
    const cells = records.flatMap((record) => {
      const text = column(record);
      return text === undefined ? [] : [{ id: record.id, count: countOf(evidence.copy, text) }];
    });
    const expected = usual(cells.map(({ count }) => count));
    if (expected === 0) continue;
    judged += 1;
    const wrong = cells.find(({ count }) => count !== expected);
    if (wrong !== undefined)
      return fail(
        `record ${wrong.id} is in the copy ${wrong.count} times, and most are there ${expected} times`,
      );
  }
  return judged === 0 ? unseen(NO_COPY) : pass(`${records.length} records`);
}

/** A client shows some of these of each record: its id, and its amounts. */
const COLUMNS = [
  ({ id }: GivenRecord): string | undefined => id,
  ({ amounts }: GivenRecord): string | undefined => amounts[0],
  ({ amounts }: GivenRecord): string | undefined => amounts[1],
];

/** The rules about what the client made of the answers. */
export const copyRules: readonly ClientRule[] = [
  {
    id: "digits",
    levelOf: always("contract"),
    rule: "Every amount keeps its digits",
    expected: "amounts as they were sent",
    why: "A record has the amount that was sent (contract), which may have 38 digits. A double holds 15 to 17: a client that parses amounts as numbers changes them.",
    advice:
      "JavaScript: JSON.parse with a reviver that takes the source of a number. Python: json.loads(text, parse_float=Decimal).",
    judge: judgeDigits,
  },
  {
    id: "copy-complete",
    levelOf: always("contract"),
    rule: "No record of a listing is lost or doubled",
    expected: "each record as often as the others",
    why: "A listing has each record once (contract): pages that were empty, cut off or repeated, and windows that overlap, must leave no trace in the records.",
    advice: "Take the records of a page once its whole body was read, and each id once.",
    interfaces: ["exchange", "business"],
    judge: judgeComplete,
  },
];
