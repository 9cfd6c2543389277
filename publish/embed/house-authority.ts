import { systemClock } from "../../lib/clock.ts";
import type { MutualTls } from "../../local/gateway/gateway.ts";
import { mutualTlsOf } from "../../local/gateway/open-gateways.ts";
import {
  createAuthority,
  issueCertificate,
  type KeyedCertificate,
  type Validity,
} from "../../local/identity/certificates.ts";
import { openAuthority } from "../../local/identity/local-authority.ts";
import {
  type CertificateName,
  certificateFiles,
  certificateNames,
  type PrivateFileName,
} from "../../local/store/data-files.ts";

/** Handshakes judge certificates by the machine's clock, functions by their world's, which may be any. */
const ALWAYS: Validity = { notBefore: Date.UTC(2000, 0), notAfter: Date.UTC(2100, 0) };

/** The certificate authority of all worlds of a house. Each world has a client of its own, and knows no other. */
export interface HouseAuthority {
  /** The private files that worlds have in common. */
  readonly files: ReadonlyMap<PrivateFileName, string>;
  /** The certificate of every gateway. */
  readonly tls: MutualTls;
  /** The private files of a client with a key. */
  readonly issueClient: (key: string) => Promise<ReadonlyMap<PrivateFileName, string>>;
}

/** Makes the authority, the certificate of gateways that listen on `host`, and that of a client whom no world knows. */
export async function makeAuthority(host = HOST): Promise<HouseAuthority> {
  const authority = await createAuthority("CN=countinghouse embedded authority", ALWAYS);
  const issue = (name: CertificateName, key?: string): Promise<KeyedCertificate> =>
    issueCertificate(authority, {
      subject: `CN=${name},O=countinghouse demo`,
      use: "client",
      ...ALWAYS,
      ...(key !== undefined && { key }),
    });
  const { client, otherClient } = certificateNames;
  const files = new Map([
    ...filesOf(certificateNames.authority, authority),
    ...filesOf(otherClient, await issue(otherClient)),
  ]);
  const opened = await openAuthority({ dataDir: new Map(files), clock: systemClock });
  return {
    files,
    tls: await mutualTlsOf(opened, host),
    issueClient: async (key) => new Map(filesOf(client, await issue(client, key))),
  };
}

function filesOf(
  name: CertificateName,
  { certificate, key }: KeyedCertificate,
): readonly (readonly [PrivateFileName, string])[] {
  const names = certificateFiles(name);
  return [
    [names.certificate, certificate],
    [names.key, key],
  ];
}

/** Where worlds listen unless told otherwise: on this machine alone. */
export const HOST = "127.0.0.1";
