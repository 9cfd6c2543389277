import type { Tenant } from "./tenant.ts";

/** What an erasure cannot reach, and for how long it stays, a sentence each. */
export function whatStays({ kind, id }: Tenant, isDeployed: boolean): readonly string[] {
  const everywhere = [
    `The audit keeps the id ${id} for good, as the proof of the erasure.`,
    ...(kind === "pass"
      ? ["A void pass answers 404 from now on, no longer 410, and its reference can be used again."]
      : []),
    "Messages that a function or a worker holds at the moment stay in their queue for 4 days, in the others for 14 at most: erase again.",
    "Files that were imported, exported or downloaded stay where operators and clients keep them.",
  ];
  const deployed = [
    "Every table but RateLimits and Imports can be restored to any second of the last 35 days.",
    "Backups in a vault stay for as many days as the stage's `backup` says; where it is locked, nobody can delete them earlier.",
    "Logs name ids, never the text of a record, for as many days as `logRetentionDays` and `accessLogRetentionDays` say.",
  ];
  const local = [
    "A running `npm start` remembers its last answers until it ends, and demo.json names the demo's own ids and tokens.",
  ];
  return [...everywhere, ...(isDeployed ? deployed : local)];
}
