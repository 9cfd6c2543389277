import { X509Certificate } from "node:crypto";
import type { Expiring } from "./report-days.ts";

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * The authorities of a truststore, a PEM file.
 *
 * @throws {Error} for a file without a certificate, or with one that cannot be read. API Gateway would refuse it, too.
 */
export function expiringAuthorities(truststore: string): readonly Expiring[] {
  const found = [...truststore.matchAll(CERTIFICATE)].map(([pem]) => new X509Certificate(pem));
  if (found.length === 0) throw new Error("The truststore holds no certificate.");
  return found.map(({ subject, validToDate }) => ({
    kind: "truststore",
    name: subject.replaceAll("\n", ", "),
    expiresAt: validToDate.getTime(),
  }));
}
