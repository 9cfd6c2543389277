import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { OperatorError } from "../../local/process/operator-error.ts";
import { readGiven } from "../arguments/read-given.ts";
import type { TlsFiles } from "./http-exchange.ts";

/** Paths of PEM files. */
export interface TlsPaths {
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
}

/**
 * Reads the PEM files that a TLS connection is made with.
 *
 * @throws {OperatorError} that names the option whose file has the wrong content, or a key of another certificate.
 */
export async function readTls({ cert, key, ca }: TlsPaths): Promise<TlsFiles> {
  if ((cert === undefined) !== (key === undefined)) throw new OperatorError("--cert and --key go together.");
  const authority = ca === undefined ? undefined : await readPem(ca);
  if (authority !== undefined) parse("--ca", authority, toCertificate);
  if (cert === undefined || key === undefined) return { ...(authority !== undefined && { ca: authority }) };
  const [certPem, keyPem] = [await readPem(cert), await readPem(key)];
  const certificate = parse("--cert", certPem, toCertificate);
  if (!certificate.checkPrivateKey(parse("--key", keyPem, toKey)))
    throw new OperatorError("The key of --key does not belong to the certificate of --cert.");
  return { cert: certPem, key: keyPem, ...(authority !== undefined && { ca: authority }) };
}

/** Reads a file of PEM blocks. It adds the newline that joined files lack where one of them did not end with it. */
const readPem = async (file: string): Promise<string> =>
  (await readGiven(file)).replaceAll(/-----(?=-----BEGIN )/g, "-----\n");

const toCertificate = (pem: string): X509Certificate => new X509Certificate(pem);
const toKey = (pem: string): KeyObject => createPrivateKey(pem);

function parse<Parsed>(option: string, pem: string, to: (pem: string) => Parsed): Parsed {
  try {
    return to(pem);
  } catch (error) {
    const kind = option === "--key" ? "private key without a password" : "certificate";
    throw new OperatorError(`The file of ${option} does not hold a ${kind} in PEM.`, error);
  }
}
