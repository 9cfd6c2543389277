import type { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";

/** What an event says of the certificate that a client has shown (`requestContext.authentication.clientCert`). */
export interface ClientCert {
  readonly clientCertPem: string;
  readonly subjectDN: string;
  readonly issuerDN: string;
  readonly serialNumber: string;
  readonly validity: { readonly notBefore: string; readonly notAfter: string };
}

/** The certificate that was verified in the handshake of a connection; undefined on one that asked for none. */
export function clientCertOf(socket: Socket): ClientCert | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const certificate = socket.getPeerX509Certificate();
  return certificate === undefined ? undefined : describe(certificate);
}

const describe = (certificate: X509Certificate): ClientCert => ({
  clientCertPem: certificate.toString(),
  subjectDN: distinguishedName(certificate.subject),
  issuerDN: distinguishedName(certificate.issuer),
  serialNumber: certificate.serialNumber.toLowerCase().replace(/..(?=.)/g, "$&:"),
  validity: { notBefore: certificate.validFrom, notAfter: certificate.validTo },
});

/** Attributes from the most specific on, as RFC 4514 writes them. */
const distinguishedName = (lines: string): string => lines.split("\n").toReversed().join(",");
