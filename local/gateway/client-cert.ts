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
  return certificate === undefined ? undefined : describeCertificate(certificate);
}

/** A certificate in the words of an event. */
export const describeCertificate = (certificate: X509Certificate): ClientCert => ({
  clientCertPem: certificate.toString(),
  subjectDN: distinguishedName(certificate.subject),
  issuerDN: distinguishedName(certificate.issuer),
  serialNumber: certificate.serialNumber.toLowerCase().replace(/..(?=.)/g, "$&:"),
  validity: { notBefore: certificate.validFrom, notAfter: certificate.validTo },
});

/**
 * The attributes of a subject or issuer, which Node.js lists in the certificate's order, and leaves out when there are none:
 * a client may be named by its alternative names alone (RFC 5280 4.1.2.6). RFC 4514 writes them in reverse.
 */
const distinguishedName = (lines: string | undefined = ""): string =>
  lines.replaceAll(" + ", "+").split("\n").toReversed().join(",");
