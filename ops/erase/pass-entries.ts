import type { Table } from "../../lib/dynamo/table.ts";
import { type ImportHead, ImportRegister, type JournalPart } from "../import/journal/import-register.ts";
import type { JournalEntry } from "../import/journal/journal-entry.ts";

interface FoundPart {
  readonly head: ImportHead;
  readonly part: JournalPart;
  readonly others: readonly JournalEntry[];
}

/** The items of journals that have entries of a pass. It reads the journals of all imports of passes. */
async function* partsWith(register: ImportRegister, reference: string): AsyncGenerator<FoundPart> {
  for await (const head of register.heads()) {
    if (head.kind !== "passes") continue;
    for await (const part of register.partsBackwards(head.id)) {
      const others = part.entries.filter(({ key }) => key.partner_reference?.S !== reference);
      if (others.length < part.entries.length) yield { head, part, others };
    }
  }
}

/** The number of entries of a pass in the journals of imports. */
export async function countPassEntries(table: Table, reference: string): Promise<number> {
  let count = 0;
  for await (const { part, others } of partsWith(new ImportRegister(table), reference))
    count += part.entries.length - others.length;
  return count;
}

/** Takes the entries of a pass out of the journals of imports; those of other passes stay. */
export async function removePassEntries(table: Table, reference: string): Promise<void> {
  const register = new ImportRegister(table);
  for await (const { head, part, others } of partsWith(register, reference))
    await register.replacePart(head, part.number, others);
}
