import { generateKeyPairSync } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readStage } from "../../../../infra/stage.ts";
import { readRegistrableKey } from "../../../../local/credentials/public-key.ts";
import { readGiven } from "../../../../ops/arguments/read-given.ts";
import { keyOfFile } from "../../../../ops/arguments/read-key-file.ts";
import { readCertificate } from "../../../../ops/credentials/read-certificate.ts";
import { readPublicJwk } from "../../../../ops/credentials/read-evidence.ts";
import { readPrivateKey } from "../../../../ops/signing/read-private-key.ts";
import { readSigningKey } from "../../../../ops/wallet/jws-signer.ts";
import { readTls } from "../../../../ops/wallet/read-tls.ts";
import { readToken } from "../../../../ops/wallet/wallet-options.ts";
import { certificateAuthority } from "../../../support/certificates.ts";
import { NOW } from "../../../support/chain.ts";
import { temporaryDirectory } from "../../../support/operator.ts";
import { projectRoot } from "../../../support/project.ts";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const authority = await certificateAuthority();
const { pem } = await authority.issue();

const directory = await temporaryDirectory();
const file = join(directory.path, "given");
afterAll(() => directory[Symbol.asyncDispose]());

type Reader = readonly [
  what: string,
  textOf: () => Promise<string>,
  read: (path: string) => Promise<unknown>,
];

const readers: readonly Reader[] = [
  ["a document", async () => '{"version":1}', readGiven],
  ["a token", async () => "abc.def", readToken],
  ["a public JWK", async () => JSON.stringify(publicKey.export({ format: "jwk" })), readPublicJwk],
  ["a private JWK", async () => JSON.stringify(privateKey.export({ format: "jwk" })), readSigningKey],
  [
    "a certificate",
    async () => pem,
    (path: string) => readCertificate({ file: path, by: "fingerprint" }, NOW),
  ],
  ["an authority's certificates", async () => authority.pem, (path: string) => readTls({ ca: path })],
  [
    "a private key",
    async () => String(privateKey.export({ type: "pkcs8", format: "pem" })),
    async (path: string) => (await keyOfFile(path, readPrivateKey)).export({ format: "jwk" }),
  ],
  [
    "a public key",
    async () => String(publicKey.export({ type: "spki", format: "pem" })),
    (path: string) => keyOfFile(path, readRegistrableKey),
  ],
  [
    "a stage",
    () => readFile(`${projectRoot}/infra/stages/example.json`, "utf8"),
    async (path: string) => readStage(path),
  ],
];

describe.each(readers)("the file of %s", (_what, textOf, read) => {
  test("reads the same with a byte order mark and white space around it", async () => {
    const text = await textOf();
    await writeFile(file, text.trim());
    const plain = await read(file);
    await writeFile(file, `\u{feff}\n${text}\r\n \n`);
    expect(await read(file)).toEqual(plain);
  });

  test("is refused when it is not UTF-8, and none of it repeated", async () => {
    await writeFile(file, Buffer.from(`${await textOf()}\xe9`, "latin1"));
    const reading = read(file);
    await expect(reading).rejects.toThrow(new RegExp(`^${file}`));
    await expect(reading).rejects.not.toThrow(/\xe9|\u{fffd}/u);
  });
});
