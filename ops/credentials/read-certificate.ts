import { X509Certificate } from "node:crypto";
import {
  type CertificateName,
  certificateNameId,
  certificateNames,
} from "../../lib/auth/certificate-names.ts";
import { digestOf } from "../../lib/auth/client-certificate.ts";
import { certificateId } from "../../lib/auth/credential.ts";
import { nameOfGiven, readGiven } from "../arguments/read-given.ts";
import { OperatorError } from "../terminal/operator-error.ts";

/** What a certificate is registered by: an id, the kind of credential that it is, and the key of its issuer if it is held to it. */
export interface RegisteredCertificate {
  readonly id: string;
  readonly kind: "certificate" | "certificate-name";
  readonly publicKey?: string;
}

/** The certificate that is to be let in, and by what. */
export interface CertificateChoice {
  readonly file: string;
  /** `fingerprint`, `subject`, or `DNS:`, `URI:` or `email:` with an alternative name. */
  readonly by: string;
  /** File with the certificate of the authority that issued it. */
  readonly issuerFile?: string | undefined;
}

const labelOf = (name: CertificateName): string =>
  name.kind === "subject" ? "subject" : `${name.kind}:${name.value}`;

/**
 * Reads a client certificate that is to be let in: this very one, or, by one of its names, any that its issuer gives
 * that name, so that a renewed one needs no registration. The issuer is who bears its name, or, where its certificate is
 * given, who has its key.
 *
 * @throws {OperatorError} when the file holds none, it has expired, has no such name, or another issuer, or when an
 * authority's would be let in by a name.
 */
export async function readCertificate(
  choice: CertificateChoice,
  now: number,
): Promise<RegisteredCertificate> {
  const { file, by, issuerFile } = choice;
  const certificate = parse(await readGiven(file), nameOfGiven(file));
  if (certificate.validToDate.getTime() < now) {
    throw new OperatorError(
      `${nameOfGiven(file)} holds a certificate that expired on ${certificate.validTo}.`,
    );
  }
  // Whole, any certificate is itself: openssl's self-signed ones say that they are authorities.
  if (by === "fingerprint") return { id: certificateId(digestOf(certificate)), kind: "certificate" };
  if (certificate.ca) {
    throw new OperatorError(
      `${nameOfGiven(file)} holds the certificate of an authority. Give the client's own; authorities go into the truststore.`,
    );
  }
  const id = certificateNameId(certificate, nameOf(certificate, by));
  return {
    id,
    kind: "certificate-name",
    ...(issuerFile !== undefined && { publicKey: await readIssuerKey(issuerFile, certificate) }),
  };
}

function nameOf(certificate: X509Certificate, by: string): CertificateName {
  const names = certificateNames(certificate);
  const name = names.find((one) => labelOf(one) === by);
  if (name !== undefined) return name;
  const labels = ["fingerprint", ...names.map(labelOf)].join(", ");
  throw new OperatorError(`The certificate cannot be registered by "${by}". It can be by ${labels}.`);
}

async function readIssuerKey(file: string, certificate: X509Certificate): Promise<string> {
  const issuer = parse(await readGiven(file), nameOfGiven(file));
  if (certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey))
    return issuer.publicKey.export({ format: "der", type: "spki" }).toString("base64");
  throw new OperatorError(
    `${nameOfGiven(file)} does not hold the certificate of the authority that issued it.`,
  );
}

function parse(pem: string, name: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw new OperatorError(`${name} holds no certificate as PEM.`, error);
  }
}
