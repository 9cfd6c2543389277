import * as z from "zod/mini";
import { systemClock } from "../../lib/clock.ts";
import { parseSince } from "../arguments/parse-since.ts";
import { defineCommand, type Shown } from "../command.ts";
import { jsonTime } from "../terminal/json-output.ts";
import { type Cell, instantText } from "../terminal/write-table.ts";
import { type AuditLine, AuditRegister, timeOf } from "./audit-register.ts";

const shape = z.object({
  id: z.string(),
  at: jsonTime,
  actor: z.string(),
  command: z.string(),
  target: z.string(),
  reason: z.optional(z.string()),
  outcome: z.enum(["begun", "done", "failed", "stopped"]),
  counts: z.optional(z.record(z.string(), z.number())),
  began: z.optional(z.string()),
});

/** The command's words, or the first of them: `keys` is every command of that group. */
const isOf = (wanted: string | undefined, { command }: AuditLine): boolean =>
  wanted === undefined || command === wanted || command.startsWith(`${wanted} `);

const asJson = (line: AuditLine): z.input<typeof shape> => ({ ...line, id: line.at, at: timeOf(line) });

/** The part of an actor that people go by: what follows the account in an ARN. */
const shortActor = (actor: string): string => /^arn:[^:]*:[^:]*:[^:]*:[^:]*:(.+)$/.exec(actor)?.[1] ?? actor;

const tints = { begun: "warn", done: "good", failed: "bad", stopped: "warn" } as const;

const countsText = ({ counts = {} }: AuditLine): string[] =>
  Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [] : [`${count} ${name}`]));

function cellsOf(line: AuditLine): Cell[] {
  const { actor, command, target, outcome, reason } = line;
  const remarks = [...countsText(line), ...(reason === undefined ? [] : [reason])].join("; ");
  const when = timeOf(line).replace(/\.\d+Z$/, "Z");
  return [when, shortActor(actor), command, target, { text: outcome, tint: tints[outcome] }, remarks];
}

function textOf(lines: readonly AuditLine[], sinceMs: number): Shown {
  const ended = new Set(lines.map(({ began }) => began));
  const rows = lines.filter(({ at }) => !ended.has(at)).map(cellsOf);
  return rows.length === 0
    ? `No change was recorded since ${instantText(sinceMs)}. --since 4w looks further back.`
    : { head: ["WHEN", "ACTOR", "COMMAND", "TARGET", "OUTCOME", "REMARKS"], rows };
}

/** `audit list`: what operators changed, and when. */
export const listAudit = defineCommand({
  words: "audit list",
  summary: "list what commands changed, the newest first",
  about: `The newest change comes first. A change that took long has two lines, one before it began and one at its end; the table
shows the first only while the second is missing, which is so while the command runs, and for good where it was killed.
With --json, standard output has every line, a JSON object each; \`began\` is the \`id\` of the line that a change began
with. ACTOR is the role and session that AWS saw, or the user of this machine.`,
  examples: [
    "ops audit list",
    'ops audit list --since 4w --command "keys revoke"',
    `ops audit list --json | jq -r 'select(.outcome == "failed") | .target'`,
  ],
  exits: "listed",
  on: "store",
  takes: {
    "--since <time>": {
      text: "from when on: a length of time back from now, a date, or an instant",
      parse: (text) => parseSince(text, systemClock()),
      default: "7d",
    },
    "--command <words>": "only of this command, or of this group of commands",
  },
  json: {
    shape,
    lines: true,
    example: {
      id: "2026-11-29T00:30:00.000Z#0a1b2c3d",
      at: "2026-11-29T00:30:00.000Z",
      actor: "arn:aws:sts::123456789012:assumed-role/operators/ada",
      command: "passes void",
      target: "pass demo-1",
      outcome: "done",
    },
  },
  async run({ since: sinceMs, command, json }, { store, print }) {
    const register = new AuditRegister((await store()).table("Audit"));
    const listed: AuditLine[] = [];
    for await (const line of register.newestSince(sinceMs, systemClock())) {
      if (!isOf(command, line)) continue;
      if (json) print(asJson(line));
      else listed.push(line);
    }
    return { text: textOf(listed, sinceMs) };
  },
});
