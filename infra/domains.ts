import * as z from "zod/mini";
import { matching } from "../lib/setting-schemas.ts";

/** A certificate, in the region of the API. */
const certificateArn = matching(
  /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[A-Za-z0-9-]+$/,
  "must be the ARN of an ACM certificate",
);

const domain = {
  name: matching(
    /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
    "must be a domain name in lower case",
  ),
  /** The domain's certificate. */
  certificateArn,
};

const domainSchema = z.strictObject(domain);

const mutualTlsSchema = z.strictObject({
  ...domain,
  /** Key of the truststore in the stage's bucket: a PEM file of the authorities whose clients are admitted. */
  truststoreKey: z._default(
    matching(/^[A-Za-z0-9!_.*'()/-]{1,500}$/, "must be the key of an S3 object"),
    "truststore.pem",
  ),
  /**
   * A public certificate of ACM for the same name. API Gateway requires it beside a certificate that was imported or
   * that AWS Private CA issued, as a proof that the domain is the operator's.
   */
  ownershipVerificationCertificateArn: z.optional(certificateArn),
  /** Version of the object. Without it, a newer truststore is read only when another setting of the domain changes. */
  truststoreVersion: z.optional(
    matching(/^[A-Za-z0-9._-]{1,1024}$/, "must be the version id of an S3 object"),
  ),
});

/**
 * The domains under which clients reach the API. A domain that asks for client certificates asks every client, so
 * clients without one need another domain. The gateway's own address is closed, because it would bypass both.
 */
export const domainsSchema = z
  .strictObject({
    /** For clients without certificates. */
    open: domainSchema,
    /** For clients with certificates; optional. */
    mutualTls: z.optional(mutualTlsSchema),
  })
  .check(
    z.refine(({ open, mutualTls }) => open.name !== mutualTls?.name, {
      path: ["mutualTls", "name"],
      error: "must differ from open.name",
    }),
  );

/** One domain's settings. */
export type DomainSettings = z.infer<typeof domainSchema>;
/** A stage's domains. */
export type Domains = z.infer<typeof domainsSchema>;
/** The settings of the domain that asks for client certificates. */
export type MutualTlsSettings = z.infer<typeof mutualTlsSchema>;
