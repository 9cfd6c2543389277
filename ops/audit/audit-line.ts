import { randomBytes } from "node:crypto";
import { type Item, textOf } from "../../lib/dynamo/item.ts";

/** How far a change had come when its line was written. `stopped` is a change that somebody ended by Ctrl-C. */
export type ChangeOutcome = "begun" | "done" | "failed" | "stopped";

/** How many of something a change was about, by the name of what was counted: `{ written: 3 }`. */
export type ChangeCounts = Readonly<Record<string, number>>;

/** One line of the audit. */
export interface AuditLine {
  /** ISO instant, `#` and 8 random characters: unique, and in the order of time. */
  readonly at: string;
  /** ARN of an identity of AWS, `access-key:<id>` where AWS did not say whose key it is, or `local:<user>`. */
  readonly actor: string;
  /** The command's words, without its options: `passes void`. */
  readonly command: string;
  /** Kinds and ids: `pass demo-1`. Never the text of a record, a secret, or the content of a file. */
  readonly target: string;
  readonly reason?: string;
  readonly outcome: ChangeOutcome;
  readonly counts?: ChangeCounts;
  /** `at` of the line that says that this change had begun. */
  readonly began?: string;
}

/** The month that a line is kept under: `2026-11`, in UTC. */
const monthOf = (at: string): string => at.slice(0, 7);

/** The instant of a line, as ISO text. */
export const timeOf = ({ at }: Pick<AuditLine, "at">): string => at.slice(0, at.indexOf("#"));

const RANDOM_BYTES = 4;

/** A new `at` for a line that is written now (epoch ms). */
export const newAt = (now: number): string =>
  `${new Date(now).toISOString()}#${randomBytes(RANDOM_BYTES).toString("hex")}`;

/** The stored form of a line. */
export function itemOf({ counts, ...texts }: AuditLine): Item {
  const attributes = Object.entries(texts).map(([name, text]) => [name, { S: text }] as const);
  return {
    month: { S: monthOf(texts.at) },
    ...Object.fromEntries(attributes),
    ...(counts !== undefined && { counts: { S: JSON.stringify(counts) } }),
  };
}

/** A stored line. */
export function lineOf(item: Item): AuditLine {
  const optional = (name: "reason" | "began") => name in item && { [name]: textOf(item, name) };
  return {
    at: textOf(item, "at"),
    actor: textOf(item, "actor"),
    command: textOf(item, "command"),
    target: textOf(item, "target"),
    ...optional("reason"),
    outcome: textOf(item, "outcome") as ChangeOutcome,
    ...("counts" in item && { counts: JSON.parse(textOf(item, "counts")) as ChangeCounts }),
    ...optional("began"),
  };
}
