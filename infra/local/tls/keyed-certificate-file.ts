import { createPrivateKey, X509Certificate } from "node:crypto";
import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { writePrivateFile } from "../private-file.ts";
import type { KeyedCertificate } from "./certificates.ts";

/** Where a certificate and its key lie, both PEM and mode 600. */
export interface KeyedCertificateFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** The two files of one name in a data directory. */
export const keyedCertificateFiles = (dataDir: string, name: string): KeyedCertificateFiles => ({
  certificateFile: join(dataDir, `${name}.pem`),
  keyFile: join(dataDir, `${name}-key.pem`),
});

/**
 * The certificate in these files while it is one that `suits`, else a new one, which then lies there. A half that an
 * interrupted start left, or one that belongs to another key, suits nobody.
 */
export async function keepCertificate(
  { certificateFile, keyFile }: KeyedCertificateFiles,
  suits: (certificate: X509Certificate) => boolean,
  make: () => Promise<KeyedCertificate>,
): Promise<KeyedCertificate> {
  const kept = { certificate: await readIfThere(certificateFile), key: await readIfThere(keyFile) };
  if (isUsable(kept, suits)) {
    // A copied data directory may have lost the mode.
    await chmod(keyFile, 0o600);
    return { ...kept, certificate: await endLastLine(certificateFile, kept.certificate) };
  }
  const made = await make();
  await writePrivateFile(keyFile, made.key);
  await writePrivateFile(certificateFile, made.certificate);
  return made;
}

/** The text of a file with its last line ended, as certificates of earlier versions were not. */
async function endLastLine(file: string, text: string): Promise<string> {
  if (text.endsWith("\n")) return text;
  await writePrivateFile(file, `${text}\n`);
  return `${text}\n`;
}

function isUsable(
  { certificate, key }: KeyedCertificate,
  suits: (certificate: X509Certificate) => boolean,
): boolean {
  try {
    const parsed = new X509Certificate(certificate);
    return parsed.checkPrivateKey(createPrivateKey(key)) && suits(parsed);
  } catch {
    return false;
  }
}

/** A file's text; empty when there is none. */
async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
