import type { Meeting } from "../../../lib/trades/standing-trades.ts";

/** What the report says of a line, and the row of its table that counts it. */
interface MeetingRemark {
  readonly row: "double" | "missed";
  readonly text: string;
}

const OWN_ID = "give each trade a tid of its own, or import the right one with --revision 1";

/**
 * What is told of a trade that met something in its place; undefined for a first report of a trade that has been corrected
 * since, which tells nothing new.
 *
 * @param otherLine the line of the other trade, if it is one of the same file.
 */
export function remarkOn(
  { meets }: Meeting,
  otherLine: number | undefined,
  isWithdrawal = false,
): MeetingRemark | undefined {
  if (meets === "nothing" || meets === "newer") return missed(meets, isWithdrawal);
  const other =
    otherLine === undefined ? "another trade that is stored" : `another trade, in line ${otherLine}`;
  const listed = meets === "another" ? "that one is listed" : "this one is listed in its place";
  return { row: "double", text: `tdt and tid are those of ${other}, and ${listed}: ${OWN_ID}` };
}

function missed(meets: "nothing" | "newer", isWithdrawal: boolean): MeetingRemark | undefined {
  const row = "missed";
  if (meets === "newer") {
    const text = "a higher --revision reports this trade, so it stays listed: withdraw that one";
    return isWithdrawal ? { row, text } : undefined;
  }
  const kept = isWithdrawal
    ? "the withdrawal is kept, should the trade still come"
    : "it is stored as a new trade";
  return { row, text: `no trade has this tdt and tid: ${kept}` };
}
