import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { Clock } from "../../lib/clock.ts";
import { HANDED_OUT_MS } from "../lifetime.ts";
import { type CertificateName, certificateNames } from "../store/data-files.ts";
import { createAuthority, issueCertificate, type KeyedCertificate, type Validity } from "./certificates.ts";
import {
  type KeyedCertificateFiles,
  keepCertificate,
  keyedCertificateFiles,
} from "./keyed-certificate-file.ts";

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3_650;
const CERTIFICATE_DAYS = 365;
/** Clocks of clients that are behind by less still find a new certificate valid. */
const BACKDATED_MS = 3_600_000;

const LOCAL_HOSTS = ["localhost", "127.0.0.1", "::1"];

export interface LocalAuthority {
  /** PEM of its own certificate: the truststore of the local gateway, and what clients trust it by. */
  readonly certificate: string;
  readonly certificateFile: string;
  /** A certificate for the local gateway, under all names of this machine and one more. It is kept nowhere. */
  issueForServer(host: string): Promise<KeyedCertificate>;
  /** A client's certificate, made once and kept under a name. */
  keepForClient(name: CertificateName): Promise<KeyedCertificate & KeyedCertificateFiles>;
}

export interface AuthorityOptions {
  readonly dataDir: string;
  readonly clock: Clock;
}

/**
 * Stands in for the authority whose clients a deployed stage's truststore lets in, and for the one that has certified
 * the domain. It is made at first start; its key stays in the data directory. What it keeps is made anew when it ends too
 * soon, or has not begun: it was made while the clock was ahead. Throws a `StartError` when a file of its holds something else.
 */
export async function openAuthority({ dataDir, clock }: AuthorityOptions): Promise<LocalAuthority> {
  const lastsUntil = (days: number): Validity => ({
    notBefore: clock() - BACKDATED_MS,
    notAfter: clock() + days * DAY_MS,
  });
  const isInForce = ({ validFromDate, validToDate }: X509Certificate): boolean =>
    validFromDate.getTime() <= clock() && validToDate.getTime() > clock() + HANDED_OUT_MS;
  const isAuthority = (kept: X509Certificate): boolean => kept.ca && isInForce(kept);
  const authority = await keepCertificate(dataDir, certificateNames.authority, isAuthority, () =>
    createAuthority("CN=countinghouse local authority", lastsUntil(AUTHORITY_DAYS)),
  );
  const own = new X509Certificate(authority.certificate);
  return {
    certificate: authority.certificate,
    certificateFile: keyedCertificateFiles(dataDir, certificateNames.authority).certificateFile,
    issueForServer: (host) =>
      issueCertificate(authority, {
        subject: "CN=countinghouse local gateway",
        ...namesOf(host),
        use: "server",
        ...lastsUntil(CERTIFICATE_DAYS),
      }),
    keepForClient: async (name) => {
      const suits = (kept: X509Certificate): boolean => isInForce(kept) && kept.verify(own.publicKey);
      const kept = await keepCertificate(dataDir, name, suits, () =>
        issueCertificate(authority, {
          subject: `CN=${name},O=countinghouse demo`,
          use: "client",
          ...lastsUntil(CERTIFICATE_DAYS),
        }),
      );
      return { ...kept, ...keyedCertificateFiles(dataDir, name) };
    },
  };
}

function namesOf(host: string): { readonly hosts: string[]; readonly addresses: string[] } {
  const names = [...new Set([...LOCAL_HOSTS, host])];
  return {
    hosts: names.filter((name) => isIP(name) === 0),
    addresses: names.filter((name) => isIP(name) !== 0),
  };
}
