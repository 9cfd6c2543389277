import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { Clock } from "../../lib/clock.ts";
import { StartError } from "../process/start-error.ts";
import {
  type CertificateName,
  certificateFiles,
  certificateNames,
  type PrivateFileName,
} from "../store/data-files.ts";
import { type PrivatePlace, privatePath, readPrivateFile, writePrivateFile } from "../store/private-file.ts";
import type { CertificateRequest, KeyedCertificate, Validity } from "./certificates.ts";
import { HANDED_OUT_MS } from "./local-identity.ts";

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3_650;
const CERTIFICATE_DAYS = 365;
/** A new certificate is valid from this long ago, so that clients whose clocks are behind accept it. */
const BACKDATED_MS = 3_600_000;

const LOCAL_HOSTS = ["localhost", "127.0.0.1", "::1"];

export interface LocalAuthority {
  /** PEM of the authority's certificate: the truststore of the local gateway, and of its clients. */
  readonly certificate: string;
  readonly certificateFile: string;
  /** The certificate of the local gateway, made once for the names of this machine and `host`, and again for another host. */
  keepForServer(host: string): Promise<KeyedCertificate>;
  /** The certificate of a client, made once and kept under a name. */
  keepForClient(name: CertificateName): Promise<KeyedCertificate & KeyedCertificateFiles>;
}

export interface AuthorityOptions {
  readonly dataDir: PrivatePlace;
  /** The machine's, by which TLS judges certificates. */
  readonly clock: Clock;
  /** The service's, by which functions do; `clock` unless given. */
  readonly serviceClock?: Clock;
}

/**
 * Opens the authority that stands in for those in a deployed stage's truststore, and for the one that certifies the
 * domain. The first start makes it, and its key stays in the data directory. A kept certificate is replaced when it
 * expires too soon, or when it is not valid yet because it was made while the clock was ahead. Throws a `StartError`
 * when one of the files holds something else.
 */
export async function openAuthority({
  dataDir,
  clock,
  serviceClock = clock,
}: AuthorityOptions): Promise<LocalAuthority> {
  const lastsUntil = (days: number): Validity => ({
    notBefore: clock() - BACKDATED_MS,
    notAfter: serviceClock() + days * DAY_MS,
  });
  const isInForce = ({ validFromDate, validToDate }: X509Certificate): boolean =>
    validFromDate.getTime() <= clock() && validToDate.getTime() > serviceClock() + HANDED_OUT_MS;
  const isAuthority = (kept: X509Certificate): boolean => kept.ca && isInForce(kept);
  const authority = await keepCertificate(dataDir, certificateNames.authority, isAuthority, async () =>
    (await issuing()).createAuthority("CN=countinghouse local authority", lastsUntil(AUTHORITY_DAYS)),
  );
  const own = new X509Certificate(authority.certificate);
  const isOurs = (kept: X509Certificate): boolean => isInForce(kept) && kept.verify(own.publicKey);
  const issue = async (request: Omit<CertificateRequest, keyof Validity>): Promise<KeyedCertificate> =>
    (await issuing()).issueCertificate(authority, { ...request, ...lastsUntil(CERTIFICATE_DAYS) });
  return {
    certificate: authority.certificate,
    certificateFile: keyedCertificateFiles(dataDir, certificateNames.authority).certificateFile,
    keepForServer: (host) => {
      const names = namesOf(host);
      const suits = (kept: X509Certificate): boolean => isOurs(kept) && hasNames(kept, names);
      return keepCertificate(dataDir, certificateNames.server, suits, () =>
        issue({ subject: "CN=countinghouse local gateway", ...names, use: "server" }),
      );
    },
    keepForClient: async (name) => {
      const kept = await keepCertificate(dataDir, name, isOurs, () =>
        issue({ subject: `CN=${name},O=countinghouse demo`, use: "client" }),
      );
      return { ...kept, ...keyedCertificateFiles(dataDir, name) };
    },
  };
}

/** Only a start that has to make a certificate loads the library for it, which takes long. */
const issuing = () => import("./certificates.ts");

type Names = Required<Pick<CertificateRequest, "hosts" | "addresses">>;

function namesOf(host: string): Names {
  const names = [...new Set([...LOCAL_HOSTS, host])];
  return {
    hosts: names.filter((name) => isIP(name) === 0),
    addresses: names.filter((name) => isIP(name) !== 0),
  };
}

const hasNames = (certificate: X509Certificate, { hosts, addresses }: Names): boolean =>
  hosts.every((host) => certificate.checkHost(host) !== undefined) &&
  addresses.every((address) => certificate.checkIP(address) !== undefined);

/** Paths of a certificate and its key, both PEM and mode 600. */
interface KeyedCertificateFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** The two files of one certificate in a data directory. */
function keyedCertificateFiles(dataDir: PrivatePlace, name: CertificateName): KeyedCertificateFiles {
  const { certificate, key } = certificateFiles(name);
  return { certificateFile: privatePath(dataDir, certificate), keyFile: privatePath(dataDir, key) };
}

/**
 * The kept certificate of this name if it `suits`, or a new one, which is then kept. A certificate and key are also
 * replaced when one of the files is missing after an interrupted start, or when they do not match. Throws a
 * `StartError` when a file holds something else, such as a key of another kind.
 */
async function keepCertificate(
  dataDir: PrivatePlace,
  name: CertificateName,
  suits: (certificate: X509Certificate) => boolean,
  make: () => Promise<KeyedCertificate>,
): Promise<KeyedCertificate> {
  const names = certificateFiles(name);
  const kept = await readKept(dataDir, names.certificate, "certificate", (text) => new X509Certificate(text));
  const key = await readKept(dataDir, names.key, "private P-256 key", readP256);
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
async function readKept<Value>(
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
