import { X509Certificate } from "node:crypto";
import { OperatorError } from "../../local/process/operator-error.ts";
import { nameOfGiven, readGiven } from "../arguments/read-given.ts";

const PEM_BLOCK = /-----BEGIN ((?:X509 |TRUSTED )?CERTIFICATE)-----.*?-----END \1-----/gs;

/** The certificates of a PEM file, each once. @throws {OperatorError} when it holds none, or one that is damaged. */
export async function readCertificates(file: string): Promise<readonly X509Certificate[]> {
  const text = await readGiven(file);
  try {
    const all = Array.from(text.matchAll(PEM_BLOCK), ([block]) => new X509Certificate(block));
    if (all.length > 0) return [...new Map(all.map((one) => [one.fingerprint512, one])).values()];
  } catch {
    // Refused below: the parser's own message says less.
  }
  throw new OperatorError(`${nameOfGiven(file)} does not hold a certificate in PEM.`);
}

/** Whether a certificate was issued by another, or by itself. */
export const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);

/** The refusal of a file that begins with an authority's certificate. */
export const authorityInPlace = (file: string): OperatorError =>
  new OperatorError(
    `${nameOfGiven(file)} holds the certificate of an authority. Give the client's own; authorities go into the truststore.`,
  );

/**
 * The client's own certificate in a PEM file, where the authorities of its chain may follow it. A certificate that calls itself
 * an authority is the client's own if it signed itself, as openssl's do, and nothing else in the file.
 *
 * @throws {OperatorError} when the file holds no certificate, begins with an authority's, or holds several that do not form a chain:
 * which of them is meant cannot be known.
 */
export async function readOwnCertificate(file: string): Promise<X509Certificate> {
  const all = await readCertificates(file);
  const [first] = all;
  const ends = all.filter((one) => !all.some((other) => other !== one && isIssuedBy(other, one)));
  if (ends.length > 1)
    throw new OperatorError(
      `${nameOfGiven(file)} holds ${ends.length} certificates that are not one chain. Give the client's own, and after it at most the authorities that issued it.`,
    );
  if (first === undefined || first !== ends[0] || (first.ca && !isIssuedBy(first, first)))
    throw authorityInPlace(file);
  return first;
}
