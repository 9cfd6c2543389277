import { parseInstant, utcText } from "../../lib/instant.ts";

const DAY_S = 86_400;
/** How far back point-in-time recovery reaches (DynamoDB's guide). */
const BACKUP_DAYS = 35;

/**
 * An instant to which a table can be restored, as ISO 8601 in UTC with whole seconds; `latest` stays as it is.
 *
 * @throws {RangeError} with a message for the operator, when the text is not an instant, or lies outside of the backups.
 */
export function parseRestoreTime(text: string, now: number): string {
  if (text === "latest") return text;
  const instant = parseInstant(text);
  if (instant === undefined) throw new RangeError("Give an instant such as 2026-11-28T09:30:00Z, or latest.");
  const ageS = now / 1_000 - instant.seconds;
  if (ageS <= 0) throw new RangeError("It must lie in the past.");
  if (ageS > BACKUP_DAYS * DAY_S)
    throw new RangeError(`Point-in-time recovery reaches back ${BACKUP_DAYS} days. Use a backup in a vault.`);
  return utcText({ ...instant, fraction: "" });
}
