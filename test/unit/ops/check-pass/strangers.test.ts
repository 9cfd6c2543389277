import { createPrivateKey, X509Certificate } from "node:crypto";
import type { PeerCertificate, TLSSocket } from "node:tls";
import { describe, expect, test } from "vitest";
import { checkPass } from "../../../../ops/check-pass/check-pass.ts";
import { feignedIssuers, imitateCertificate } from "../../../../ops/check-pass/imitate-certificate.ts";
import { idsOf, REFERENCES, rulesNamed, walletFor } from "../../../support/pass-server.ts";
import { checkVariation, plain } from "../../../support/right-pass-servers.ts";
import { presentCertificates } from "../../../support/secure-server.ts";
import { pass, when, wrongSigners } from "../../../support/wrong-pass-servers.ts";

/** The check sends its own signatures with a token, and forged ones without. */
const forged = (rule: string, condition: Parameters<typeof when>[0], answer: Parameters<typeof when>[1]) => ({
  finds: [rule],
  traits: () =>
    when((headers, reference) => {
      const isForged = headers.authorization === undefined && headers["jws-signature"] !== undefined;
      return isForged && condition(headers, reference);
    }, answer),
});

describe("a server that takes signatures is found out that", () => {
  test.each(
    Object.entries({
      ...wrongSigners,
      "answers a changed one with a 304 to the tag": forged(
        "401-before-tag",
        (headers) => "if-none-match" in headers,
        { status: 304, body: "" },
      ),
      "answers a changed one with a 404 for a pass that is not there": forged(
        "401-unknown-alike",
        (_, reference) => reference.startsWith("check-"),
        { status: 404 },
      ),
      "answers a changed one with a 410 for a pass that is gone": forged(
        "401-gone-alike",
        (_, reference) => reference === REFERENCES.gone,
        { status: 410 },
      ),
      "answers a changed one with the pass, behind a 401": forged(
        "refusal-without-pass",
        (_, reference) => reference === REFERENCES.current,
        { body: pass },
      ),
    }),
  )("%s", async (_, { finds, traits }) => {
    expect(idsOf(await checkVariation({ ...plain, isSigned: true }, traits()), "fail")).toEqual(finds);
  });
});

const { now, ca, client, tls, startServer } = await presentCertificates();

/** Decides by a client's unverified certificate whether the client is trusted. */
type Trust = (peer: PeerCertificate, error: string | null) => boolean;

/**
 * Checks a server that asks for certificates and verifies none. `toStrangers` answers the clients it does not trust.
 *
 * @returns what is found by 401-strange-certificate and by 401-before-tag.
 */
async function checkTrust(isTrusted: Trust, toStrangers: (ifNoneMatch: string | undefined) => number) {
  const url = await startServer(
    { requestCert: true, rejectUnauthorized: false },
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
  const wallet = walletFor(url, { credentials: { tls }, clock: () => now });
  const rules = rulesNamed("401-strange-certificate", "401-before-tag");
  const findings = await checkPass(rules, { wallet, plan: { reference: REFERENCES.current, burst: 0 } });
  return findings.map(({ verdict, seen }) => `${verdict}: ${seen}`);
}

/** Whether an error says that the issuer is unknown, and not that the signature is false. */
const isOptional = (error: string | null): boolean =>
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"].includes(String(error));

describe("a server that takes certificates is found out that", () => {
  const isPoller: Trust = ({ subject }) => subject?.CN === "poller";

  test.each<[string, Trust]>([
    ["trusts the subject alone", isPoller],
    ["trusts subject and issuer", (peer, error) => isPoller(peer, error) && peer.issuer.O === "Pärtner"],
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
      (peer, error) => isPoller(peer, error) && isOptional(error),
    ],
    [
      "trusts the subject of what vouches for itself",
      (peer, error) => isPoller(peer, error) && error === "DEPTH_ZERO_SELF_SIGNED_CERT",
    ],
    [
      "trusts the issuer's name wherever it is that of an authority",
      ({ issuer }, error) => issuer?.O === "Pärtner" && !isOptional(error),
    ],
  ])("%s", async (_, isTrusted) => {
    const [strange] = await checkTrust(isTrusted, () => 401);
    expect(strange).toMatch(/^fail: 200 to a certificate with the same names, issued by /);
  });

  test.each<[string, Parameters<typeof checkTrust>[1], string]>([
    [
      "answers a strange one with a 304 to the tag",
      (named) => (named === '"a"' ? 304 : 401),
      "fail: 304 to a caller without credentials",
    ],
    ["and one that verifies them keeps the rule", () => 401, "pass: 401"],
  ])("%s", async (_, toStrangers, beforeTag) => {
    expect(await checkTrust((__, error) => error === null, toStrangers)).toEqual(["pass: 401", beforeTag]);
  });
});

describe("an imitated certificate", () => {
  test.each(feignedIssuers)("has the names of the original, and is issued by %s", async (issuer) => {
    // A file may hold the certificates of the authorities too.
    const imitated = await imitateCertificate(`${client.certificate}${ca}`, issuer);
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
    const { publicKey } = new X509Certificate(ca);
    expect([other.verify(publicKey), it.verify(publicKey)]).toEqual([true, false]);
    expect(it.verify(it.publicKey)).toBe(issuer === "itself");
    expect(it.publicKey.equals(other.publicKey)).toBe(false);
    expect(it.checkPrivateKey(createPrivateKey(imitated.key))).toBe(true);
  });

  test("is not made from a text that is not a certificate", async () => {
    await expect(imitateCertificate("x", "itself")).rejects.toThrow("cannot be read");
  });
});
