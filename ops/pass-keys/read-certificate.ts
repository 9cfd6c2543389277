import { X509Certificate } from "node:crypto";
import {
  type CertificateName,
  certificateNameId,
  certificateNames,
} from "../../lib/auth/certificate-names.ts";
import { digestOf } from "../../lib/auth/client-certificate.ts";
import { certificateId } from "../../lib/auth/credential.ts";
import { OperatorError } from "../operator-error.ts";
import { nameOfGiven, readGiven } from "../read-given.ts";

/** What a certificate is registered by: an id, and the kind of credential that it is. */
export interface RegisteredCertificate {
  readonly id: string;
  readonly kind: "certificate" | "certificate-name";
}

const labelOf = (name: CertificateName): string =>
  name.kind === "subject" ? "subject" : `${name.kind}:${name.value}`;

/**
 * Reads a client certificate that is to be let in: this very one, or, by one of its names, any that its issuer gives
 * that name, so that a renewed one needs no registration. `by` is `fingerprint`, `subject`, or `DNS:`, `URI:` or
 * `email:` with an alternative name.
 *
 * @throws {OperatorError} when the file holds none, it has expired, it is an authority's, or has no such name.
 */
export async function readCertificate(file: string, by: string, now: number): Promise<RegisteredCertificate> {
  const certificate = parse(await readGiven(file), nameOfGiven(file));
  if (certificate.validToDate.getTime() < now) {
    throw new OperatorError(
      `${nameOfGiven(file)} holds a certificate that expired on ${certificate.validTo}.`,
    );
  }
  if (certificate.ca) {
    throw new OperatorError(
      `${nameOfGiven(file)} holds the certificate of an authority. Give the client's own; authorities go into the truststore.`,
    );
  }
  if (by === "fingerprint") {
    return { id: certificateId(digestOf(certificate)), kind: "certificate" };
  }
  const names = certificateNames(certificate);
  const name = names.find((one) => labelOf(one) === by);
  if (name !== undefined) return { id: certificateNameId(certificate, name), kind: "certificate-name" };
  const labels = ["fingerprint", ...names.map(labelOf)].join(", ");
  throw new OperatorError(`The certificate cannot be registered by "${by}". It can be by ${labels}.`);
}

function parse(pem: string, name: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw new OperatorError(`${name} holds no certificate as PEM.`, error);
  }
}
