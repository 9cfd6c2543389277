import { X509Certificate } from "node:crypto";
import {
  type CertificateName,
  certificateNameId,
  certificateNames,
} from "../../lib/auth/certificate-names.ts";
import { CERTIFICATE_NAMES_MAX, digestOf } from "../../lib/auth/client-certificate.ts";
import { certificateId } from "../../lib/auth/credential.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { nameOfGiven, readGiven } from "../arguments/read-given.ts";

/** A certificate as it is registered: its id and kind of credential, and its issuer's key if that is checked. */
export interface RegisteredCertificate {
  readonly id: string;
  readonly kind: "certificate" | "certificate-name";
  readonly publicKey?: string;
  /** Epoch milliseconds of the end of a certificate that is registered alone: a renewed one needs a new registration. */
  readonly expiresAt?: number;
  /** Every id under which this certificate could be registered: by its fingerprint, and by each of its names. */
  readonly ids: readonly string[];
}

/** The certificate that is to be accepted, and what it is recognised by. */
export interface CertificateChoice {
  readonly file: string;
  /** `fingerprint`, `subject`, or `DNS:`, `URI:` or `email:` with an alternative name. */
  readonly by: string;
  /** The file with the issuer's certificate. */
  readonly issuerFile?: string | undefined;
}

const labelOf = (name: CertificateName): string =>
  name.kind === "subject" ? "subject" : `${name.kind}:${name.value}`;

/**
 * Reads a client certificate that is to be accepted. By its fingerprint, only this certificate is accepted. By one of
 * its names, every certificate of its issuer with that name is accepted, so that a renewed one needs no registration.
 * The issuer is matched by its name, and by its key as well if its certificate is given.
 *
 * @throws {OperatorError} as {@link readOwnCertificate} does, when the certificate has expired, has too many names, lacks
 * the name or has another issuer, or when an authority's certificate is to be accepted by a name.
 */
export async function readCertificate(
  choice: CertificateChoice,
  now: number,
): Promise<RegisteredCertificate> {
  const { file, by, issuerFile } = choice;
  const certificate = await readOwnCertificate(file);
  if (certificate.validToDate.getTime() < now) {
    throw new OperatorError(
      `${nameOfGiven(file)} holds a certificate that expired on ${certificate.validTo}.`,
    );
  }
  requireFewNames(certificate, file);
  const ids = idsOf(certificate);
  // By its fingerprint any certificate may be accepted: those that openssl self-signs call themselves authorities.
  if (by === "fingerprint")
    return {
      id: certificateId(digestOf(certificate)),
      kind: "certificate",
      expiresAt: certificate.validToDate.getTime(),
      ids,
    };
  if (certificate.ca) throw authorityInPlace(file);
  const id = certificateNameId(certificate, nameOf(certificate, by));
  return {
    id,
    kind: "certificate-name",
    ids,
    ...(issuerFile !== undefined && { publicKey: await readIssuerKey(issuerFile, certificate) }),
  };
}

/**
 * The SHA-256 of the client certificate in a file, in base64url: what a token names that is bound to it (RFC 8705).
 *
 * @throws {OperatorError} as {@link readOwnCertificate} does.
 */
export const readCertificateDigest = async (file: string): Promise<string> =>
  digestOf(await readOwnCertificate(file)).toString("base64url");

/** The endpoint refuses a certificate with more names. */
function requireFewNames(certificate: X509Certificate, file: string): void {
  const { length } = certificateNames(certificate);
  if (length <= CERTIFICATE_NAMES_MAX) return;
  throw new OperatorError(
    `${nameOfGiven(file)} holds a certificate with ${length} names. Give one with ${CERTIFICATE_NAMES_MAX} at most, its subject included.`,
  );
}

const idsOf = (certificate: X509Certificate): readonly string[] => [
  certificateId(digestOf(certificate)),
  ...certificateNames(certificate).map((name) => certificateNameId(certificate, name)),
];

function nameOf(certificate: X509Certificate, by: string): CertificateName {
  const names = certificateNames(certificate);
  const name = names.find((one) => labelOf(one) === by);
  if (name !== undefined) return name;
  const labels = ["fingerprint", ...names.map(labelOf)].join(", ");
  throw new OperatorError(`The certificate cannot be registered by "${by}". Give one of these: ${labels}.`);
}

async function readIssuerKey(file: string, certificate: X509Certificate): Promise<string> {
  const issuer = (await readCertificates(file)).find((one) => isIssuedBy(certificate, one));
  if (issuer !== undefined)
    return issuer.publicKey.export({ format: "der", type: "spki" }).toString("base64");
  throw new OperatorError(
    `${nameOfGiven(file)} does not hold the certificate of the authority that issued the client's.`,
  );
}

const PEM_BLOCK = /-----BEGIN ((?:X509 |TRUSTED )?CERTIFICATE)-----.*?-----END \1-----/gs;

/** The certificates of a PEM file, each once. @throws {OperatorError} when it holds none, or one that is damaged. */
async function readCertificates(file: string): Promise<readonly X509Certificate[]> {
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
const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);

/** The refusal of a file that begins with an authority's certificate. */
const authorityInPlace = (file: string): OperatorError =>
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
async function readOwnCertificate(file: string): Promise<X509Certificate> {
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
