import { createAuthority, issueCertificate } from "../../local/identity/certificates.ts";
import { NOW } from "./chain.ts";

const DAY_MS = 86_400_000;
const validity = { notBefore: NOW - DAY_MS, notAfter: NOW + DAY_MS };

/** What a test's certificate says; valid for a day on either side of the tests' instant unless it says otherwise. */
export interface CertificateChoice {
  readonly subject?: string;
  readonly dns?: readonly string[];
  readonly notBefore?: number;
  readonly notAfter?: number;
}

/** An authority with a name, and client certificates of it. */
export async function certificateAuthority(name = "CN=Test Authority,O=Example") {
  const authority = await createAuthority(name, validity);
  const issue = async ({ dns, ...choice }: CertificateChoice = {}) => {
    const request = { subject: "CN=wallet-poller,O=Example", use: "client", ...validity, ...choice } as const;
    const issued = await issueCertificate(authority, {
      ...request,
      ...(dns !== undefined && { hosts: dns }),
    });
    return { pem: issued.certificate, keyPem: issued.key };
  };
  return { pem: authority.certificate, issue };
}
