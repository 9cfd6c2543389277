/** Certificates of the local authority, each beside its key: the authority's own, the gateway's, and those of demo clients. */
export const certificateNames = {
  authority: "certificate-authority",
  server: "gateway",
  client: "pass-client",
  otherClient: "pass-other-client",
} as const;

export type CertificateName = (typeof certificateNames)[keyof typeof certificateNames];

/** Files that only their owner may read, beside the certificates. */
const files = {
  holder: "engine.json",
  control: "control.json",
  startNote: "start.json",
  demo: "demo.json",
  issuerKey: "issuer-key.json",
  passKey: "pass-jws-key.json",
  queues: "queues.ndjson",
  freshItems: "fresh-items.base64",
  exchangePrivateKey: "exchange-private.pem",
  exchangePublicKey: "exchange-public.pem",
} as const;

/** Directories, which are removed as a whole. No other program creates one named like the lock or the assembly. */
const directories = {
  store: "dynamodb",
  lock: "lock",
  assembly: "countinghouse-assembly",
} as const;

/** The names of everything that countinghouse puts into a data directory, except the certificates. */
export const dataNames = { ...files, ...directories } as const;

/** The name of a private file. Only a name on these lists can be written, so that housekeeping knows every file. */
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

/** Whether a name is that of a private file. */
export const isPrivateFileName = (name: string): name is PrivateFileName =>
  (privateFileNames as readonly string[]).includes(name);

/** The name that a private file has while it is written. A killed process may leave a draft behind. */
export const draftOf = (name: PrivateFileName): string => `${name}.draft`;

/** Every name that housekeeping may remove from a data directory. Nothing else is ever removed. */
export const ownNames: readonly string[] = [
  ...Object.values(directories),
  ...privateFileNames.flatMap((name) => [name, draftOf(name)]),
];
