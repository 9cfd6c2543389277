import type { Brand } from "../../lib/brand.ts";
import {
  localAudiences,
  localIssuer,
  localTokenType,
  type TokenInterface,
} from "../identity/local-identity.ts";
import { LOCAL_ACCOUNT } from "../store/local-account.ts";

/** Name of the stage that runs on this machine; its tables are `countinghouse-local-…`. */
export const LOCAL_STAGE = "local";

/** Placeholder in the template for the local issuer's address, whose port changes with each start. */
const ISSUER_JWKS_URL = "http://127.0.0.1/.well-known/jwks.json";

const localToken = (audience: TokenInterface): object => ({
  issuer: localIssuer,
  audience: localAudiences[audience],
  jwksUrl: ISSUER_JWKS_URL,
  type: localTokenType,
});

/** The settings of the local stage that a start may choose. */
export interface LocalSettings {
  readonly brand: Brand;
  readonly corsOrigins: readonly string[];
  /** Whether its functions carry the SDK as it is published. */
  readonly stockSdk: boolean;
}

/** The settings that the template is synthesized from: a stage file like that of any deployment. */
export const localStageSettings = ({ brand, corsOrigins, stockSdk }: LocalSettings): object => ({
  name: LOCAL_STAGE,
  disposable: true,
  brand,
  corsOrigins,
  functions: { stockSdk },
  ingest: { producers: [`arn:aws:iam::${LOCAL_ACCOUNT}:role/producer`] },
  business: {
    token: localToken("business"),
    idType: { deprecatedAt: "2026-07-01T00:00:00Z", sunsetAt: "2036-07-01T00:00:00Z" },
  },
  passes: { token: localToken("passes") },
});
