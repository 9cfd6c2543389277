import type { CredentialKind } from "../../lib/auth/credential.ts";
import type { TableName } from "../../lib/dynamo/tables.ts";
import type { ImportKind } from "../import/journal/import-register.ts";

/** The kinds of tenants that can be erased. */
export const tenantKinds = ["business", "partner", "pass"] as const;
export type TenantKind = (typeof tenantKinds)[number];

/** Whose data is erased. */
export interface Tenant {
  readonly kind: TenantKind;
  readonly id: string;
}

/** Where the data of one kind of tenant is. */
interface TenantPlaces {
  readonly records: TableName;
  /** The kinds of imports whose journals hold records of such tenants. */
  readonly imports: ImportKind;
  /** The kinds of credentials that may belong to one. */
  readonly credentials: readonly CredentialKind[];
  /** The limits that are charged for one. */
  readonly limits: readonly string[];
}

/** A business and a partner may have the same id and be two tenants, so that each kind has places of its own. */
export const placesOf: Readonly<Record<TenantKind, TenantPlaces>> = {
  business: {
    records: "Transactions",
    imports: "transactions",
    credentials: ["subject", "exchange-key"],
    limits: ["business", "trades"],
  },
  partner: { records: "SellOrders", imports: "sell-orders", credentials: ["ramp-key"], limits: ["ramp"] },
  pass: { records: "Passes", imports: "passes", credentials: [], limits: [] },
};
