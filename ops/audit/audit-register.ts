import { randomBytes } from "node:crypto";
import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { type Item, textOf } from "../../lib/dynamo/item.ts";
import { priced, provenWrite } from "../../lib/dynamo/proven.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import { queryAll } from "../store/query-all.ts";

/** How far a change had come when its line was written. `stopped` is a change that somebody ended by Ctrl-C. */
export type ChangeOutcome = "begun" | "done" | "failed" | "stopped";

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
  /** Why, in the operator's words. */
  readonly reason?: string;
  readonly outcome: ChangeOutcome;
  /** How many of something the change was about, by the name of what was counted: `{ written: 3 }`. */
  readonly counts?: Readonly<Record<string, number>>;
  /** `at` of the line that says that this change had begun. */
  readonly began?: string;
}

const DAY_MS = 86_400_000;

const isoOf = (instant: number): string => new Date(instant).toISOString();

/** The month that a line is kept under: `2026-11`, in UTC. */
const monthOf = (at: string): string => at.slice(0, 7);

/** The instant of a line, as ISO text. */
export const timeOf = ({ at }: Pick<AuditLine, "at">): string => at.slice(0, at.indexOf("#"));

const RANDOM_BYTES = 4;

/** A new `at` for a line that is written now (epoch ms). */
export const newAt = (now: number): string => `${isoOf(now)}#${randomBytes(RANDOM_BYTES).toString("hex")}`;

/** The stored form of a line. */
function itemOf({ counts, ...texts }: AuditLine): Item {
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
    ...("counts" in item && { counts: JSON.parse(textOf(item, "counts")) as Record<string, number> }),
    ...optional("began"),
  };
}

/** Writes and reads the audit. It has no way to change or remove a line. */
export class AuditRegister {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Adds a line. Adding the same line again, as the SDK does after a lost answer, changes nothing. */
  async add(line: AuditLine): Promise<void> {
    const { client, name } = this.#table;
    const put = new PutItemCommand({ TableName: name, Item: itemOf(line), ...priced });
    await provenWrite(() => client.send(put));
  }

  /**
   * The lines since an instant (epoch ms), the newest first, as of every write that has been answered. They are asked for
   * month by month, so that no other is read. Lines of up to a day ahead are there too, because clocks of other machines
   * may be wrong.
   */
  async *newestSince(sinceMs: number, now: number): AsyncGenerator<AuditLine> {
    const [from, to] = [isoOf(sinceMs), isoOf(now + DAY_MS)];
    for (let month = monthOf(to); month >= monthOf(from); month = monthBefore(month)) {
      const found = queryAll(this.#table, {
        KeyConditionExpression: "#month = :month AND #at BETWEEN :from AND :to",
        ExpressionAttributeNames: { "#month": "month", "#at": "at" },
        // An `at` is longer than an instant, so none equals `to`.
        ExpressionAttributeValues: { ":month": { S: month }, ":from": { S: from }, ":to": { S: to } },
        ScanIndexForward: false,
      });
      for await (const item of found) yield lineOf(item);
    }
  }
}

/** The month before one: `2026-01` comes after `2025-12`. */
const monthBefore = (month: string): string => monthOf(isoOf(Date.parse(`${month}-01T00:00:00Z`) - DAY_MS));
