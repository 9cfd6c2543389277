// The X.509 library resolves its parts through Reflect's metadata.
// oxlint-disable-next-line import/no-unassigned-import
import "reflect-metadata";
import { webcrypto } from "node:crypto";
import {
  BasicConstraintsExtension,
  Extension,
  PemConverter,
  SubjectAlternativeNameExtension,
  type X509CertificateCreateParams,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { createAuthority, issueCertificate } from "../../local/identity/certificates.ts";
import { DAY_MS, NOW } from "./chain.ts";

const validity = { notBefore: NOW - DAY_MS, notAfter: NOW + DAY_MS };

/** The content of a test's certificate; valid from a day before the tests' instant to a day after it unless given. */
export interface CertificateChoice {
  readonly subject?: string;
  readonly dns?: readonly string[];
  readonly notBefore?: number;
  readonly notAfter?: number;
}

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** A critical alternative name, as workload identities have it in place of a subject. */
export const uriName = (value: string): Extension =>
  new SubjectAlternativeNameExtension([{ type: "url", value }], true);

/** An extension of any content. */
export const anyExtension = (oid: string, content: Uint8Array): Extension =>
  new Extension(oid, false, content);

/** A certificate of any content, also of one that no authority should issue. */
export type AnyCertificate = Omit<Partial<X509CertificateCreateParams>, "signingKey">;

/** An authority with a name, which issues client certificates, and certificates of any content. */
export interface TestAuthority {
  readonly pem: string;
  issue(choice?: CertificateChoice): Promise<{ readonly pem: string; readonly keyPem: string }>;
  issueAny(content: AnyCertificate): Promise<{ readonly pem: string; readonly keyPem: string }>;
}

/** @param under the authority that issues its certificate; by default it signs itself. */
export async function certificateAuthority(
  name = "CN=Test Authority,O=Example",
  under?: TestAuthority,
): Promise<TestAuthority> {
  const authority =
    under === undefined ? await createAuthority(name, validity) : await authorityUnder(name, under);
  const issue = async ({ dns, ...choice }: CertificateChoice = {}) => {
    const request = { subject: "CN=wallet-poller,O=Example", use: "client", ...validity, ...choice } as const;
    const issued = await issueCertificate(authority, {
      ...request,
      ...(dns !== undefined && { hosts: dns }),
    });
    return { pem: issued.certificate, keyPem: issued.key };
  };
  const issueAny = async (content: AnyCertificate) => {
    const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
    const der = PemConverter.decodeFirst(authority.key);
    const certificate = await X509CertificateGenerator.create({
      issuer: name,
      notBefore: new Date(validity.notBefore),
      notAfter: new Date(validity.notAfter),
      publicKey: keys.publicKey,
      signingAlgorithm: ALGORITHM,
      ...content,
      signingKey: await webcrypto.subtle.importKey("pkcs8", der, ALGORITHM, false, ["sign"]),
    });
    const key = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
    return { pem: `${certificate.toString("pem")}\n`, keyPem: PemConverter.encode(key, "PRIVATE KEY") };
  };
  return { pem: authority.certificate, issue, issueAny };
}

async function authorityUnder(subject: string, under: TestAuthority) {
  const extensions = [new BasicConstraintsExtension(true, 0, true)];
  const { pem, keyPem } = await under.issueAny({ subject, extensions });
  return { certificate: pem, key: keyPem };
}
