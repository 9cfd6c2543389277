// The X.509 library resolves its parts through Reflect's metadata.
// oxlint-disable-next-line import/no-unassigned-import
import "reflect-metadata";
import { createPublicKey, randomBytes, webcrypto } from "node:crypto";
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  type JsonGeneralName,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** A certificate and its private key (PKCS #8), both as PEM. */
export interface KeyedCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** The period in which a certificate is valid, in epoch milliseconds; X.509 counts in whole seconds. */
export interface Validity {
  readonly notBefore: number;
  readonly notAfter: number;
}

/** The subject, use, names and validity of a certificate to issue. */
export interface CertificateRequest extends Validity {
  /** Distinguished name, as in `CN=poller,O=Example`. */
  readonly subject: string;
  readonly use: "client" | "server";
  readonly hosts?: readonly string[];
  readonly addresses?: readonly string[];
  /** The subject's private key (P-256, PKCS #8) as PEM; a new one unless given. */
  readonly key?: string;
}

/** Makes a self-signed certificate authority. */
export async function createAuthority(subject: string, validity: Validity): Promise<KeyedCertificate> {
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: subject,
    keys,
    ...datesOf(validity),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
    ],
  });
  return { certificate: writeCertificate(certificate), key: await writeKey(keys.privateKey) };
}

/** Issues a certificate of an authority for a new key pair. */
export async function issueCertificate(
  authority: KeyedCertificate,
  request: CertificateRequest,
): Promise<KeyedCertificate> {
  const keys = request.key === undefined ? await generateKeys() : await readPair(request.key);
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: request.subject,
    issuer: new X509Certificate(authority.certificate).subject,
    ...datesOf(request),
    publicKey: keys.publicKey,
    signingKey: await readKey(authority.key),
    signingAlgorithm: ALGORITHM,
    extensions: extensionsOf(request),
  });
  return { certificate: writeCertificate(certificate), key: await writeKey(keys.privateKey) };
}

function extensionsOf({ use, hosts = [], addresses = [] }: CertificateRequest): Extension[] {
  const names: JsonGeneralName[] = [
    ...hosts.map((value) => ({ type: "dns" as const, value })),
    ...addresses.map((value) => ({ type: "ip" as const, value })),
  ];
  const usage = use === "client" ? ExtendedKeyUsage.clientAuth : ExtendedKeyUsage.serverAuth;
  return [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension([usage]),
    ...(names.length > 0 ? [new SubjectAlternativeNameExtension(names)] : []),
  ];
}

const generateKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);

const datesOf = ({ notBefore, notAfter }: Validity) => ({
  notBefore: new Date(notBefore),
  notAfter: new Date(notAfter),
});

/** 16 random bytes, positive and without a leading zero, as DER requires (RFC 5280, section 4.1.2.2, allows 20). */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] as number) & 0x3f) | 0x40;
  return bytes.toString("hex");
}

/** PEM that ends with a line break, so that files can be concatenated. */
const writeCertificate = (certificate: X509Certificate): string => `${certificate.toString("pem")}\n`;

const writeKey = async (key: webcrypto.CryptoKey): Promise<string> =>
  `${PemConverter.encode(await webcrypto.subtle.exportKey("pkcs8", key), "PRIVATE KEY")}\n`;

const readKey = (pem: string, isExtractable = false): Promise<webcrypto.CryptoKey> =>
  webcrypto.subtle.importKey("pkcs8", PemConverter.decodeFirst(pem), ALGORITHM, isExtractable, ["sign"]);

async function readPair(pem: string): Promise<webcrypto.CryptoKeyPair> {
  const publicHalf = createPublicKey(pem).export({ type: "spki", format: "der" });
  const publicKey = await webcrypto.subtle.importKey("spki", publicHalf, ALGORITHM, true, ["verify"]);
  return { privateKey: await readKey(pem, true), publicKey };
}
