import { generateKeyPairSync } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exportJWK, generateKeyPair } from "jose";
import { describe, expect, test } from "vitest";
import { exchangeSection } from "../../../../local/demo/exchange-section.ts";
import { keepPassSigningKey } from "../../../../local/demo/passes-section.ts";
import { startIssuer } from "../../../../local/identity/issuer.ts";
import { openAuthority } from "../../../../local/identity/local-authority.ts";
import { StartError } from "../../../../local/process/start-error.ts";
import { certificateNames, dataNames } from "../../../../local/store/data-files.ts";
import { NOW } from "../../../support/chain.ts";
import { temporaryDirectory } from "../../../support/operator.ts";

const clock = () => NOW;
const pkcs8 = { type: "pkcs8", format: "pem" } as const;
const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" });
const ed25519 = generateKeyPairSync("ed25519");
const jwkOf = async (alg: string) => {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: "secret-kid", alg };
};
const [es256, es384, eddsa, rs256] = await Promise.all(["ES256", "ES384", "EdDSA", "RS256"].map(jwkOf));

/** Texts that are not valid in any key file of ours, by their kind. */
const JUNK: Readonly<Record<string, string>> = {
  nothing: "",
  "no key": "secret-part",
  "half an object": '{"kid":"secret-part',
  null: "null",
  "an RSA key": String(rsa.privateKey.export(pkcs8)),
  "a key of another curve": String(p384.privateKey.export(pkcs8)),
  "a public key": String(ed25519.publicKey.export({ type: "spki", format: "pem" })),
  "an RSA JWK": JSON.stringify(rs256),
  "a JWK of another curve": JSON.stringify(es384),
  "a JWK of another curve with the right algorithm": JSON.stringify({ ...es384, alg: "ES256" }),
  "a JWK of X25519": JSON.stringify({ ...eddsa, crv: "X25519" }),
  "a JWK whose halves do not belong together": JSON.stringify({ ...es256, d: es384?.d }),
  "a public JWK": JSON.stringify({ ...eddsa, d: undefined }),
};

const register = { add: async () => true };
const credentials = { get: async () => undefined };

/** How a start reads each key file. */
const READERS: Readonly<Record<string, (dataDir: string) => Promise<unknown>>> = {
  [dataNames.issuerKey]: (dataDir) => startIssuer({ dataDir, clock }),
  [dataNames.passKey]: (dataDir) => keepPassSigningKey(dataDir),
  [dataNames.exchangePrivateKey]: (dataDir) =>
    exchangeSection({ dataDir, headerPrefix: "X-", register, credentials, clock, kept: undefined }),
  [`${certificateNames.authority}-key.pem`]: (dataDir) => openAuthority({ dataDir, clock }),
  [`${certificateNames.authority}.pem`]: (dataDir) => openAuthority({ dataDir, clock }),
  [`${certificateNames.client}-key.pem`]: async (dataDir) =>
    (await openAuthority({ dataDir, clock })).keepForClient(certificateNames.client),
};

describe.each(Object.entries(READERS))("in place of %s", (name, read) => {
  test.each(Object.entries(JUNK))(
    "%s is refused in one line that says what to do, and the file is kept",
    async (_, text) => {
      await using directory = await temporaryDirectory();
      const file = join(directory.path, name);
      await writeFile(file, text);
      const error = await read(directory.path).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(StartError);
      const { message, cause } = error as StartError;
      expect(message).toMatch(
        /^\S+ (?:is not a|holds no) [^\n]+\. Delete it to have a new (?:key|one) made\.$/,
      );
      expect(message.startsWith(file)).toBe(true);
      expect([message, cause].join()).not.toContain("secret");
      expect(await readFile(file, "utf8")).toBe(text);
    },
  );

  test("a directory is refused in one line", async () => {
    await using directory = await temporaryDirectory();
    await mkdir(join(directory.path, name));
    const error = await read(directory.path).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StartError);
    expect((error as StartError).message).toBe(`${join(directory.path, name)} cannot be read (EISDIR).`);
  });
});
