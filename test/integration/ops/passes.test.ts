import { writeFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { getPass } from "../../../lib/passes/contract.ts";
import type { Finding } from "../../../ops/checks/rule.ts";
import { listenOnLoopback } from "../../support/listen-on-loopback.ts";
import { failing, runOperator, temporaryDirectory } from "../../support/operator.ts";
import { projectPath } from "../../support/project.ts";
import { startTestService } from "../../support/service.ts";

/** More callers at once than a check has but for its burst. */
const CROWD = 8;

const passText = (version: number, members = ""): string =>
  `{"partner_reference":"ops-1","type":"loyalty_pass","version":${version}${members}}`;

const get = (reference: string): Promise<Response> =>
  service.get(`/passes/${reference}`, {
    [passes.versionHeader]: passes.version,
    authorization: `Bearer ${passes.token}`,
  });
const ops = (args: readonly string[], input?: string) =>
  runOperator([...args, ...store], { ...(input !== undefined && { input }) });
const publish = (text: string, ...options: string[]) => ops(["passes", "publish", "-", ...options], text);

const service = await startTestService("dynalite");
const passes = service.demo.passes;
const store = ["--data", dirname(service.demo.issuer.keyFile)];
const files = await temporaryDirectory();
await writeFile(join(files.path, "token"), `${passes.token}\n`);
await writeFile(join(files.path, "weak"), passes.noScopeToken);
afterAll(async () => {
  await files[Symbol.asyncDispose]();
  await service.close();
});

describe("passes", () => {
  test("that are published are served to the letter, shown, and gone once they are void", async () => {
    const text = passText(1, ',"semantics":{"points":1.50}');
    expect(await publish(`${text}\n`)).toMatchObject({ code: 0, stdout: "Published.\n" });
    expect(await (await get("ops-1")).text()).toBe(text);
    const shown = await ops(["passes", "show", "ops-1", "--json"]);
    expect(shown.stdout).toContain(`"pass":${text}`);
    expect(JSON.parse(shown.stdout).tags[passes.version]).toBe((await get("ops-1")).headers.get("etag"));
    const other = expect.stringContaining("version 1 is stored with other content");
    expect(await publish(passText(1))).toMatchObject({ code: 1, stderr: other });
    const voided = await ops(["passes", "void", "ops-1", "--yes"]);
    expect(voided).toMatchObject({ code: 0, stdout: "ops-1 is void.\n" });
    expect((await get("ops-1")).status).toBe(410);
    expect(await publish(passText(9))).toMatchObject({ code: 1 });
    expect(await ops(["passes", "void", "nobody", "--yes"])).toMatchObject({ code: 1 });
    expect(await ops(["passes", "show", "nobody"])).toMatchObject({ code: 1 });
  });

  test("are corrected by name, and show that they were", async () => {
    const text = (version: number) => passText(version).replace("ops-1", "corrected-1");
    await publish(text(99_999));
    expect(await publish(text(7))).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Stale/) });
    const corrected = await publish(text(7), "--correct", "--reason", "a slip");
    expect(corrected).toMatchObject({ code: 0, stdout: "Corrected: this replaces version 99999.\n" });
    expect(await (await get("corrected-1")).text()).toBe(text(7));
    const { stdout } = await ops(["passes", "show", "corrected-1", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ version: 7, corrections: [{ reason: "a slip" }] });
    const importing = ["import", "passes", "-", "--correct", "--rejects", join(files.path, "corrected")];
    const imported = await ops(importing, text(6));
    expect(imported.stdout).toMatch(/corrected +1\n/);
    expect(await (await get("corrected-1")).text()).toBe(text(6));
    expect(await publish(text(8), "--reason", "x")).toMatchObject({ code: 2 });
  });

  test("are imported from a file of one a line, in any order", async () => {
    const lines = [3, 1, 2].map((version) => passText(version).replace("ops-1", "imported-1"));
    const importing = ["import", "passes", "-", "--rejects", join(files.path, "rejects")];
    const imported = await ops(importing, `${lines.join("\n")}\n`);
    expect(imported.code).toBe(0);
    expect(imported.stdout).toMatch(/written +1\n.*\nstale +2\n/);
    expect(((await (await get("imported-1")).json()) as { version: number }).version).toBe(3);
  });
});

describe("keys of the wallet", () => {
  test("that are registered open the endpoint, and private ones are not taken", async () => {
    const refused = await ops(["keys", "create", "passes", "--jwk", passes.jws.privateKeyFile]);
    expect(refused).toMatchObject(failing("public half"));
    const { mtls, partnerReference } = passes;
    const registering = ["--certificate", mtls.otherCert, "--by", "subject", "--json"];
    const made = JSON.parse((await ops(["keys", "create", "passes", ...registering])).stdout);
    expect(made).toMatchObject({ id: expect.stringMatching(/^certificate-name#/), owner: "wallet" });
    const credentials = ["--ca", mtls.ca, "--cert", mtls.otherCert, "--key", mtls.otherKey];
    const getting = ["get", "pass", partnerReference, "--url", mtls.url, ...credentials];
    const stdout = await (await get(partnerReference)).text();
    expect(await runOperator(getting)).toMatchObject({ code: 0, stdout });
    expect(await ops(["keys", "revoke", made.id, "--yes"])).toMatchObject({ code: 0 });
  });
});

describe("the contract check", () => {
  const check = (url: string, ...more: string[]) =>
    runOperator(["check-pass", url, "--json", "--reference", passes.references.loyalty_pass ?? "", ...more]);
  const verdicts = (stdout: string): Record<string, string[]> => {
    const findings = JSON.parse(stdout) as Finding[];
    const ids = (verdict: string) =>
      findings.filter((one) => one.verdict === verdict).map(({ id, seen }) => `${id}: ${seen}`);
    return { fail: ids("fail"), unchecked: ids("not checked") };
  };

  /**
   * An address of the service whose limit is used up once many callers come at once: what refills it while they ask is
   * more than a busy machine asks for.
   */
  async function startCrowded(): Promise<string> {
    const { port, hostname } = new URL(service.baseUrl);
    let crowd = 0;
    const admit = async (socket: Socket): Promise<void> => {
      crowd += 1;
      socket.on("error", () => {});
      socket.on("close", () => {
        crowd -= 1;
      });
      if (crowd >= CROWD) await service.useUp(getPass.limit, "wallet", 1_000);
      const upstream = connect(Number(port), hostname).on("error", () => socket.destroy());
      socket.pipe(upstream).pipe(socket);
    };
    const server = createServer((socket) => void admit(socket));
    const own = await listenOnLoopback(server);
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${own}`;
  }

  test("finds our own endpoint to keep every rule that can be checked without a certificate, its limit among them", async () => {
    const program = [process.execPath, projectPath("ops/main.ts")];
    const change = [...program, "passes", "publish", join(files.path, "changed"), ...store];
    const changed = `{"partner_reference":"${passes.references.loyalty_pass}","type":"loyalty_pass","version":13}`;
    await writeFile(join(files.path, "changed"), changed);
    const options = {
      "--token-file": join(files.path, "token"),
      "--no-scope-token-file": join(files.path, "weak"),
      "--jws-key": passes.jws.privateKeyFile,
      "--gone-reference": passes.voidReference,
      "--burst": "200",
      "--changed-by": change.map((word) => `'${word}'`).join(" "),
    };
    const { code, stdout, stderr } = await check(await startCrowded(), ...Object.entries(options).flat());
    expect({ code, ...verdicts(stdout) }, stderr).toEqual({
      code: 0,
      fail: [],
      unchecked: ["401-strange-certificate: needs --cert and --key", "request-id-503: no 503 was met"],
    });
    for (const secret of [passes.token, passes.noScopeToken]) expect(stdout + stderr).not.toContain(secret);
  });

  test("finds the same over mutual TLS", async () => {
    const { mtls } = passes;
    const { code, stdout } = await check(mtls.url, "--ca", mtls.ca, "--cert", mtls.cert, "--key", mtls.key);
    expect({ code, fail: verdicts(stdout).fail }).toEqual({ code: 0, fail: [] });
    expect(verdicts(stdout).unchecked?.map((line) => line.split(":")[0])).not.toContain(
      "401-strange-certificate",
    );
  });
});
