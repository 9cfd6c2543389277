import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { StartError } from "../process/start-error.ts";
import { type CertificateName, certificateFiles, type PrivateFileName } from "../store/data-files.ts";
import { type PrivatePlace, privatePath, readPrivateFile, writePrivateFile } from "../store/private-file.ts";
import type { KeyedCertificate } from "./certificates.ts";

/** Paths of a certificate and its key, both PEM and mode 600. */
export interface KeyedCertificateFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** The two files of one certificate in a data directory. */
export function keyedCertificateFiles(dataDir: PrivatePlace, name: CertificateName): KeyedCertificateFiles {
  const { certificate, key } = certificateFiles(name);
  return { certificateFile: privatePath(dataDir, certificate), keyFile: privatePath(dataDir, key) };
}

/**
 * The kept certificate of this name if it `suits`, or a new one, which is then kept. A certificate and key are also
 * replaced when one of the files is missing after an interrupted start, or when they do not match. Throws a
 * `StartError` when a file holds something else, such as a key of another kind.
 */
export async function keepCertificate(
  dataDir: PrivatePlace,
  name: CertificateName,
  suits: (certificate: X509Certificate) => boolean,
  make: () => Promise<KeyedCertificate>,
): Promise<KeyedCertificate> {
  const names = certificateFiles(name);
  const kept = await read(dataDir, names.certificate, "certificate", (text) => new X509Certificate(text));
  const key = await read(dataDir, names.key, "private P-256 key", readP256);
  if (kept !== undefined && key !== undefined && kept.value.checkPrivateKey(key.value) && suits(kept.value))
    return { certificate: await endLastLine(dataDir, names.certificate, kept.text), key: key.text };
  const made = await make();
  await writePrivateFile(dataDir, names.key, made.key);
  await writePrivateFile(dataDir, names.certificate, made.certificate);
  return made;
}

function readP256(pem: string): KeyObject {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyDetails?.namedCurve === "prime256v1") return key;
  throw new TypeError("It is a key of another kind.");
}

interface Kept<Value> {
  readonly text: string;
  readonly value: Value;
}

/** The text and value of a file; undefined when the file does not exist. */
async function read<Value>(
  dataDir: PrivatePlace,
  name: PrivateFileName,
  what: string,
  parse: (text: string) => Value,
): Promise<Kept<Value> | undefined> {
  const text = await readPrivateFile(dataDir, name);
  if (text === undefined) return undefined;
  try {
    return { text, value: parse(text) };
  } catch {
    // The parser's own error is left out: it could quote the file.
    throw new StartError(`${privatePath(dataDir, name)} holds no ${what}. Delete it to have a new one made.`);
  }
}

/** Ends the last line of a file, because earlier versions wrote certificates without the line break. */
async function endLastLine(dataDir: PrivatePlace, name: PrivateFileName, text: string): Promise<string> {
  if (text.endsWith("\n")) return text;
  await writePrivateFile(dataDir, name, `${text}\n`);
  return `${text}\n`;
}
