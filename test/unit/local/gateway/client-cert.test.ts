import { X509Certificate } from "node:crypto";
import { describe, expect, test } from "vitest";
import { describeCertificate } from "../../../../local/gateway/client-cert.ts";
import {
  type AnyCertificate,
  anyExtension,
  certificateAuthority,
  uriName,
} from "../../../support/certificates.ts";
import { NOW } from "../../../support/chain.ts";

type Subject = NonNullable<AnyCertificate["subject"]>;

const authority = await certificateAuthority();
const nameless = await certificateAuthority("");
const described = async (content: AnyCertificate, by = authority) =>
  describeCertificate(new X509Certificate((await by.issueAny(content)).pem));

describe("the event of a client certificate", () => {
  test.each<readonly [string, Subject, string]>([
    ["several attributes, in reverse", "CN=poller,O=Example,C=DE", "C=DE,O=Example,CN=poller"],
    ["no attributes", "", ""],
    ["several attributes of one part", "CN=a+OU=b,O=c", "O=c,CN=a+OU=b"],
    ["a plus, a comma and a line end in a value", [{ CN: ["a + b,c\nd"] }], "CN=a \\+ b\\,c\\0Ad"],
    ["letters of any script", "CN=Zoë 漢字 😀,O=Ö", "O=Ö,CN=Zoë 漢字 😀"],
    ["two bytes for each letter", [{ CN: [{ bmpString: "Ünï" }] }] as unknown as Subject, "CN=Ünï"],
    ["a text of thousands of letters", `CN=${"x".repeat(5_000)}`, `CN=${"x".repeat(5_000)}`],
  ])("has its subject: %s", async (_, subject, subjectDN) => {
    const extensions = [uriName("spiffe://wallet.example/sa/poller")];
    expect(await described({ subject, extensions })).toMatchObject({
      subjectDN,
      issuerDN: "O=Example,CN=Test Authority",
    });
  });

  test("has an empty text for an issuer without a name", async () => {
    expect((await described({ subject: "CN=poller" }, nameless)).issuerDN).toBe("");
  });

  test.each([
    ["01", "01"],
    ["7fff01", "7f:ff:01"],
    ["ff".repeat(40), "ff:".repeat(40).slice(0, -1)],
  ])("has its serial number, of any length: %s", async (serialNumber, text) => {
    expect((await described({ serialNumber })).serialNumber).toBe(text);
  });

  test("has its validity, and whatever its extensions are", async () => {
    const extensions = [
      anyExtension("2.5.29.17", Buffer.from([5, 0])),
      anyExtension("1.2.3", Buffer.from("?")),
    ];
    const notAfter = new Date(Date.UTC(9999, 11, 31));
    const { validity, clientCertPem } = await described({ notBefore: new Date(NOW), notAfter, extensions });
    expect(validity).toEqual({ notBefore: "Nov 24 21:00:00 2026 GMT", notAfter: "Dec 31 00:00:00 9999 GMT" });
    expect(clientCertPem).toMatch(/^-----BEGIN CERTIFICATE-----\n/);
  });
});
