import type { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";

/** A client's certificate as an event describes it (`requestContext.authentication.clientCert`). */
export interface ClientCert {
  readonly clientCertPem: string;
  readonly subjectDN: string;
  readonly issuerDN: string;
  readonly serialNumber: string;
  readonly validity: { readonly notBefore: string; readonly notAfter: string };
}

/** The client certificate that the TLS handshake verified; undefined on a connection that did not ask for one. */
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

/** Node.js lists the attributes in the certificate's order; RFC 4514 writes them in reverse. */
const distinguishedName = (lines: string): string => lines.split("\n").toReversed().join(",");
