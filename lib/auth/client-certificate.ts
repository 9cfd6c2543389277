import { createHash, createPublicKey, X509Certificate } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { HttpRequest } from "../http/request.ts";
import { invalidCredentials } from "../principal.ts";
import { agree, type Evidence } from "./any-of.ts";
import { certificateNameId, certificateNames } from "./certificate-names.ts";
import { type Credential, certificateId, isInForce, principalOf } from "./credential.ts";

/** The most names that a certificate may have. With its digest they fit one read of the store; no client needs more. */
export const CERTIFICATE_NAMES_MAX = 50;

export interface ClientCertificateParts {
  /** Every credential among these ids, by one consistent read. */
  readonly credentials: { getAll(ids: readonly string[]): Promise<readonly Credential[]> };
  readonly clock: Clock;
}

/**
 * Proves a caller by the client certificate that the gateway has verified in the TLS handshake. Only the gateway's own
 * report counts, never a header. The parsed certificate is looked up by its SHA-256, and by its issuer with each of its
 * names. Every registration that is found must be in force, and all must name one owner.
 */
export function clientCertificate({ credentials, clock }: ClientCertificateParts): Evidence {
  return {
    kind: "certificate",
    isPresented: (request) => request.clientCertificate !== undefined,
    authenticate: async (request) => {
      const certificate = parseCertificate(request.clientCertificate ?? "");
      requireValidAt(certificate, clock());
      const named = await credentials.getAll(idsOf(certificate));
      const found = named.filter((one) => isOfIssuer(certificate, one));
      if (found.length === 0) throw invalidCredentials("unregistered certificate");
      if (!found.every((one) => isInForce(one, clock()))) {
        throw invalidCredentials("expired or revoked registration of a certificate");
      }
      return agree(found.map(principalOf));
    },
  };
}

/**
 * Authorities may share a name: a registration with the issuer's key counts only for certificates that the key signed.
 */
function isOfIssuer(certificate: X509Certificate, { kind, publicKey }: Credential): boolean {
  if (kind !== "certificate-name" || publicKey === undefined) return true;
  const key = Buffer.from(publicKey, "base64");
  return certificate.verify(createPublicKey({ key, format: "der", type: "spki" }));
}

function parseCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw invalidCredentials("unreadable certificate");
  }
}

/** The gateway checks the validity in the handshake; the connection, or a resumed one, may outlive the certificate. */
function requireValidAt({ validFromDate, validToDate }: X509Certificate, now: number): void {
  if (now >= validFromDate.getTime() && now <= validToDate.getTime()) return;
  throw invalidCredentials("certificate outside its validity");
}

/** SHA-256 of a certificate's DER, which names its registration and binds tokens to it (RFC 8705 section 3.1). */
export const digestOf = (certificate: X509Certificate): Buffer =>
  createHash("sha256").update(certificate.raw).digest();

function idsOf(certificate: X509Certificate): string[] {
  const names = certificateNames(certificate);
  if (names.length > CERTIFICATE_NAMES_MAX) throw invalidCredentials("certificate with too many names");
  const nameIds = names.map((name) => certificateNameId(certificate, name));
  return [...new Set([certificateId(digestOf(certificate)), ...nameIds])];
}

/**
 * Requires the certificate that a token was issued for (`cnf.x5t#S256`, RFC 8705 section 3). A token whose binding
 * cannot be checked here is refused, because it may be stolen.
 *
 * @throws {Failure} `invalid_credentials` when the token is bound to something that this request does not prove.
 */
export function requireBoundCertificate(cnf: unknown, request: HttpRequest): void {
  if (cnf === undefined) return;
  const members = typeof cnf === "object" && cnf !== null ? Object.entries(cnf) : [];
  const [[name, digest] = []] = members;
  if (members.length !== 1 || name !== "x5t#S256") throw invalidCredentials("token bound in an unknown way");
  if (request.clientCertificate === undefined) throw invalidCredentials("token bound to a certificate");
  const presented = digestOf(parseCertificate(request.clientCertificate)).toString("base64url");
  if (digest !== presented) throw invalidCredentials("token bound to another certificate");
}
