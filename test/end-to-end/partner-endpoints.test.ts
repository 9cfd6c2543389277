import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import type { Finding } from "../../ops/checks/rule.ts";
import { runOperator } from "../support/operator.ts";
import { projectPath, projectRoot, projectText } from "../support/project.ts";
import { scratchDirectory } from "../support/scratch.ts";

/** An endpoint of `docs/examples/`, the program that runs it, and how to ask for the program's version. */
interface Partner {
  readonly file: string;
  readonly program: string;
  readonly version: readonly string[];
  /** The versions that run it; any if absent. An older one counts as not there. */
  readonly needs?: RegExp;
  readonly args: readonly string[];
}

const partners: readonly Partner[] = [
  {
    file: "docs/examples/typescript/pass-endpoint.ts",
    program: process.execPath,
    version: ["--version"],
    args: ["docs/examples/typescript/pass-endpoint.ts"],
  },
  {
    file: "docs/examples/python/pass_endpoint.py",
    program: "python3",
    version: ["--version"],
    args: ["docs/examples/python/pass_endpoint.py"],
  },
  {
    file: "docs/examples/go/pass_endpoint.go",
    program: "go",
    version: ["version"],
    needs: /go1\.(?:2[1-9]|[3-9]\d)/,
    args: ["run", "docs/examples/go/pass_endpoint.go"],
  },
];

const versionOf = ({ program, version, needs }: Partner): string | undefined => {
  const { status, stdout } = spawnSync(program, version, { encoding: "utf8" });
  return status === 0 && (needs === undefined || needs.test(stdout)) ? stdout.trim() : undefined;
};

const TOKENS = { good: "a-token-of-the-wallet", weak: "a-token-without-the-scope" };

/** What a check with nothing but tokens, and of a server without a limit, cannot see. */
const UNSEEN =
  /^(?:401-.*-jws|401-strange-certificate|401-unsigned-token|burst-statuses|request-id-(?:429|503)|retry-after(?:-kept)?)$/;

/** Starts an endpoint on passes of its own. */
async function startPartner({ program, args }: Partner) {
  const directory = scratchDirectory();
  const passes = join(directory, "passes");
  cpSync(projectPath("docs/examples/records/partner-passes"), passes, { recursive: true });
  const digestOf = (token: string) => createHash("sha256").update(token).digest("hex");
  const tokensFile = join(directory, "tokens");
  writeFileSync(
    tokensFile,
    `${digestOf(TOKENS.good)} passes.read\n${digestOf(TOKENS.weak)} templates.read\n`,
  );
  const files = Object.entries(TOKENS).map(([name, token]) => {
    const file = join(directory, `${name}.txt`);
    writeFileSync(file, token);
    return file;
  });
  // `go run` starts the program as its child, so all of its group are ended.
  const child = spawn(program, [...args, "--port", "0", "--tokens", tokensFile, passes], {
    cwd: projectRoot,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [url] = (await once(createInterface(child.stdout), "line")) as [string];
  return {
    url,
    passes,
    files,
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, "exit");
      process.kill(-Number(child.pid), "SIGTERM");
      await ended;
    },
  };
}

describe.each(partners.filter((partner) => versionOf(partner) !== undefined))("$file", (partner) => {
  test(`keeps every rule that a token suffices for (${versionOf(partner)})`, async () => {
    await using server = await startPartner(partner);
    const [good = "", weak = ""] = server.files;
    const options = {
      "--reference": "demo-1",
      "--gone-reference": "demo-2",
      "--token-file": good,
      "--no-scope-token-file": weak,
      "--changed-by": `sed -i.old s/silver/gold/ '${join(server.passes, "demo-1.json")}'`,
    };
    const args = ["check-pass", server.url, "--json", ...Object.entries(options).flat()];
    const { code, stdout } = await runOperator(args);
    const findings = JSON.parse(stdout) as Finding[];
    expect(findings.filter(({ verdict }) => verdict === "fail")).toEqual([]);
    const unseen = findings.filter(({ verdict }) => verdict === "not checked").map(({ id }) => id);
    expect(unseen.filter((id) => !UNSEEN.test(id))).toEqual([]);
    expect(code).toBe(0);
  }, 60_000);

  test("serves nothing from outside its directory, and no failure as a missing pass", async () => {
    await using server = await startPartner(partner);
    const get = async (path: string) => {
      const headers = { Authorization: `Bearer ${TOKENS.good}`, "Service-Api-Version": "2026-07-01" };
      return (await fetch(`${server.url}${path}`, { headers })).status;
    };
    writeFileSync(join(server.passes, "..", "secret.json"), "{}");
    const outside = ["/passes/..%2Fsecret", "/passes/.%2e%2Fsecret", "/passes/..", "/passes/%zz", "/secret"];
    for (const path of outside) expect([400, 404], path).toContain(await get(path));
    expect(await get("/passes/demo-1")).toBe(200);
    writeFileSync(join(server.passes, "a.json"), "");
    expect(await get("/passes/a")).toBe(503);
  }, 60_000);
});

describe("the endpoints of docs/examples/ in every language", () => {
  const absent = partners.filter((partner) => versionOf(partner) === undefined);
  const named = absent.map(({ file, program }) => `${file} (${program} is not here)`).join(", ");

  test(`give the same refusals in the same order; not run: ${named || "none"}`, () => {
    const codesOf = ({ file }: Partner) =>
      Array.from(projectText(file).matchAll(/refus(?:al|e)\([^"\n]*"([a-z_]+)"/g), ([, code]) => code);
    const [codes = [], ...others] = partners.map(codesOf);
    const shared = ["invalid_credentials", "insufficient_scope", "unsupported_version"];
    expect(codes).toEqual(
      expect.arrayContaining([...shared, "not_found", "gone", "temporarily_unavailable"]),
    );
    for (const other of others) expect(other.filter((code) => shared.includes(String(code)))).toEqual(shared);
  });

  test("Node.js and Python are here, so their endpoints are run", () => {
    expect(absent.map(({ program }) => program).filter((program) => program !== "go")).toEqual([]);
  });
});
