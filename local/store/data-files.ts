/** Certificates of the local authority, each of which lies beside its key: the authority's own, and those of demo clients. */
export const certificateNames = {
  authority: "certificate-authority",
  client: "pass-client",
  otherClient: "pass-other-client",
} as const;

export type CertificateName = (typeof certificateNames)[keyof typeof certificateNames];

/** Files that only their owner may read, beside the certificates. */
const files = {
  holder: "engine.json",
  startNote: "start.json",
  demo: "demo.json",
  issuerKey: "issuer-key.json",
  passKey: "pass-jws-key.json",
  exchangePrivateKey: "exchange-private.pem",
  exchangePublicKey: "exchange-public.pem",
} as const;

/** Directories, which come and go as a whole. No other program makes one by the name of `lock` or of the assembly. */
const directories = {
  store: "dynamodb",
  lock: "lock",
  assembly: "countinghouse-assembly",
} as const;

/** The name of everything that countinghouse puts into a data directory, beside the certificates. */
export const dataNames = { ...files, ...directories } as const;

/** A file that may be written into a data directory: one that is on no list cannot be. */
export type PrivateFileName =
  | (typeof files)[keyof typeof files]
  | `${CertificateName}.pem`
  | `${CertificateName}-key.pem`;

/** The two files of a certificate. */
export const certificateFiles = <Name extends CertificateName>(name: Name) =>
  ({ certificate: `${name}.pem`, key: `${name}-key.pem` }) as const;

/** Every file of a data directory that only its owner may read. */
export const privateFileNames: readonly PrivateFileName[] = [
  ...Object.values(files),
  ...Object.values(certificateNames).flatMap((name) => Object.values(certificateFiles(name))),
];

/** What a private file is written as before it takes its name; a process that is killed may leave it behind. */
export const draftOf = (name: PrivateFileName): string => `${name}.draft`;

/** Every name that housekeeping knows: nothing else in a data directory is ever removed. */
export const ownNames: readonly string[] = [
  ...Object.values(directories),
  ...privateFileNames.flatMap((name) => [name, draftOf(name)]),
];
