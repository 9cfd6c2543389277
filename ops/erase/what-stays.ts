import type { Tenant } from "./tenant.ts";

/** Where a tenant was erased, and whether an operator had blocked its tokens. */
interface Erasure {
  readonly isDeployed: boolean;
  readonly isBlocked: boolean;
}

/** What an erasure does not reach, and for how long it stays, a sentence each. */
export function whatStays({ kind, id }: Tenant, { isDeployed, isBlocked }: Erasure): readonly string[] {
  const everywhere = [
    `The audit keeps the id ${id} for good, as the proof of the erasure.`,
    ...(isBlocked
      ? [`The block of its tokens by an operator stays until \`subjects allow ${id}\` lifts it.`]
      : []),
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
    "A running `npm start` remembers its last answers until it ends, demo.json names the demo's own ids and tokens, and `demo reset` stores the demo's records again.",
  ];
  return [...everywhere, ...(isDeployed ? deployed : local)];
}
