import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createSecureContext } from "node:tls";
import { afterAll, describe, expect, test } from "vitest";
import { readTls } from "../../../../ops/wallet/read-tls.ts";
import { certificateAuthority } from "../../../support/certificates.ts";
import { temporaryDirectory } from "../../../support/operator.ts";

const fileOf = (name: string): string => join(directory.path, name);

const directory = await temporaryDirectory();
const authority = await certificateAuthority();
const [one, other] = [await authority.issue(), await authority.issue()];
await writeFile(fileOf("ca"), authority.pem);
await writeFile(fileOf("cert"), one.pem);
await writeFile(fileOf("key"), one.keyPem);
await writeFile(fileOf("other-key"), other.keyPem);
await writeFile(fileOf("garbage"), "-----BEGIN CERTIFICATE-----\nAAAA\n");
afterAll(() => directory[Symbol.asyncDispose]());

describe("files for TLS", () => {
  test("are read as they are", async () => {
    const tls = await readTls({ cert: fileOf("cert"), key: fileOf("key"), ca: fileOf("ca") });
    expect(Object.keys(tls).sort()).toEqual(["ca", "cert", "key"]);
    expect(await readTls({})).toEqual({});
  });

  test("are read although their parts were joined without a line break between them", async () => {
    const chain = [await readFile(fileOf("cert"), "utf8"), await readFile(fileOf("ca"), "utf8")];
    await writeFile(fileOf("chain"), chain.map((pem) => pem.trimEnd()).join(""));
    const tls = await readTls({ cert: fileOf("chain"), key: fileOf("key"), ca: fileOf("chain") });
    expect(tls.cert?.match(/^-----BEGIN CERTIFICATE-----$/gm)).toHaveLength(2);
    expect(() => createSecureContext(tls)).not.toThrow();
  });

  test.each([
    [{ cert: "cert" }, "--cert and --key go together."],
    [{ cert: "garbage", key: "key" }, "The file of --cert does not hold a certificate in PEM."],
    [
      { cert: "cert", key: "garbage" },
      "The file of --key does not hold a private key without a password in PEM.",
    ],
    [{ cert: "cert", key: "other-key" }, "The key of --key does not belong to the certificate of --cert."],
    [{ ca: "garbage" }, "The file of --ca does not hold a certificate in PEM."],
  ])("are refused in one line: %o", async (names, message) => {
    const paths = Object.fromEntries(Object.entries(names).map(([option, name]) => [option, fileOf(name)]));
    await expect(readTls(paths)).rejects.toThrow(message);
  });
});
