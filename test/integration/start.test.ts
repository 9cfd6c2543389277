import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../infra/endpoints.ts";
import type { DemoFile } from "../../infra/local/demo/demo-file.ts";
import { certificateFileNames } from "../../infra/local/tls/local-authority.ts";
import { runScript } from "../support/run-options.ts";
import { scratchDirectory } from "../support/scratch.ts";
import { pastedStatus, requestOf, type StartedService, startCommand } from "../support/started-service.ts";

const dataDir = scratchDirectory();
const start = (...more: string[]) => startCommand(["--port", "0", "--data", dataDir, ...more]);
const readDemo = () => JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8")) as DemoFile;

let service: StartedService;
beforeAll(async () => {
  service = await start("--base-path", "/api");
});
afterAll(() => service.stop());

const curlLinesOf = ({ announced }: StartedService): string[] =>
  announced.filter((line) => line.trim().startsWith("curl "));

describe("a start", () => {
  it("prints one line for each endpoint and credential, and each of them answers 200", async () => {
    const lines = curlLinesOf(service);
    // The pass callback has one for each kind of credential.
    expect(lines).toHaveLength(endpoints.length + 2);
    for (const line of lines) expect(await pastedStatus(line)).toBe("200");
  });

  it("shows the API under its base path and nowhere else", async () => {
    const request = requestOf(curlLinesOf(service)[0] as string);
    expect(new URL(request.url).pathname).toMatch(/^\/api\/transaction\//);
    const elsewhere = await fetch(request.url.replace("/api/", "/"), { headers: request.headers });
    expect([elsewhere.status, await elsewhere.text()]).toEqual([404, '{"message":"Not Found"}']);
  });

  it("leaves the credentials to their owner alone", () => {
    const names = ["demo.json", "issuer-key.json", "engine.json", "pass-jws-key.json"];
    for (const name of [...names, ...certificateFileNames])
      expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
    expect(readDemo().baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
  });

  it("says how the laptop differs from AWS", () => {
    expect(service.announced.join("\n")).toContain("What differs from AWS:");
  });
});

describe("a start that cannot be says why in one line and ends with 1:", () => {
  const refused = async (...argv: string[]) => runScript("infra/local/start.ts", argv, {});

  it("a port that is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    expect(await refused("--port", `${port}`, "--data", scratchDirectory())).toEqual({
      code: 1,
      stdout: "",
      stderr: `Port ${port} of 127.0.0.1 is taken. Stop what uses it, or choose another with --port.\n`,
    });
    other.close();
  });

  it("a data directory in use, also when it is to be emptied", async () => {
    for (const more of [[], ["--fresh"]]) {
      const { code, stderr } = await refused("--port", "0", "--data", dataDir, ...more);
      expect([code, stderr.trim().split("\n")]).toEqual([
        1,
        [expect.stringContaining(`${dataDir} is in use by process ${service.child.pid}`)],
      ]);
    }
  });
});

describe("another start", () => {
  it("after the first has ended with 0 keeps ids and keys, does not synthesize, and issues tokens anew", async () => {
    const before = readDemo();
    expect(await service.stop("SIGINT")).toBe(0);
    service = await start("--base-path", "/api");
    expect(service.announced.join("\n")).not.toContain("Synthesizing");
    const after = readDemo();
    expect(after.ramp).toEqual(before.ramp);
    expect(after.passes.jws).toEqual(before.passes.jws);
    expect(after.business.transactionId).toBe(before.business.transactionId);
    expect(after.business.token).not.toBe(before.business.token);
    for (const line of curlLinesOf(service)) expect(await pastedStatus(line)).toBe("200");
  });

  it("after a kill -9 works as well", async () => {
    await service.stop("SIGKILL");
    service = await start("--base-path", "/api");
    for (const line of curlLinesOf(service)) expect(await pastedStatus(line)).toBe("200");
  });

  it("with --fresh begins with other keys", async () => {
    const before = readDemo();
    await service.stop();
    service = await start("--fresh");
    expect(readDemo().ramp.apiKey).not.toBe(before.ramp.apiKey);
    for (const line of curlLinesOf(service)) expect(await pastedStatus(line)).toBe("200");
  });
});
