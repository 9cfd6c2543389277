import { X509Certificate } from "node:crypto";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { openAuthority } from "../../../../local/identity/local-authority.ts";
import { certificateNames } from "../../../../local/store/data-files.ts";
import { DAY_MS, NOW } from "../../../support/chain.ts";
import { temporaryDirectory } from "../../../support/operator.ts";

describe("the local authority", () => {
  test("is made once, and only its owner may read the key", async () => {
    await using directory = await temporaryDirectory();
    const options = { dataDir: directory.path, clock: () => NOW };
    const first = await openAuthority(options);
    expect((await openAuthority(options)).certificate).toBe(first.certificate);
    expect(await readdir(directory.path)).toEqual([
      "certificate-authority-key.pem",
      "certificate-authority.pem",
    ]);
    expect((await stat(`${directory.path}/certificate-authority-key.pem`)).mode & 0o777).toBe(0o600);
    const { ca, subject } = new X509Certificate(first.certificate);
    expect([ca, subject]).toEqual([true, "CN=countinghouse local authority"]);
  });

  test("is replaced when its key is lost or belongs to another certificate", async () => {
    await using directory = await temporaryDirectory();
    const options = { dataDir: directory.path, clock: () => NOW };
    const first = await openAuthority(options);
    await rm(`${directory.path}/certificate-authority-key.pem`);
    const second = await openAuthority(options);
    expect(second.certificate).not.toBe(first.certificate);
    await writeFile(`${directory.path}/certificate-authority.pem`, first.certificate);
    expect((await openAuthority(options)).certificate).not.toBe(first.certificate);
  });

  test("keeps a server certificate for every name of this machine and for the host, and makes one for another host", async () => {
    await using directory = await temporaryDirectory();
    const authority = await openAuthority({ dataDir: directory.path, clock: () => NOW });
    const kept = await authority.keepForServer("gateway.example");
    const certificate = new X509Certificate(kept.certificate);
    expect(certificate.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
    for (const host of ["localhost", "gateway.example"]) expect(certificate.checkHost(host)).toBeDefined();
    for (const address of ["127.0.0.1", "::1"]) expect(certificate.checkIP(address)).toBeDefined();
    expect(certificate.checkHost("other.example")).toBeUndefined();
    expect(certificate.ca).toBe(false);
    expect(await authority.keepForServer("gateway.example")).toEqual(kept);
    for (const host of ["other.example", "192.0.2.1"]) {
      const other = new X509Certificate((await authority.keepForServer(host)).certificate);
      expect(other.checkHost(host) ?? other.checkIP(host)).toBe(host);
    }
  });

  test("keeps a client's certificate until it expires soon or the authority is replaced", async () => {
    await using directory = await temporaryDirectory();
    const dataDir = directory.path;
    const keepAt = async (now: number) =>
      (await openAuthority({ dataDir, clock: () => now })).keepForClient(certificateNames.client);
    const first = await keepAt(NOW);
    expect(await readFile(first.certificateFile, "utf8")).toBe(first.certificate);
    expect((await keepAt(NOW + 300 * DAY_MS)).certificate).toBe(first.certificate);
    const renewed = await keepAt(NOW + 340 * DAY_MS);
    expect(renewed.certificate).not.toBe(first.certificate);
    await rm(`${dataDir}/certificate-authority.pem`);
    expect((await keepAt(NOW + 340 * DAY_MS)).certificate).not.toBe(renewed.certificate);
  });

  test("goes by a service's clock for the ends of certificates, and by the machine's for their beginnings", async () => {
    await using directory = await temporaryDirectory();
    const keepAhead = async (days: number) => {
      const clocks = { clock: () => NOW, serviceClock: () => NOW + days * DAY_MS };
      const authority = await openAuthority({ dataDir: directory.path, ...clocks });
      return new X509Certificate((await authority.keepForClient(certificateNames.client)).certificate);
    };
    const first = await keepAhead(0);
    expect((await keepAhead(300)).fingerprint).toBe(first.fingerprint);
    const renewed = await keepAhead(340);
    expect(renewed.validFromDate.getTime()).toBeLessThanOrEqual(NOW);
    expect(renewed.validToDate.getTime()).toBeGreaterThan(NOW + 640 * DAY_MS);
  });

  test("keeps a certificate that is valid by now, and replaces one that is not valid yet", async () => {
    await using directory = await temporaryDirectory();
    const dataDir = directory.path;
    const startAt = async (now: number) => {
      const authority = await openAuthority({ dataDir, clock: () => now });
      const client = await authority.keepForClient(certificateNames.client);
      return [authority.certificate, client.certificate] as const;
    };
    const HOUR_MS = 3_600_000;
    // Certificates begin an hour before they are made, and in whole seconds.
    const first = await startAt(NOW + HOUR_MS);
    expect(await startAt(NOW)).toEqual(first);
    const second = await startAt(NOW - 1_000);
    for (const [at, certificate] of second.entries()) {
      expect(certificate).not.toBe(first[at]);
      expect(new X509Certificate(certificate).validFromDate.getTime()).toBeLessThan(NOW - 1_000);
    }
    // The authority outlasts these 400 days, so only the client's certificate is made while the clock is ahead.
    await startAt(NOW + 400 * DAY_MS);
    const third = await startAt(NOW);
    expect(third).not.toContain(second[1]);
    const [authority, client] = third.map((certificate) => new X509Certificate(certificate));
    expect(client?.verify((authority as X509Certificate).publicKey)).toBe(true);
  });

  test("replaces a kept certificate that is not an authority's", async () => {
    await using directory = await temporaryDirectory();
    const options = { dataDir: directory.path, clock: () => NOW };
    const { certificate, key } = await (await openAuthority(options)).keepForClient(certificateNames.client);
    await writeFile(`${directory.path}/certificate-authority.pem`, certificate);
    await writeFile(`${directory.path}/certificate-authority-key.pem`, key);
    expect(new X509Certificate((await openAuthority(options)).certificate).ca).toBe(true);
  });

  test("ends the last line of each file, so that files can be concatenated", async () => {
    await using directory = await temporaryDirectory();
    const authority = await openAuthority({ dataDir: directory.path, clock: () => NOW });
    const client = await authority.keepForClient(certificateNames.client);
    const files = [authority.certificateFile, client.certificateFile, client.keyFile];
    for (const file of files) expect(await readFile(file, "utf8")).toMatch(/-----END [A-Z ]+-----\n$/);
    const server = await authority.keepForServer("gateway.example");
    expect(server.certificate).toMatch(/-----\n$/);
  });

  test("adds a missing line break to a kept certificate, and keeps the certificate", async () => {
    await using directory = await temporaryDirectory();
    const options = { dataDir: directory.path, clock: () => NOW };
    const { certificate, certificateFile } = await openAuthority(options);
    await writeFile(certificateFile, certificate.trimEnd());
    expect((await openAuthority(options)).certificate).toBe(certificate);
    expect(await readFile(certificateFile, "utf8")).toBe(certificate);
    expect((await stat(certificateFile)).mode & 0o777).toBe(0o600);
  });
});
