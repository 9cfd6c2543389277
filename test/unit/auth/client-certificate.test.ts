import { createHash, generateKeyPairSync, X509Certificate } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { certificateNameId, certificateNames } from "../../../lib/auth/certificate-names.ts";
import { cases } from "../../support/cases.ts";
import { type AnyCertificate, certificateAuthority } from "../../support/certificates.ts";
import { NOW } from "../../support/chain.ts";
import {
  fingerprintId,
  passClaims,
  walletCertificate,
  walletEndpoint,
  walletEvent,
} from "../../support/wallet.ts";

type Subject = NonNullable<AnyCertificate["subject"]>;

const statusWith = async (wallet: Awaited<ReturnType<typeof walletEndpoint>>, pem: string): Promise<number> =>
  (await wallet.call(walletEvent({ certificate: pem }))).statusCode;

const nameIds = (pem: string): Record<string, string> => {
  const certificate = new X509Certificate(pem);
  return Object.fromEntries(
    certificateNames(certificate).map((name) => [
      name.kind === "subject" ? "subject" : `${name.kind}:${name.value}`,
      certificateNameId(certificate, name),
    ]),
  );
};

describe("a client certificate opens the pass callback", () => {
  test("by its fingerprint", async () => {
    const wallet = await walletEndpoint();
    const { pem, id } = await walletCertificate();
    expect(await statusWith(wallet, pem)).toBe(401);
    wallet.register(id);
    expect(await statusWith(wallet, pem)).toBe(200);
  });

  test("by its issuer and one alternative name, whatever its key", async () => {
    const wallet = await walletEndpoint();
    const authority = await certificateAuthority();
    const first = await authority.issue({ dns: ["other.example", "Poller.example"] });
    const renewed = await authority.issue({ dns: ["poller.EXAMPLE"], subject: "CN=renewed" });
    wallet.register(nameIds(first.pem)["DNS:poller.example"] ?? "");
    expect(await statusWith(wallet, first.pem)).toBe(200);
    expect(await statusWith(wallet, renewed.pem)).toBe(200);
  });

  test.each(["prime256v1", "secp384r1", "secp256k1", "brainpoolP256r1"])(
    "by its issuer and its subject, with a key on the curve %s",
    async (namedCurve) => {
      const wallet = await walletEndpoint();
      const authority = await certificateAuthority();
      const { publicKey } = generateKeyPairSync("ec", { namedCurve });
      const spki = publicKey.export({ format: "der", type: "spki" });
      const { pem } = await authority.issueAny({ subject: "CN=poller", publicKey: spki });
      wallet.register(nameIds(pem).subject ?? "");
      expect(await statusWith(wallet, pem)).toBe(200);
    },
  );

  test("by a name that is written as it was registered, whatever signs and letters are in it", async () => {
    const authority = await certificateAuthority("CN=a\\, b,O=\\+");
    const sign = fc.constantFrom(...Array.from('abCN=+,;"\\<># \n\r\0\x1f\x7f\x80é漢😀0AF'));
    const text = fc
      .array(sign, { minLength: 1, maxLength: 12 })
      .map((signs) => ({ utf8String: signs.join("") }));
    const name = fc.constantFrom("CN", "O", "OU", "DC", "1.2.3.4");
    const part = fc.dictionary(name, fc.array(text, { minLength: 1, maxLength: 2 }), {
      minKeys: 1,
      maxKeys: 3,
    });
    const attributesOf = (attributes: object) =>
      JSON.stringify(Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1)));
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 3 }), async (subject) => {
        const { pem } = await authority.issueAny({ subject: subject as unknown as Subject });
        // Node.js's own object of the attributes, which only keys on usual curves have.
        const { issuer, subject: own } = new X509Certificate(pem).toLegacyObject();
        const named = JSON.stringify([attributesOf(issuer), "subject", attributesOf(own)]);
        const digest = createHash("sha256").update(named).digest("hex");
        expect(nameIds(pem).subject).toBe(`certificate-name#${digest}`);
      }),
      { numRuns: cases(20) },
    );
  });

  test("by its issuer and all attributes of its subject", async () => {
    const wallet = await walletEndpoint();
    const authority = await certificateAuthority();
    const subject = "CN=poller,OU=a,OU=b,O=Example";
    wallet.register(nameIds((await authority.issue({ subject })).pem).subject ?? "");
    expect(await statusWith(wallet, (await authority.issue({ subject })).pem)).toBe(200);
    for (const other of ["CN=poller,O=Example", `${subject},C=DE`, subject.replace("poller", "poller2")])
      expect(await statusWith(wallet, (await authority.issue({ subject: other })).pem)).toBe(401);
  });
});

describe("a client certificate is refused", () => {
  test("when only another issuer's certificate with its names is registered", async () => {
    const wallet = await walletEndpoint();
    const choice = { dns: ["poller.example"], subject: "CN=poller" };
    const { pem } = await (await certificateAuthority("CN=One")).issue(choice);
    for (const id of Object.values(nameIds(pem))) wallet.register(id);
    expect(await statusWith(wallet, pem)).toBe(200);
    const { pem: other } = await (await certificateAuthority("CN=Two")).issue(choice);
    expect(await statusWith(wallet, other)).toBe(401);
  });

  test("when its issuer has the name of the registered one, but another key", async () => {
    const choice = { dns: ["poller.example"], subject: "CN=poller" };
    const [own, namesake] = [await certificateAuthority(), await certificateAuthority()];
    const [{ pem }, { pem: renewed }] = [await own.issue(choice), await own.issue(choice)];
    const { pem: forged } = await namesake.issue(choice);
    expect(nameIds(forged)).toEqual(nameIds(pem));
    const key = new X509Certificate(own.pem).publicKey.export({ format: "der", type: "spki" });
    for (const id of Object.values(nameIds(pem))) {
      const wallet = await walletEndpoint();
      wallet.register(id, { publicKey: key.toString("base64") });
      for (const shown of [pem, renewed]) expect(await statusWith(wallet, shown)).toBe(200);
      expect(await statusWith(wallet, forged)).toBe(401);
      // A certificate that is registered itself needs no registered name, and the row of its name does not affect it.
      wallet.register(id, { publicKey: key.toString("base64"), revokedAt: NOW });
      wallet.register(fingerprintId(forged));
      expect(await statusWith(wallet, forged)).toBe(200);
      expect(await statusWith(wallet, pem)).toBe(401);
    }
  });

  test("when a registered name is only a part of its own, or stands in another field", async () => {
    const wallet = await walletEndpoint();
    const authority = await certificateAuthority();
    const { pem } = await authority.issue({ dns: ["poller.example"], subject: "CN=poller" });
    for (const id of Object.values(nameIds(pem))) wallet.register(id);
    const lookalikes = [
      { subject: "O=CN\\=poller" },
      { subject: "CN=poller\\,CN\\=x" },
      { subject: "O=x,CN=poller" },
      { subject: "CN=evil", dns: ["x.poller.example"] },
      { subject: "CN=evil", dns: ["poller.example.evil.example"] },
      { subject: "CN=evil", dns: ["evil.example, DNS:poller.example"] },
      { subject: "CN=poller.example" },
    ];
    for (const choice of lookalikes)
      expect(await statusWith(wallet, (await authority.issue(choice)).pem)).toBe(401);
  });

  test("outside its own validity, to the millisecond", async () => {
    const wallet = await walletEndpoint();
    const { pem, id } = await walletCertificate({ notBefore: NOW - 1_000, notAfter: NOW + 1_000 });
    wallet.register(id);
    for (const [shift, status] of [
      [-1_001, 401],
      [-1_000, 200],
      [1_000, 200],
      [1_001, 401],
    ] as const) {
      wallet.clock.mockReturnValue(NOW + shift);
      expect(await statusWith(wallet, pem)).toBe(status);
    }
  });

  test("when its registration has expired or was revoked, even where its name is still registered", async () => {
    const wallet = await walletEndpoint();
    const { pem, id } = await walletCertificate({ dns: ["poller.example"] });
    wallet.register(nameIds(pem)["DNS:poller.example"] ?? "");
    expect(await statusWith(wallet, pem)).toBe(200);
    for (const end of [{ revokedAt: NOW - 1 }, { expiresAt: NOW }]) {
      wallet.register(id, end);
      expect(await statusWith(wallet, pem)).toBe(401);
    }
  });

  test("when its registrations name different owners", async () => {
    const wallet = await walletEndpoint();
    const { pem, id } = await walletCertificate({ dns: ["poller.example"] });
    wallet.register(id);
    wallet.register(nameIds(pem)["DNS:poller.example"] ?? "", { owner: "wallet-2" });
    expect(await statusWith(wallet, pem)).toBe(401);
  });

  test("when it has more names than can be looked up at once", async () => {
    const wallet = await walletEndpoint();
    const dns = Array.from({ length: 60 }, (_, at) => `host-${at}.example`);
    const { pem, id } = await walletCertificate({ dns });
    wallet.register(id);
    expect(await statusWith(wallet, pem)).toBe(401);
  });

  test.each(["", "not a certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"])(
    "when the gateway reports %j",
    async (pem) => {
      expect(await statusWith(await walletEndpoint(), pem)).toBe(401);
    },
  );

  test("in a header, whatever the header is called and whichever host was asked", async () => {
    const wallet = await walletEndpoint();
    const { pem, id } = await walletCertificate();
    wallet.register(id);
    const headers = {
      "x-amzn-mtls-clientcert": encodeURIComponent(pem),
      "x-amzn-mtls-clientcert-leaf": encodeURIComponent(pem),
      "x-amzn-mtls-clientcert-subject": "CN=wallet-poller,O=Example",
      "x-forwarded-client-cert": `Cert="${encodeURIComponent(pem)}"`,
    };
    const event = walletEvent({ headers });
    for (const domainName of ["api.example", "abc.execute-api.eu-west-1.amazonaws.com"]) {
      const requestContext = {
        ...event.requestContext,
        domainName,
        identity: { clientCert: { clientCertPem: pem } },
      };
      expect((await wallet.call({ ...event, requestContext })).statusCode).toBe(401);
    }
  });
});

test("a valid certificate without the scope is 403", async () => {
  const wallet = await walletEndpoint();
  const { pem, id } = await walletCertificate();
  wallet.register(id, { scopes: ["trades.read"] });
  expect(await statusWith(wallet, pem)).toBe(403);
});

describe("a token that is bound to a certificate", () => {
  const digestOf = (pem: string): string =>
    Buffer.from(fingerprintId(pem).split("#")[1] ?? "", "hex").toString("base64url");
  const callWith = async (
    cnf: (own: string, other: string) => unknown,
    presents: "own" | "other" | "none",
  ) => {
    const wallet = await walletEndpoint();
    const [own, other] = [await walletCertificate(), await walletCertificate()];
    wallet.register(own.id);
    wallet.register(other.id);
    const token = await wallet.issuer.mint({
      ...passClaims,
      cnf: cnf(digestOf(own.pem), digestOf(other.pem)) as never,
    });
    const certificate = { own: own.pem, other: other.pem, none: undefined }[presents];
    const event = walletEvent({
      headers: { authorization: `Bearer ${token}` },
      ...(certificate !== undefined && { certificate }),
    });
    return (await wallet.call(event)).statusCode;
  };

  test("opens with that certificate alone", async () => {
    const bound = (own: string) => ({ "x5t#S256": own });
    expect(await callWith(bound, "own")).toBe(200);
    expect(await callWith(bound, "other")).toBe(401);
    expect(await callWith(bound, "none")).toBe(401);
  });

  test.each([
    ["to a key we cannot ask for", () => ({ jkt: "abc" })],
    ["to a certificate and a key", (own: string) => ({ "x5t#S256": own, jkt: "abc" })],
    ["to nothing", () => ({})],
    ["by a text", () => "x5t#S256"],
    ["by null", () => null],
    ["to a padded digest", (own: string) => ({ "x5t#S256": `${own}=` })],
  ])("%s is refused", async (_, cnf) => {
    expect(await callWith(cnf, "own")).toBe(401);
  });
});
