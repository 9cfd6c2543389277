import * as z from "zod/mini";
import { inThousands } from "../../local/records/tally.ts";
import { parseCount } from "../arguments/parse-count.ts";
import { defineCommand } from "../command.ts";
import { jsonTime } from "../terminal/json-output.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { instantOrNull, instantText } from "../terminal/write-table.ts";
import { type ImportHead, ImportRegister, importKinds } from "./journal/import-register.ts";

const shape = z.object({
  importId: z.string(),
  kind: z.enum(importKinds),
  owner: z.optional(z.string()),
  actor: z.string(),
  beganAt: jsonTime,
  endedAt: z.nullable(jsonTime),
  outcome: z.nullable(z.enum(["done", "failed", "stopped"])),
  counts: z.optional(z.record(z.string(), z.number())),
  undoneAt: z.nullable(jsonTime),
});

const example: z.input<typeof shape> = {
  importId: "imp-20261129-k7f3",
  kind: "transactions",
  owner: "acme",
  actor: "local:ada",
  beganAt: "2026-11-29T00:30:00.000Z",
  endedAt: "2026-11-29T00:30:05.000Z",
  outcome: "done",
  counts: { written: 2, unusual: 0, corrected: 0, unchanged: 0, stale: 0, refused: 0 },
  undoneAt: null,
};

/** The records that an import stored, as far as it told: its counts come with its end. */
const storedCount = ({ counts }: ImportHead): number | undefined =>
  counts && (counts.written ?? 0) + (counts.corrected ?? 0);

/** What an import is known by: `1,234 transactions of acme, imported on … by local:ada`. */
export function headText(head: ImportHead): string {
  const stored = storedCount(head);
  const count = stored === undefined ? "" : `${inThousands(stored)} `;
  const of = head.owner === undefined ? "" : ` of ${terminalText(head.owner)}`;
  return `${count}${head.kind}${of}, imported on ${instantText(head.beganAt)} by ${head.actor}`;
}

const asJson = ({ id, beganAt, endedAt, outcome, undoneAt, ...head }: ImportHead): z.input<typeof shape> => ({
  ...head,
  importId: id,
  beganAt: instantText(beganAt),
  endedAt: instantOrNull(endedAt),
  outcome: outcome ?? null,
  undoneAt: instantOrNull(undoneAt),
});

function rowOf(head: ImportHead): string[] {
  const stored = storedCount(head);
  const state = head.undoneAt === undefined ? (head.outcome ?? "open") : "undone";
  const count = stored === undefined ? "" : inThousands(stored);
  const began = instantText(head.beganAt).replace(/\.\d+Z$/, "Z");
  return [head.id, began, head.actor, head.kind, head.owner ?? "", count, state];
}

/** Ids sort by their day; within a day they are in no order. */
async function latest(register: ImportRegister, count: number): Promise<ImportHead[]> {
  const heads: ImportHead[] = [];
  const dayOf = ({ id }: ImportHead): string => id.slice(0, -5);
  for await (const head of register.heads()) {
    const last = heads.at(-1);
    if (heads.length >= count && last !== undefined && dayOf(last) !== dayOf(head)) break;
    heads.push(head);
  }
  return heads.sort((one, other) => other.beganAt - one.beganAt).slice(0, count);
}

/** `import list`: the imports that can be taken back. */
export const listImports = defineCommand({
  words: "import list",
  summary: "list recent imports, the latest first",
  about: `
Lists the imports of the last 35 days that stored something, the latest first. STORED is empty, and the outcome "open",
while an import runs, and for good when it was killed. \`import undo\` takes an import back.`,
  examples: ["ops import list", "ops import list --json"],
  exits: "listed",
  on: "store",
  takes: { "--count <number>": { text: "how many", parse: parseCount, default: "20" } },
  json: { shape, example, lines: true },
  async run({ count }, { store, print }) {
    const heads = await latest(new ImportRegister((await store()).table("Imports")), count);
    for (const head of heads) print(asJson(head));
    if (heads.length === 0) return { text: "No import of the last 35 days stored anything." };
    const head = ["ID", "BEGAN", "BY", "KIND", "OF", "STORED", "STATE"];
    return { text: { head, rows: heads.map(rowOf) } };
  },
});
