import { createHash, createPublicKey, X509Certificate } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { HttpRequest } from "../http/request.ts";
import { invalidCredentials } from "../principal.ts";
import { agree, type Evidence } from "./any-of.ts";
import { certificateNameId, certificateNames } from "./certificate-names.ts";
import { type Credential, certificateId, isInForce } from "./credential.ts";

/** More names than one read of the store takes; no client needs so many. */
const NAMES_MAX = 50;

export interface ClientCertificateParts {
  /** Every credential among these ids, by one consistent read. */
  readonly credentials: { getAll(ids: readonly string[]): Promise<readonly Credential[]> };
  readonly clock: Clock;
}

/**
 * Proves a caller by the client certificate that the gateway has verified in the TLS handshake. Only what the gateway
 * itself reports counts, never a header. The parsed certificate is looked up by its SHA-256 and by its issuer with each
 * of its names; every registration that it meets must be in force, and all must name one owner.
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
      return agree(found);
    },
  };
}

/** A second authority may bear the name of the first: where the issuer's key was registered, the name counts under it alone. */
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

/** The gateway judges it in the handshake; a connection, and what reuses it, may outlive the certificate. */
function requireValidAt({ validFromDate, validToDate }: X509Certificate, now: number): void {
  if (now >= validFromDate.getTime() && now <= validToDate.getTime()) return;
  throw invalidCredentials("certificate outside its validity");
}

/** SHA-256 of a certificate's DER, as its registration is named by it and a token bound to it (RFC 8705 section 3.1). */
export const digestOf = (certificate: X509Certificate): Buffer =>
  createHash("sha256").update(certificate.raw).digest();

function idsOf(certificate: X509Certificate): string[] {
  const names = certificateNames(certificate);
  if (names.length > NAMES_MAX) throw invalidCredentials("certificate with too many names");
  const nameIds = names.map((name) => certificateNameId(certificate, name));
  return [...new Set([certificateId(digestOf(certificate)), ...nameIds])];
}

/**
 * Holds a token to the certificate that it was issued for (`cnf.x5t#S256`, RFC 8705 section 3). A token that is bound
 * in a way that cannot be checked here is as good as a stolen one.
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
