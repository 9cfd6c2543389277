import { createAuthority, issueCertificate } from "../../local/identity/certificates.ts";
import { NOW } from "./chain.ts";

const DAY_MS = 86_400_000;
const validity = { notBefore: NOW - DAY_MS, notAfter: NOW + DAY_MS };

/** The content of a test's certificate; valid from a day before the tests' instant to a day after it unless given. */
export interface CertificateChoice {
  readonly subject?: string;
  readonly dns?: readonly string[];
  readonly notBefore?: number;
  readonly notAfter?: number;
}

/** An authority with a name, which issues client certificates. */
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
