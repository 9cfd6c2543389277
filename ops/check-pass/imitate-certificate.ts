// The X.509 library needs the metadata functions that this module adds to Reflect.
// oxlint-disable-next-line import/no-unassigned-import
import "reflect-metadata";
import { X509Certificate as ParsedCertificate, webcrypto } from "node:crypto";
import { PemConverter, X509Certificate, X509CertificateGenerator } from "@peculiar/x509";
import { NotObservable } from "../checks/rule.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** Extensions that identify subject and issuer by their keys, and so expose imitations (RFC 5280 4.2.1.1, 4.2.1.2). */
const KEY_IDENTIFIERS = ["2.5.29.14", "2.5.29.35"];

/**
 * The issuer that an imitation names. Servers that do not verify signatures differ in which one they accept: the name
 * of an authority that they know, an unknown name, or the certificate's own name.
 */
export const feignedIssuers = ["its issuer", "itself", "an unknown authority"] as const;
export type FeignedIssuer = (typeof feignedIssuers)[number];

/**
 * Makes a certificate with the names of another one. Subject, serial number, validity and extensions, alternative names
 * included, are copied, and so is the issuer's name for "its issuer". The certificate's key and the key that signs it
 * are new. A server that does not verify signatures accepts the imitation.
 *
 * @throws {NotObservable} for a certificate whose names cannot be read.
 */
export async function imitateCertificate(pem: string, feigned: FeignedIssuer) {
  const original = parse(pem);
  const [own, issuing] = [await generateKeys(), await generateKeys()];
  const issuerNames = {
    "its issuer": original.issuerName,
    itself: original.subjectName,
    "an unknown authority": "CN=Unknown Authority",
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
