import type { Clock } from "../clock.ts";
import { type Log, timestampOf } from "../log.ts";
import { metricMembers } from "../metrics.ts";

const DAY_MS = 86_400_000;

/** What is watched for its end: keys, certificates of clients, and the authorities of the truststore. */
export type ExpiringKind = "credential" | "client_certificate" | "truststore";

/** One thing that ends. */
export interface Expiring {
  readonly kind: ExpiringKind;
  /** What it is known by to an operator: a credential's id, or the subject of an authority. */
  readonly name: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/**
 * Writes a line for each kind with the metric `DaysToExpiry`: the whole days that remain to the one that ends first,
 * which the line names. Something that has ended is not counted any more. A kind of which nothing will end has no line.
 */
export function reportDays(
  all: readonly Expiring[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): void {
  const now = clock();
  const soonest = new Map<ExpiringKind, Expiring>();
  for (const one of all) {
    const { expiresAt } = soonest.get(one.kind) ?? { expiresAt: Number.POSITIVE_INFINITY };
    if (one.expiresAt > now && one.expiresAt < expiresAt) soonest.set(one.kind, one);
  }
  for (const { kind, name, expiresAt } of soonest.values()) {
    const days = Math.floor((expiresAt - now) / DAY_MS);
    const metrics = metricMembers(now, { by: "kind", values: { DaysToExpiry: days } });
    const line = {
      timestamp: timestampOf(now),
      level: "INFO",
      kind,
      name,
      expires: timestampOf(expiresAt),
      ...metrics,
    } as const;
    log(line);
  }
}
