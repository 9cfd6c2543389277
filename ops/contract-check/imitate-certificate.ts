// The X.509 library resolves its parts through Reflect's metadata.
// oxlint-disable-next-line import/no-unassigned-import
import "reflect-metadata";
import { X509Certificate as ParsedCertificate, webcrypto } from "node:crypto";
import { PemConverter, X509Certificate, X509CertificateGenerator } from "@peculiar/x509";
import { NotObservable } from "./rule.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** Which keys certificates are of and from: they would show that an imitation is none (RFC 5280 4.2.1.1, 4.2.1.2). */
const KEY_IDENTIFIERS = ["2.5.29.14", "2.5.29.35"];

/**
 * Who an imitation says has issued it. Servers that verify no signature differ in what they believe: some ask for the
 * name of an authority that they know, others only where they know none, or where a certificate vouches for itself.
 */
export const feignedIssuers = ["its issuer", "itself", "somebody unknown"] as const;
export type FeignedIssuer = (typeof feignedIssuers)[number];

/**
 * A certificate that bears the names of another one, and that nobody has issued: subject, serial number, validity and
 * extensions, alternative names among them, are the other's, and so is the issuer's name where that is feigned; the keys,
 * its own and the one that signed it, are new. Whoever verifies no signature takes it for the other.
 *
 * @throws {NotObservable} for a certificate whose names cannot be read.
 */
export async function imitateCertificate(pem: string, feigned: FeignedIssuer) {
  const original = parse(pem);
  const [own, issuing] = [await generateKeys(), await generateKeys()];
  const issuerNames = {
    "its issuer": original.issuerName,
    itself: original.subjectName,
    "somebody unknown": "CN=Unknown Authority",
  };
  const imitation = await X509CertificateGenerator.create({
    serialNumber: original.serialNumber,
    subject: original.subjectName,
    issuer: issuerNames[feigned],
    notBefore: original.notBefore,
    notAfter: original.notAfter,
    publicKey: own.publicKey,
    signingKey: (feigned === "itself" ? own : issuing).privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: original.extensions.filter(({ type }) => !KEY_IDENTIFIERS.includes(type)),
  });
  const key = await webcrypto.subtle.exportKey("pkcs8", own.privateKey);
  return { cert: imitation.toString("pem"), key: PemConverter.encode(key, "PRIVATE KEY") };
}

/** The first certificate of a file, as TLS takes it. */
function parse(pem: string): X509Certificate {
  try {
    return new X509Certificate(new ParsedCertificate(pem).raw);
  } catch {
    throw new NotObservable("the names of the certificate cannot be read");
  }
}

const generateKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
