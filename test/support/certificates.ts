// Defines what the X.509 library expects of Reflect.
// oxlint-disable-next-line import/no-unassigned-import
import "reflect-metadata";
import { webcrypto } from "node:crypto";
import * as x509 from "@peculiar/x509";
import { NOW } from "./chain.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const DAY_MS = 86_400_000;

/** What a test's certificate says; valid for a day on either side of the tests' instant unless it says otherwise. */
export interface CertificateChoice {
  readonly subject?: string;
  readonly dns?: readonly string[];
  readonly notBefore?: number;
  readonly notAfter?: number;
}

/** An authority with a name, and client certificates of it as PEM. */
export async function certificateAuthority(name = "CN=Test Authority,O=Example") {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  let serial = 1;
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: "01",
    name,
    keys,
    notBefore: new Date(NOW - DAY_MS),
    notAfter: new Date(NOW + DAY_MS),
    signingAlgorithm: ALGORITHM,
    extensions: [new x509.BasicConstraintsExtension(true, 1, true)],
  });
  const issue = async (choice: CertificateChoice = {}) => {
    const client = await webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
    serial += 1;
    const names = (choice.dns ?? []).map((value) => ({ type: "dns" as const, value }));
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: serial.toString(16).padStart(4, "0"),
      subject: choice.subject ?? "CN=wallet-poller,O=Example",
      issuer: root.subject,
      notBefore: new Date(choice.notBefore ?? NOW - DAY_MS),
      notAfter: new Date(choice.notAfter ?? NOW + DAY_MS),
      publicKey: client.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: ALGORITHM,
      extensions: names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : [],
    });
    const key = await webcrypto.subtle.exportKey("pkcs8", client.privateKey);
    return { pem: certificate.toString("pem"), keyPem: x509.PemConverter.encode(key, "PRIVATE KEY") };
  };
  return { pem: root.toString("pem"), issue };
}
