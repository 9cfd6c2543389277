import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { flattenedVerify, importJWK, type JWK } from "jose";
import { describe, expect, test } from "vitest";
import { certificateNameId } from "../../../../lib/auth/certificate-names.ts";
import { OperatorError } from "../../../../local/process/operator-error.ts";
import { lifetimeOf } from "../../../../ops/credentials/issue-credential.ts";
import { readCertificate } from "../../../../ops/credentials/read-certificate.ts";
import { readPublicJwk } from "../../../../ops/credentials/read-evidence.ts";
import { readSigningKey, signDetached } from "../../../../ops/wallet/jws-signer.ts";
import { certificateAuthority } from "../../../support/certificates.ts";
import { NOW } from "../../../support/chain.ts";
import { BASE, times, torsionPoints } from "../../../support/edwards.ts";
import { temporaryDirectory } from "../../../support/operator.ts";
import { fingerprintId } from "../../../support/wallet.ts";
import { forgeableKeys, rocaModulus, rsaJwk, zerosBefore } from "../../../support/weak-keys.ts";

/** Reads the certificate of a text, by its fingerprint unless another way is named. */
const readPem = (pem: string, by = "fingerprint", now = NOW) =>
  withFile(pem, (file) => readCertificate({ file, by }, now));

/** Runs with a file of this text. */
async function withFile<Result>(text: string, work: (file: string) => Promise<Result>): Promise<Result> {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "given");
  await writeFile(file, text);
  return await work(file);
}

const textOf = (jwk: object | string): string => (typeof jwk === "string" ? jwk : JSON.stringify(jwk));
const readJwk = (jwk: object | string) => withFile(textOf(jwk), readPublicJwk);
const ed25519 = generateKeyPairSync("ed25519");
const otherEd25519 = generateKeyPairSync("ed25519");
const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" });
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const rsaWith = (members: object) => ({ ...publicOf(rsa), alg: "RS256", ...members });
/** An odd number of so many bits, as a JWK spells it. */
const rsaModulus = (bits: number) =>
  Buffer.from((2n ** BigInt(bits) - 1n).toString(16).padStart(2 * Math.ceil(bits / 8), "0"), "hex").toString(
    "base64url",
  );
const publicOf = ({ publicKey }: { publicKey: typeof rsa.publicKey }) => publicKey.export({ format: "jwk" });

describe("a public JWK", () => {
  test("is registered with its own kid, and only with the members that verify", async () => {
    const { kid, publicKey } = await readJwk({
      ...publicOf(ed25519),
      kid: "k1",
      use: "sig",
      x5u: "https://evil.example",
    });
    expect(kid).toBe("k1");
    expect(Object.keys(JSON.parse(publicKey)).sort()).toEqual(["alg", "crv", "kty", "x"]);
  });

  test("needs no alg where its kind of key leaves no choice, and no kid", async () => {
    for (const [key, alg] of [
      [ed25519, "EdDSA"],
      [p256, "ES256"],
    ] as const) {
      const { kid, publicKey } = await readJwk(publicOf(key));
      expect(JSON.parse(publicKey).alg).toBe(alg);
      expect(kid).toMatch(/^[A-Za-z0-9_-]{43}$/);
    }
    for (const alg of ["EdDSA", "Ed25519"])
      expect(JSON.parse((await readJwk({ ...publicOf(ed25519), alg })).publicKey).alg).toBe("EdDSA");
    expect(JSON.parse((await readJwk({ ...publicOf(rsa), alg: "PS256" })).publicKey).alg).toBe("PS256");
  });

  test.each([
    ["a private key", ed25519.privateKey.export({ format: "jwk" }), /private or secret/],
    ["a secret", { kty: "oct", k: "c2VjcmV0" }, /private or secret/],
    ["an RSA key without alg", publicOf(rsa), /needs alg/],
    ["a key to encrypt with", { ...publicOf(ed25519), use: "enc" }, /use other than sig/],
    [
      "a key to sign with",
      { ...publicOf(ed25519), key_ops: ["sign"] },
      /"verify" in the list of its key_ops/,
    ],
    ["a key for nothing", { ...publicOf(ed25519), key_ops: [] }, /"verify" in the list of its key_ops/],
    ["a key whose operations are not a list", { ...publicOf(ed25519), key_ops: "verify" }, /key_ops/],
    ["a key whose point is a number", { ...publicOf(ed25519), x: 5 }, /must have text for x/],
    ["a key whose point is an object", { ...publicOf(p256), x: {} }, /must have text for x/],
    ["a key whose curve is a list", { ...publicOf(p256), crv: ["P-256"] }, /must have text for crv/],
    ["a key whose alg is a number", { ...publicOf(rsa), alg: 256 }, /must have text for alg/],
    ["a key whose modulus is a number", { ...publicOf(rsa), alg: "RS256", n: 7 }, /must have text for n/],
    ["a set of two keys", { keys: [publicOf(ed25519), publicOf(otherEd25519)] }, /holds 2 keys/],
    [
      "a set of one key under two names",
      { keys: ["a", "b"].map((kid) => ({ ...publicOf(ed25519), kid })) },
      /holds 2 keys/,
    ],
    ["a set without a key", { keys: [] }, /is not a JWK/],
    ["a set of something else", { keys: [publicOf(ed25519), null] }, /is not a JWK/],
    [
      "two keys in one object",
      JSON.stringify(publicOf(ed25519)).replace(/}$/, `,"x":"${publicOf(otherEd25519).x}"}`),
      /x is given twice/,
    ],
    ["two keys one after the other", JSON.stringify(publicOf(ed25519)).repeat(2), /is not a JWK/],
    ["an algorithm of another kind of key", { ...publicOf(p256), alg: "EdDSA" }, /does not fit/],
    ["a secret algorithm", { ...publicOf(rsa), alg: "HS256" }, /does not fit/],
    [
      "a weak RSA key with zero bytes in front",
      rsaWith({ n: zerosBefore(rsaJwk(1_024).n, 128) }),
      /2048 bits/,
    ],
    ["an RSA key of one bit too few", rsaWith({ n: `f${"_".repeat(340)}w` }), /2048 bits/],
    ["an RSA key of one bit more than any use needs", rsaWith({ n: rsaModulus(8_193) }), /8192 at most/],
    ["an RSA key that OpenSSL refuses to use", rsaWith({ n: rsaModulus(19_630) }), /8192 at most/],
    ["an RSA key with an exponent of 65 bits", rsaWith({ e: "AQAAAAAAAAAB" }), /64 bits at most/],
    ["an RSA key of a faulty generator", rsaWith({ n: rocaModulus() }), /ROCA, CVE-2017-15361/],
    ["an RSA key with an even modulus", rsaWith({ n: `${"_".repeat(341)}g` }), /odd modulus/],
    ["an RSA key without a modulus", rsaWith({ n: "" }), /2048 bits/],
    ["an RSA key with the exponent 3", rsaWith({ e: "Aw" }), /exponent of 65537/],
    ["an RSA key with the exponent 65535", rsaWith({ e: "__8" }), /exponent of 65537/],
    ["an RSA key with an even exponent", rsaWith({ e: "AQAC" }), /odd exponent/],
    ["an RSA key without an exponent", rsaWith({ e: undefined }), /exponent of 65537/],
    ["an Ed25519 key cut short", { ...publicOf(ed25519), x: "AAAA" }, /32 bytes/],
    ["an Ed25519 key without x", { ...publicOf(ed25519), x: undefined }, /32 bytes/],
    ["another curve", publicOf(generateKeyPairSync("ec", { namedCurve: "P-384" })), /curve P-256 or Ed25519/],
    ["a point that is on no curve", { ...publicOf(p256), x: "AAAA" }, /is not a public key/],
    ["a kid with a space", { ...publicOf(ed25519), kid: "a b" }, /kid/],
    ["something else", "{", /is not a JWK/],
  ])("is refused when it is %s", async (_, jwk, message) => {
    await expect(readJwk(jwk as object)).rejects.toThrow(message);
  });

  test("of RSA is taken with zero bytes in front, as some libraries write them, and with a larger exponent", async () => {
    for (const members of [
      { n: zerosBefore(publicOf(rsa).n, 1) },
      { e: zerosBefore("AQAB", 1) },
      { e: "AQAD" },
    ])
      expect(JSON.parse((await readJwk(rsaWith(members))).publicKey)).toMatchObject(members);
  });

  test("of RSA is taken up to the largest that its verifier serves", async () => {
    for (const members of [{ n: rsaModulus(8_192) }, { e: "AP__________" }])
      expect(JSON.parse((await readJwk(rsaWith(members))).publicKey)).toMatchObject(members);
  });

  test("may be the only one of a set, also twice, and a member that is null says nothing", async () => {
    const jwk = { ...publicOf(ed25519), kid: "k1" };
    const alone = await readJwk(jwk);
    const bare = { use: null, alg: null, key_ops: null, d: null };
    for (const set of [{ keys: [jwk] }, { keys: [jwk, { ...jwk }] }, { ...jwk, ...bare }])
      expect(await readJwk(set)).toEqual(alone);
    expect(await readJwk({ ...jwk, use: "sig", key_ops: ["verify", "sign"] })).toEqual(alone);
  });

  test("is refused when anybody could sign for it, or when it is the seed of a private one", async () => {
    for (const { jwk } of forgeableKeys())
      await expect(readJwk(jwk)).rejects.toThrow(
        /anybody could sign|exponent of 65537|not an Ed25519 public key/,
      );
    const neutral = { kty: "OKP", crv: "Ed25519", x: `AQ${"A".repeat(41)}` };
    await expect(readJwk(neutral)).rejects.toThrow(/point of small order.*anybody could sign/);
    const x = times(3n, BASE)
      .add(torsionPoints[1] ?? BASE)
      .toBytes();
    const mixed = { kty: "OKP", crv: "Ed25519", x: Buffer.from(x).toString("base64url") };
    await expect(readJwk(mixed)).rejects.toThrow(
      /most likely the seed of a private key.*component of small order/,
    );
  });
});

describe("a private JWK", () => {
  const privateOf = ({ privateKey }: { privateKey: typeof rsa.privateKey }) =>
    privateKey.export({ format: "jwk" });
  const readKey = (jwk: object | string) => withFile(textOf(jwk), readSigningKey);

  test.each([
    ["Ed25519", ed25519, {}],
    ["Ed25519 by its newer name", ed25519, { alg: "Ed25519", kid: "k", key_ops: ["verify"] }],
    ["P-256", p256, {}],
    ["RSA", rsa, { alg: "PS256" }],
  ] as const)("signs what its registered public half verifies: %s", async (_, pair, members) => {
    const key = await readKey({ ...privateOf(pair), ...members });
    const { kid, publicKey } = await readJwk({ ...publicOf(pair), ...members });
    const [head, signature] = (await signDetached(key, "/passes/r", () => NOW)).split("..");
    const jwk = JSON.parse(publicKey) as JWK;
    const jws = { protected: String(head), payload: "", signature: String(signature) };
    const { protectedHeader } = await flattenedVerify(jws, await importJWK(jwk), {
      algorithms: [String(jwk.alg)],
    });
    expect(protectedHeader?.kid).toBe(kid);
  });

  test.each<[string, object | string, RegExp]>([
    ["a public key", publicOf(ed25519), /does not hold a private key/],
    ["cut short", { ...privateOf(ed25519), d: privateOf(ed25519).d?.slice(0, 20) }, /is damaged/],
    ["of two keys", { ...privateOf(ed25519), x: publicOf(otherEd25519).x }, /is damaged/],
    ["of an unknown algorithm", { ...privateOf(p256), alg: "ES999" }, /does not fit/],
    ["something else", "null", /is not a JWK/],
  ])("is refused in one line without the key when it is %s", async (_, jwk, message) => {
    const error = await readKey(jwk).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(OperatorError);
    expect(String(error)).toMatch(message);
    expect(String(error)).not.toContain(privateOf(ed25519).d?.slice(0, 16));
  });
});

describe("a client certificate", () => {
  test("is registered by its fingerprint, or by a name that it has", async () => {
    const { pem } = await (await certificateAuthority()).issue({ dns: ["poller.example"] });
    const read = (by: string) => readPem(pem, by);
    const certificate = new X509Certificate(pem);
    const ids = [
      fingerprintId(pem),
      certificateNameId(certificate, { kind: "DNS", value: "poller.example" }),
      certificateNameId(certificate, { kind: "subject" }),
    ];
    expect(await read("fingerprint")).toEqual({
      ids,
      id: fingerprintId(pem),
      kind: "certificate",
      expiresAt: certificate.validToDate.getTime(),
    });
    expect(await read("DNS:poller.example")).toEqual({
      ids,
      id: certificateNameId(certificate, { kind: "DNS", value: "poller.example" }),
      kind: "certificate-name",
    });
    expect((await read("subject")).id).toBe(certificateNameId(certificate, { kind: "subject" }));
    await expect(read("DNS:other.example")).rejects.toThrow("fingerprint, DNS:poller.example, subject");
  });

  test("stands first in a file, alone or before the authorities that issued it", async () => {
    const root = await certificateAuthority("CN=Root");
    const authority = await certificateAuthority("CN=Intermediate", root);
    const [own, other] = [await authority.issue(), await authority.issue()];
    const read = (...pems: readonly string[]) => readPem(pems.join("").replaceAll("-\n-", "--"));
    const { id } = await read(own.pem);
    for (const rest of [[own.pem], [authority.pem], [authority.pem, root.pem], [root.pem, authority.pem]])
      expect((await read(own.pem, ...rest)).id).toBe(id);
    for (const chain of [
      [authority.pem],
      [authority.pem, own.pem],
      [root.pem, authority.pem, own.pem],
      [authority.pem, root.pem],
    ])
      await expect(read(...chain)).rejects.toThrow(
        "holds the certificate of an authority. Give the client's own",
      );
    await expect(read(own.pem, other.pem)).rejects.toThrow("holds 2 certificates that are not one chain");
    await expect(read(own.pem, own.pem.replace("MII", "MIX"))).rejects.toThrow("does not hold a certificate");
  });

  test("of an authority is refused by a name, and accepted by its fingerprint, as openssl's self-signed ones must be", async () => {
    const { pem } = await certificateAuthority();
    await expect(readPem(pem, "subject")).rejects.toThrow("the certificate of an authority");
    expect(await readPem(pem)).toMatchObject({ id: fingerprintId(pem), kind: "certificate" });
  });

  test("is checked by its issuer's key where the issuer is given, which must be the right one", async () => {
    const [own, namesake] = [await certificateAuthority(), await certificateAuthority()];
    const { pem } = await own.issue({ dns: ["poller.example"] });
    const by = "DNS:poller.example";
    const read = (issuer: string) =>
      withFile(pem, (file) =>
        withFile(issuer, (issuerFile) => readCertificate({ file, by, issuerFile }, NOW)),
      );
    const { publicKey } = await read(own.pem);
    const key = new X509Certificate(own.pem).publicKey.export({ format: "der", type: "spki" });
    expect(publicKey).toBe(key.toString("base64"));
    for (const other of [namesake.pem, pem, (await certificateAuthority("CN=Other")).pem])
      await expect(read(other)).rejects.toThrow(
        "does not hold the certificate of the authority that issued the client's",
      );
  });

  test("is refused with more names than the endpoint takes", async () => {
    const authority = await certificateAuthority();
    const read = async (count: number) => {
      const dns = Array.from({ length: count }, (_, at) => `h${at}.example`);
      return readPem((await authority.issue({ dns })).pem);
    };
    expect((await read(49)).ids).toHaveLength(51);
    await expect(read(50)).rejects.toThrow("holds a certificate with 51 names. Give one with 50 at most");
  });

  test("is refused when it has expired, and so is a file without one", async () => {
    const { pem } = await (await certificateAuthority()).issue();
    const later = NOW + 2 * 86_400_000;
    await expect(readPem(pem, "fingerprint", later)).rejects.toThrow("expired");
    await expect(readPem("x")).rejects.toThrow("does not hold a certificate");
  });
});

describe("the end of a credential", () => {
  test.each([
    [{}, undefined, undefined],
    [{ expires: 5 }, undefined, 5],
    [{}, 7, 7],
    [{ expires: 5 }, 7, 5],
    [{ expires: 9 }, 7, 7],
  ])("with %j, of a certificate that ends at %s: %s", (options, ownEnd, expiresAt) => {
    expect(lifetimeOf(options, ownEnd).expiresAt).toBe(expiresAt);
  });
});
