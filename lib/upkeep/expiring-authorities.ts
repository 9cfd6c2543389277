import { X509Certificate } from "node:crypto";
import { LoggableError } from "../errors.ts";
import type { Expiring } from "./report-days.ts";

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * The authorities of a truststore, a PEM file.
 *
 * @throws {Error} for a file without a certificate, or with one that cannot be read. API Gateway would refuse it, too.
 */
export function expiringAuthorities(truststore: string): readonly Expiring[] {
  const found = [...truststore.matchAll(CERTIFICATE)].map(([pem]) => new X509Certificate(pem));
  if (found.length === 0) throw new LoggableError("The truststore holds no certificate.");
  return found.map((certificate) => ({
    kind: "truststore",
    name: nameOf(certificate),
    expiresAt: certificate.validToDate.getTime(),
  }));
}

/** A subject may be empty (RFC 5280 4.1.2.6), of which Node.js makes none, other than its type says. */
function nameOf({ subject, serialNumber }: X509Certificate): string {
  const given = (subject as string | undefined) ?? "";
  return given === "" ? `no subject, serial number ${serialNumber}` : given.replaceAll("\n", ", ");
}
