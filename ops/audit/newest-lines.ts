import type { AuditLine } from "./audit-line.ts";
import type { AuditRegister, Stretch } from "./audit-register.ts";

const DAY_MS = 86_400_000;

const monthOfInstant = (instant: number): string => new Date(instant).toISOString().slice(0, 7);

/** The month before one: `2026-01` comes after `2025-12`. */
const monthBefore = (month: string): string => monthOfInstant(Date.parse(`${month}-01T00:00:00Z`) - DAY_MS);

/** The stretches between two instants (epoch ms), one for each month, the newest first. */
function stretchesOf(fromMs: number, toMs: number): Stretch[] {
  const [from, to] = [fromMs, toMs].map((instant) => new Date(instant).toISOString()) as [string, string];
  const stretches: Stretch[] = [];
  for (let month = monthOfInstant(toMs); month >= monthOfInstant(fromMs); month = monthBefore(month))
    stretches.push({ month, from, to });
  return stretches;
}

/**
 * The lines since an instant (epoch ms), the newest first: month by month, each by queries, so that only what is asked
 * for is read. Lines of up to a day ahead are there too, because clocks of other machines may be wrong.
 */
export async function* newestLines(
  register: Pick<AuditRegister, "newestFirst">,
  { sinceMs, now }: { readonly sinceMs: number; readonly now: number },
): AsyncGenerator<AuditLine> {
  for (const stretch of stretchesOf(sinceMs, now + DAY_MS)) yield* register.newestFirst(stretch);
}
