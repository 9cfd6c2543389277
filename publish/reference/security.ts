import { contractBrand } from "../../lib/brand.ts";
import type { Tag } from "../../local/endpoints/endpoint-reference.ts";

const { headerPrefix } = contractBrand;

/** Security schemes of OpenAPI. The three headers of a signed request are three schemes, all of which it needs. */
export const securitySchemes = {
  businessToken: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description:
      "An access token of the deployment's issuer whose `sub` is the business, with the scope `transactions.read`.",
  },
  passToken: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description:
      "An access token of the deployment's issuer for the pass interface, with the scope `passes.read`.",
  },
  passCertificate: {
    type: "mutualTLS",
    description: "A client certificate that the operator registered, on the domain for certificates.",
  },
  passSignature: {
    type: "apiKey",
    in: "header",
    name: "Jws-Signature",
    description: "A detached JWS over the request: see docs/passes.md.",
  },
  exchangeKey: {
    type: "apiKey",
    in: "header",
    name: `${headerPrefix}API-Key`,
    description: "The 64 letters and digits that the operator gave you for your public key.",
  },
  exchangeTimestamp: {
    type: "apiKey",
    in: "header",
    name: `${headerPrefix}Timestamp`,
    description: "Now, Unix epoch milliseconds.",
  },
  exchangeSignature: {
    type: "apiKey",
    in: "header",
    name: `${headerPrefix}Signature`,
    description:
      "Ed25519 over timestamp, method, path and query without its question mark, in standard Base64: see docs/signing.md.",
  },
  partnerKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-KEY",
    description: "The partner's API key.",
  },
} as const;

type Requirement = Partial<Record<keyof typeof securitySchemes, readonly string[]>>;

/** What suffices for each interface; a list means any of its members. */
export const securityOf: Readonly<Record<Tag, readonly Requirement[]>> = {
  "Business accounts": [{ businessToken: [] }],
  "Wallet passes": [{ passCertificate: [] }, { passSignature: [] }, { passToken: [] }],
  Exchange: [{ exchangeKey: [], exchangeTimestamp: [], exchangeSignature: [] }],
  Ramp: [{ partnerKey: [] }],
};
