import type { CredentialKind } from "../../lib/auth/credential.ts";
import type { DocumentKindName } from "../../local/records/document-kinds.ts";

/** The kinds of tenants that can be erased. */
export const tenantKinds = ["business", "partner", "pass"] as const;

/** Whose data is erased. */
export interface Tenant {
  readonly kind: (typeof tenantKinds)[number];
  readonly id: string;
}

/** Where the data of one kind of tenant is. */
interface TenantPlaces {
  /** The kind of its records, and of the imports whose journals hold them. */
  readonly documents: DocumentKindName;
  /** The kinds of credentials that may belong to one. */
  readonly credentials: readonly CredentialKind[];
  /** The limits that are charged for one. */
  readonly limits: readonly string[];
}

/** A business and a partner may have the same id and be two tenants, so that each kind has places of its own. */
export const placesOf: Readonly<Record<Tenant["kind"], TenantPlaces>> = {
  business: {
    documents: "transactions",
    credentials: ["subject", "exchange-key"],
    limits: ["business", "trades"],
  },
  partner: { documents: "sell-orders", credentials: ["ramp-key"], limits: ["ramp"] },
  pass: { documents: "passes", credentials: [], limits: [] },
};
