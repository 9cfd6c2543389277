import { inThousands } from "../../../local/records/tally.ts";
import { terminalText } from "../../terminal/terminal-text.ts";
import { instantText } from "../../terminal/write-table.ts";
import type { ImportHead } from "./import-register.ts";

/** The records that an import stored, as far as it told: its counts come with its end. */
export const storedCount = ({ counts }: ImportHead): number | undefined =>
  counts && (counts.written ?? 0) + (counts.corrected ?? 0);

/** What an import is known by: `1,234 transactions of acme, imported on … by local:ada`. */
export function headText(head: ImportHead): string {
  const stored = storedCount(head);
  const count = stored === undefined ? "" : `${inThousands(stored)} `;
  const of = head.owner === undefined ? "" : ` of ${terminalText(head.owner)}`;
  return `${count}${head.kind}${of}, imported on ${instantText(head.beganAt)} by ${head.actor}`;
}
