/** The kinds of owners that records have. Passes have none, and are one row. */
export const tenantKinds = ["business", "partner", "market", "passes"] as const;
type TenantKind = (typeof tenantKinds)[number];

/** The records of one owner. */
export interface Tenant {
  readonly kind: TenantKind;
  /** The business, the partner or the market's symbol; undefined for passes. */
  readonly owner: string | undefined;
  /** How many are stored; of trades, how many readers see. */
  readonly records: number;
  /** When the newest one changed, or of trades was made: ISO 8601 in UTC. Undefined for passes, which have no time. */
  readonly newest: string | undefined;
  /** Segments of trades that cannot be read, and whose trades are not counted. */
  readonly damagedSegments?: number;
}

/** The order of a listing: by kind, then by owner. */
export const compareTenants = (a: Tenant, b: Tenant): number =>
  tenantKinds.indexOf(a.kind) - tenantKinds.indexOf(b.kind) ||
  (a.owner ?? "").localeCompare(b.owner ?? "", "en");
