import { createPrivateKey, X509Certificate } from "node:crypto";
import { createServer } from "node:https";
import type { PeerCertificate, TLSSocket } from "node:tls";
import { beforeAll, describe, expect, test } from "vitest";
import {
  createAuthority,
  issueCertificate,
  type KeyedCertificate,
} from "../../../../local/identity/certificates.ts";
import { checkPass } from "../../../../ops/check-pass/check-pass.ts";
import { feignedIssuers, imitateCertificate } from "../../../../ops/check-pass/imitate-certificate.ts";
import { listenOnLoopback } from "../../../support/listen-on-loopback.ts";
import { idsOf, REFERENCES, rulesNamed, walletFor } from "../../../support/pass-server.ts";
import { checkVariation, plain } from "../../../support/right-pass-servers.ts";
import { pass, when, wrongSigners } from "../../../support/wrong-pass-servers.ts";

describe("a server that takes signatures is found out that answers a changed one", () => {
  type Condition = Parameters<typeof when>[0];
  /** The check sends its own signatures with a token, and forged ones without. */
  const isForged: Condition = (headers) =>
    headers.authorization === undefined && headers["jws-signature"] !== undefined;
  const forged = (condition: Condition, answer: Parameters<typeof when>[1]) =>
    when((headers, reference) => isForged(headers, reference) && condition(headers, reference), answer);

  test.each([
    [
      "with a 304 to the tag",
      forged((headers) => "if-none-match" in headers, { status: 304, body: "" }),
      ["401-before-tag"],
    ],
    [
      "with a 404 for a pass that is not there",
      forged((_, reference) => reference.startsWith("check-"), { status: 404 }),
      ["401-unknown-alike"],
    ],
    [
      "with a 410 for a pass that is gone",
      forged((_, reference) => reference === REFERENCES.gone, { status: 410 }),
      ["401-gone-alike"],
    ],
    [
      "with the pass, behind a 401",
      forged((_, reference) => reference === REFERENCES.current, { body: pass }),
      ["refusal-without-pass"],
    ],
  ])("%s", async (_, flip, ids) => {
    const findings = await checkVariation({ ...plain, isSigned: true }, flip);
    expect(idsOf(findings, "fail")).toEqual(ids);
  });
});

describe("a server that takes signatures is found out that", () => {
  test.each(Object.entries(wrongSigners))("%s", async (_, { finds, traits }) => {
    const findings = await checkVariation({ ...plain, isSigned: true }, traits());
    expect(idsOf(findings, "fail")).toEqual(finds);
  });
});

/** TLS uses the machine's clock. */
const now = Math.floor(Date.now() / 1_000) * 1_000;
let authority: KeyedCertificate;
let own: KeyedCertificate;
let client: KeyedCertificate;

beforeAll(async () => {
  const validity = { notBefore: now - 60_000, notAfter: now + 60_000 };
  authority = await createAuthority("CN=Partner Clients,O=Pärtner", validity);
  const names = { hosts: ["poller.wallet.example"], addresses: ["127.0.0.1"], ...validity };
  own = await issueCertificate(authority, { subject: "CN=server", use: "server", ...names });
  client = await issueCertificate(authority, {
    subject: "CN=poller+OU=Übertragung,O=Wallet\\, Inc.",
    use: "client",
    ...names,
  });
});

/** Decides by a client's unverified certificate whether the client is trusted. */
type Trust = (peer: PeerCertificate, error: string | null) => boolean;

/**
 * Checks a server that asks for certificates and verifies none. `toStrangers` answers the clients it does not trust.
 */
async function checkTrust(isTrusted: Trust, toStrangers: (ifNoneMatch: string | undefined) => number) {
  const server = createServer(
    {
      cert: own.certificate,
      key: own.key,
      ca: authority.certificate,
      requestCert: true,
      rejectUnauthorized: false,
    },
    ({ socket, headers }, response) => {
      // At run time this is the error's code, although its type is Error.
      const error = (socket as TLSSocket).authorizationError as unknown as string | null;
      const tag = '"a"';
      const named = headers["if-none-match"];
      const status = isTrusted((socket as TLSSocket).getPeerCertificate(), error)
        ? named === tag
          ? 304
          : 200
        : toStrangers(named);
      response.writeHead(status, status < 400 ? { etag: tag } : {}).end(status === 200 ? pass : "");
    },
  );
  const port = await listenOnLoopback(server);
  const ca = authority.certificate;
  const wallet = walletFor(`https://127.0.0.1:${port}`, {
    credentials: { tls: { ca, cert: client.certificate, key: client.key } },
    clock: () => now,
  });
  const rules = rulesNamed("401-strange-certificate", "401-before-tag");
  const findings = await checkPass(rules, { wallet, plan: { reference: REFERENCES.current, burst: 0 } });
  server.close();
  return Object.fromEntries(findings.map(({ id, verdict, seen }) => [id, `${verdict}: ${seen}`]));
}

const isVerified: Trust = (_, error) => error === null;
/** Whether an error says that the issuer is unknown, and not that the signature is false. */
const isOptional = (error: string | null): boolean =>
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"].includes(String(error));

describe("a server that takes certificates is found out that", () => {
  const refuse = () => 401;

  test.each<[string, Trust]>([
    ["trusts the subject alone", ({ subject }) => subject?.CN === "poller"],
    [
      "trusts subject and issuer",
      ({ subject, issuer }) => subject?.CN === "poller" && issuer.O === "Pärtner",
    ],
    [
      "trusts an alternative name",
      ({ subjectaltname = "" }) => subjectaltname.includes("DNS:poller.wallet.example"),
    ],
    [
      "trusts the serial number",
      ({ serialNumber }) => serialNumber === new X509Certificate(client.certificate).serialNumber,
    ],
    ["trusts any", ({ subject }) => subject !== undefined],
    [
      "trusts the subject wherever no authority is known, as optional_no_ca does",
      ({ subject }, error) => subject?.CN === "poller" && isOptional(error),
    ],
    [
      "trusts the subject of what vouches for itself",
      ({ subject }, error) => subject?.CN === "poller" && error === "DEPTH_ZERO_SELF_SIGNED_CERT",
    ],
    [
      "trusts the issuer's name wherever it is that of an authority",
      ({ issuer }, error) => issuer?.O === "Pärtner" && !isOptional(error),
    ],
  ])("%s", async (_, isTrusted) => {
    expect(await checkTrust(isTrusted, refuse)).toMatchObject({
      "401-strange-certificate": expect.stringMatching(
        /^fail: 200 to a certificate with the same names, issued by /,
      ),
    });
  });

  test("answers a strange one with a 304 to the tag", async () => {
    const seen = await checkTrust(isVerified, (named) => (named === '"a"' ? 304 : 401));
    expect(seen).toEqual({
      "401-strange-certificate": "pass: 401",
      "401-before-tag": "fail: 304 to a caller without credentials",
    });
  });

  test("and one that verifies them keeps the rule", async () => {
    const seen = await checkTrust(isVerified, refuse);
    expect(seen).toEqual({ "401-strange-certificate": "pass: 401", "401-before-tag": "pass: 401" });
  });
});

describe("an imitated certificate", () => {
  test.each(feignedIssuers)("has the names of the original, and is issued by %s", async (issuer) => {
    // A file may hold the certificates of the authorities too.
    const imitated = await imitateCertificate(`${client.certificate}${authority.certificate}`, issuer);
    const [other, it] = [new X509Certificate(client.certificate), new X509Certificate(imitated.cert)];
    for (const name of [
      "subject",
      "serialNumber",
      "subjectAltName",
      "keyUsage",
      "validFrom",
      "validTo",
    ] as const)
      expect(it[name], name).toEqual(other[name]);
    const issuers = {
      "its issuer": other.issuer,
      itself: other.subject,
      "an unknown authority": "CN=Unknown Authority",
    };
    expect(it.issuer).toBe(issuers[issuer]);
    const { publicKey } = new X509Certificate(authority.certificate);
    expect([other.verify(publicKey), it.verify(publicKey)]).toEqual([true, false]);
    expect(it.verify(it.publicKey)).toBe(issuer === "itself");
    expect(it.publicKey.equals(other.publicKey)).toBe(false);
    expect(it.checkPrivateKey(createPrivateKey(imitated.key))).toBe(true);
  });

  test("is not made from a text that is not a certificate", async () => {
    await expect(imitateCertificate("x", "itself")).rejects.toThrow("cannot be read");
  });
});
