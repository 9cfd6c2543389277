import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { exportJWK, generateKeyPair } from "jose";
import { describe, expect, test } from "vitest";
import { checkPass, passRules } from "../../../../ops/check-pass/check-pass.ts";
import type { Plan } from "../../../../ops/check-pass/subject.ts";
import type { WalletCredentials } from "../../../../ops/wallet/wallet.ts";
import {
  type PassRequest,
  REFERENCES,
  startPassServer,
  TOKENS,
  type Traits,
  walletFor,
} from "../../../support/pass-server.ts";
import { scratchDirectory } from "../../../support/scratch.ts";
import { presentCertificates } from "../../../support/secure-server.ts";
import { breachOf } from "../../../support/wrong-pass-servers.ts";

const REFERENCE = "ref 1";
const directory = scratchDirectory();
const files = { token: join(directory, "to'ken"), noScopeToken: join(directory, "weak token") };
writeFileSync(files.token, `${TOKENS.good}\n`);
writeFileSync(files.noScopeToken, TOKENS.noScope);

/** The parts of a request that rules look at. */
const told = ({ headers, reference }: PassRequest) => ({
  reference,
  authorization: headers.authorization,
  version: headers["service-api-version"],
  tag: headers["if-none-match"],
});

const everythingWrong: Traits = {
  change: () => ({ status: 203, headers: { etag: '"a\'b"', "request-id": "mine" }, body: "{}" }),
};

/**
 * Checks a server, which by default gives every request the same wrong answer.
 *
 * @returns the curl lines of the broken rules, and what the server was sent, by the check and by one of them.
 */
async function check(
  id: string,
  plan: Partial<Plan> = {},
  traits: Traits = everythingWrong,
  credentials: WalletCredentials = { token: TOKENS.good, tls: {} },
) {
  const server = await startPassServer(traits);
  const { requests } = server.state;
  const whole = { reference: REFERENCE, burst: 0, files, ...plan };
  const findings = await checkPass(passRules, {
    wallet: walletFor(server.url, { credentials }),
    plan: whole,
  });
  const broken = findings.filter(({ verdict }) => verdict === "fail" || verdict === "warn");
  const lines = new Map(broken.map(({ id, curl = "" }) => [id, curl]));
  const line = lines.get(id) ?? "";
  const sent = requests.splice(0).map(told);
  const paste = async () => {
    await promisify(execFile)("sh", ["-c", line.replaceAll("curl ", "curl -s ")]);
    await server.close();
    return requests.map(told);
  };
  return { lines, line, sent, paste };
}

const current = { reference: REFERENCES.current, noScopeToken: TOKENS.noScope };

describe("the curl line of a broken rule", () => {
  test.each([
    ["pass-200", `Bearer ${TOKENS.good}`],
    ["401-no-credentials", undefined],
    ["401-no-token", "Bearer not-a-token"],
    ["401-unsigned-token", expect.stringMatching(/^Bearer [^.]+\.Y2xhaW1z\.$/)],
    ["403-no-scope", `Bearer ${TOKENS.noScope}`],
  ])("of %s sends what the check has sent, with tokens from their files", async (id, authorization) => {
    const { line, sent, paste } = await check(id, { noScopeToken: TOKENS.noScope });
    for (const token of Object.values(TOKENS)) expect(line).not.toContain(token.split(".")[2]);
    const [again] = await paste();
    expect(again).toMatchObject({ reference: REFERENCE, authorization, version: "2026-07-01" });
    expect(sent).toContainEqual(again);
  });

  test.each([
    ["401-bad-token", {}, everythingWrong, TOKENS.good, "to"],
    ["401-before-scope", current, breachOf["401-before-scope"]?.(), TOKENS.noScope, "weak token"],
  ])("of %s changes the end of its token as the check does", async (id, plan, traits, token, file) => {
    const { line, paste } = await check(id, plan, traits);
    expect(line).toContain(file);
    const [sent] = await paste();
    expect(sent?.authorization?.slice(0, -5)).toBe(`Bearer ${token}`.slice(0, -5));
    expect(sent?.authorization).not.toBe(`Bearer ${token}`);
  });

  test("takes a token from a variable where it came by standard input", async () => {
    const { line } = await check("pass-200", { files: { token: "-" } });
    expect(line).toContain('"Authorization: Bearer $(printf %s "$TOKEN")"');
  });

  test("makes a new signature with the key's file, and names another file for another key", async () => {
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    const signingKey = { ...(await exportJWK(privateKey)), kid: "k", alg: "ES256" };
    const plan = { files: { jwsKey: "my.jwk" } };
    const { lines } = await check("", plan, everythingWrong, { signingKey, tls: {} });
    const signed = "$(npm run --silent ops -- sign-pass '/passes/ref%201' --jws-key";
    expect(lines.get("pass-200")).toContain(`"Jws-Signature: ${signed} 'my.jwk')"`);
    expect(lines.get("401-bad-jws")).toContain(`"Jws-Signature: ${signed} 'my.jwk' | sed`);
    expect(lines.get("401-strange-jws")).toContain(`"Jws-Signature: ${signed} 'strange.jwk.json')"`);
    // A forgery was made without the key, so it is not secret, and no command can make it.
    expect(lines.get("401-unsigned-jws")).toMatch(/'Jws-Signature: [\w-]+\.\.'/);
    expect(lines.get("401-brought-jws")).toMatch(/'Jws-Signature: [\w-]+\.\.[\w-]+'/);
    expect(lines.get("401-no-credentials")).not.toContain("Jws-Signature");
  });

  test("names the files of the connection", async () => {
    const { tls } = await presentCertificates();
    const plan = { files: { cert: "c.pem", key: "k.pem", ca: "a.pem" } };
    const { lines } = await check("", plan, everythingWrong, { tls });
    expect(lines.get("pass-200")).toContain("--cacert 'a.pem' --cert 'c.pem' --key 'k.pem'");
    expect(lines.get("401-no-credentials")).toContain("--cacert 'a.pem' 'http");
    expect(lines.get("401-strange-certificate")).toContain("--cert 'strange.pem' --key 'strange-key.pem'");
  });

  test.each([
    ["401-before-tag", 1],
    ["400-before-tag", 1],
    ["403-before-tag", 1],
    ["404-before-tag", 1],
    ["refusal-without-pass", 1],
    ["304-any", 1],
    // A cache's answer shows only in the second of two requests.
    ["200-again", 2],
    ["401-unknown-alike", 2],
    ["403-unknown-alike", 2],
  ])(
    "of %s sends the requests that showed the breach, and not those that confirmed it: %d",
    async (id, count) => {
      const { sent, paste } = await check(id, current, breachOf[id]?.());
      const again = await paste();
      expect(again).toHaveLength(count);
      for (const request of again) expect(sent).toContainEqual(request);
    },
  );

  test.each(["caf\u00e9", "\u0080\u00ff%d'\\n"])("sends a tag back byte for byte: %s", async (inner) => {
    const traits: Traits = { encoding: "latin1", tagOf: () => `"${inner}"`, isNamed: () => false };
    const { paste } = await check("304-same-tag", current, traits);
    expect(await paste()).toMatchObject([{ tag: `"${inner}"` }]);
  });

  test("sends as many requests at once as it takes to reach the limit", async () => {
    const change: Traits["change"] = (answer, _, { requests }) =>
      requests.length > 160 ? { ...answer, status: 500 } : answer;
    const { line } = await check("burst-statuses", { reference: "ref-1", burst: 200 }, { change });
    expect(line).toMatch(/^for i in \$\(seq 200\); do curl .* & done; wait$/);
  });
});
