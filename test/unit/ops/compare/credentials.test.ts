import { describe, expect, test } from "vitest";
import { contractBrand } from "../../../../lib/brand.ts";
import { credentialMembers, credentialsIn } from "../../../../ops/compare/credentials.ts";
import { readAddress, Side } from "../../../../ops/compare/side.ts";
import { codeIn, sectionsOf } from "../../../support/markdown.ts";
import { projectText } from "../../../support/project.ts";

const TOKEN = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl";

describe("a file of credentials", () => {
  test("may leave anything out, and have more", () => {
    const given = credentialsIn({ business: { token: "t", types: {} }, issuer: 1 }, "/d/demo.json");
    expect(given.get("business.token")).toBe("t");
    expect(given.get("ramp.apiKey")).toBeUndefined();
    expect(given.get("passes.versionHeader")).toBe(contractBrand.versionHeader);
  });

  test("names files relative to itself", () => {
    const files = (file: string) =>
      credentialsIn({ exchange: { privateKeyFile: file } }, "/d/demo.json").get("exchange.privateKeyFile");
    expect([files("k.pem"), files("/e/k.pem")]).toEqual(["/d/k.pem", "/e/k.pem"]);
  });

  test.each([1, null, "", "a\r\nb", "é"])(
    "is refused for %j in place of a text, by its name alone",
    (token) => {
      expect(() => credentialsIn({ business: { token } }, "f")).toThrow(/^f: business\.token must be a text/);
    },
  );

  test.each(["text", null, []])("without sections is one without credentials: %j", (content) => {
    expect(credentialsIn(content, "f").has("business.token")).toBe(false);
  });
});

test("docs/sandbox.md has every member that is read in its table of demo.json", () => {
  const document = projectText("docs/sandbox.md");
  const told = sectionsOf(document).flatMap(({ tables }) =>
    tables.flat().flatMap(({ member }) => codeIn(member)),
  );
  const named = Object.keys(credentialMembers).filter(
    (name) => told.includes(name) || told.includes(name.slice(0, name.lastIndexOf("."))),
  );
  expect(named).toEqual(Object.keys(credentialMembers));
});

/** A side with what a file of credentials has. */
const sideAt = (address: string, content: unknown, file = "f") =>
  new Side({ label: "right", url: new URL(address), credentials: credentialsIn(content, file) });

describe("a side", () => {
  const content = { business: { token: TOKEN, transactionId: "tx-1234" }, exchange: { symbol: "BTC" } };
  const side = sideAt("https://a.example:8443/api/", content);

  test("says which credential it lacks", () => {
    expect(() => side.get("ramp.apiKey")).toThrow("right has no ramp.apiKey in its credentials");
  });

  test("masks its secrets, ids and address in a text, but no id that is too short", () => {
    expect(side.mask(`${TOKEN} tx-1234 https://a.example:8443/api/x a.example:8443 BTC`)).toBe(
      "(a token of yours) <business.transactionId> <address>/x <host> BTC",
    );
  });

  test("masks the signatures that it sent", async () => {
    const jws = `${"a".repeat(40)}..${"b".repeat(86)}`;
    expect(side.mask(`sent ${"Aa+/".repeat(21)}Aa==, ${jws}`)).toBe(
      "sent (a signature of yours), (a signature of yours)",
    );
  });

  test("masks a longer id before one that it begins with", () => {
    const passes = { partnerReference: "demo-1", voidReference: "demo-12" };
    const two = sideAt("https://a.example", { passes });
    expect(two.mask("demo-12 demo-1")).toBe("<passes.voidReference> <passes.partnerReference>");
  });

  test("tells of a file that cannot be used before anything is sent", async () => {
    const absent = sideAt(
      "https://a.example",
      { exchange: { privateKeyFile: "k.pem" } },
      "/absent/demo.json",
    );
    await expect(absent.checkFiles()).rejects.toThrow(
      /^Credentials of right: \/absent\/k\.pem cannot be read/,
    );
    await expect(side.checkFiles()).resolves.toBeUndefined();
  });

  test.each([
    ["http://a.example", true],
    ["https://a.example", false],
    ["http://localhost:3000", false],
    ["http://127.0.0.1:3000", false],
    ["http://[::1]:3000", false],
    ["http://127.0.0.1.example", true],
  ])("at %s has secrets that others could read: %j", (address, isExposed) => {
    expect(sideAt(address, content).isExposed).toBe(isExposed);
    expect(sideAt(address, {}).isExposed).toBe(false);
  });

  test("has the base path of its address", () => {
    expect(side.basePath).toBe("/api");
  });

  test.each(["ftp://a", "a.example", "https://a/?b", "https://a/#b", ""])(
    "has no address like %j",
    (text) => {
      expect(() => readAddress(text, "--left")).toThrow("--left must be an address such as");
    },
  );

  test("has no address with a password, which is not repeated", () => {
    const refused = () => readAddress("https://me:hidden@a.example", "--left");
    expect(refused).toThrow("--left must have no user or password");
    expect(refused).not.toThrow("hidden");
  });
});
