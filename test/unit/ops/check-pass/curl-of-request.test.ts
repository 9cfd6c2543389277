import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAuthority, issueCertificate } from "../../../../local/identity/certificates.ts";
import { checkPass, passRules } from "../../../../ops/check-pass/check-pass.ts";
import type { CredentialFiles, Plan } from "../../../../ops/check-pass/subject.ts";
import type { WalletCredentials } from "../../../../ops/wallet/wallet.ts";
import { NOW } from "../../../support/chain.ts";
import { temporaryDirectory } from "../../../support/operator.ts";
import {
  type PassRequest,
  REFERENCES,
  startPassServer,
  TOKENS,
  type Traits,
  walletFor,
} from "../../../support/pass-server.ts";
import { breachOf } from "../../../support/wrong-pass-servers.ts";

const REFERENCE = "ref 1";
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let files: CredentialFiles;

beforeAll(async () => {
  directory = await temporaryDirectory();
  files = { token: join(directory.path, "to'ken"), noScopeToken: join(directory.path, "weak token") };
  await writeFile(String(files.token), `${TOKENS.good}\n`);
  await writeFile(String(files.noScopeToken), TOKENS.noScope);
});
afterAll(() => directory[Symbol.asyncDispose]());

/** A server that gives every request the same wrong answer, and remembers the requests. */
async function startWrongServer() {
  const requests: PassRequest[] = [];
  const change: Traits["change"] = (_, request) => {
    requests.push(request);
    return { status: 203, headers: { etag: '"a\'b"', "request-id": "mine" }, body: "{}" };
  };
  return { requests, ...(await startPassServer({ change })) };
}

async function failures(url: string, credentials: WalletCredentials, plan: Partial<Plan> = {}) {
  const whole = { reference: REFERENCE, burst: 0, files, ...plan };
  const findings = await checkPass(passRules, { wallet: walletFor(url, { credentials }), plan: whole });
  return new Map(
    findings
      .filter(({ verdict }) => verdict === "fail" || verdict === "warn")
      .map(({ id, curl = "" }) => [id, curl]),
  );
}

/** The parts of a request that rules look at. */
const told = ({ headers, reference }: PassRequest) => ({
  reference,
  authorization: headers.authorization,
  version: headers["service-api-version"],
  tag: headers["if-none-match"],
});

describe("the curl line of a broken rule", () => {
  test.each([
    ["pass-200", `Bearer ${TOKENS.good}`],
    ["401-no-credentials", undefined],
    ["401-no-token", "Bearer not-a-token"],
    ["401-unsigned-token", expect.stringMatching(/^Bearer [^.]+\.Y2xhaW1z\.$/)],
    ["403-no-scope", `Bearer ${TOKENS.noScope}`],
  ])("of %s sends what the check has sent, with tokens from their files", async (id, authorization) => {
    const server = await startWrongServer();
    const lines = await failures(
      server.url,
      { token: TOKENS.good, tls: {} },
      { noScopeToken: TOKENS.noScope },
    );
    const line = lines.get(id) ?? "";
    for (const token of Object.values(TOKENS)) expect(line).not.toContain(token.split(".")[2]);
    const sent = server.requests.splice(0).map(told);
    await promisify(execFile)("sh", ["-c", line.replace("curl", "curl -s")]);
    const [again] = server.requests.map(told);
    expect(again).toMatchObject({ reference: REFERENCE, authorization, version: "2026-07-01" });
    expect(sent).toContainEqual(again);
    await server.close();
  });

  test("changes the end of a token as the check does, and does not show it", async () => {
    const server = await startWrongServer();
    const line = (await failures(server.url, { token: TOKENS.good, tls: {} })).get("401-bad-token") ?? "";
    server.requests.length = 0;
    await promisify(execFile)("sh", ["-c", line.replace("curl", "curl -s")]);
    const sent = server.requests[0]?.headers.authorization;
    expect(sent?.slice(0, -5)).toBe(`Bearer ${TOKENS.good}`.slice(0, -5));
    expect(sent).not.toBe(`Bearer ${TOKENS.good}`);
    await server.close();
  });

  test("takes a token from a variable where it came by standard input", async () => {
    const server = await startWrongServer();
    const lines = await failures(server.url, { token: TOKENS.good, tls: {} }, { files: { token: "-" } });
    expect(lines.get("pass-200")).toContain('"Authorization: Bearer $(printf %s "$TOKEN")"');
    await server.close();
  });

  test("makes a new signature with the key's file, and names another file for another key", async () => {
    const server = await startWrongServer();
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    const signingKey = { ...(await exportJWK(privateKey)), kid: "k", alg: "ES256" };
    const lines = await failures(server.url, { signingKey, tls: {} }, { files: { jwsKey: "my.jwk" } });
    const signed = "$(npm run --silent ops -- sign-pass '/passes/ref%201' --jws-key";
    expect(lines.get("pass-200")).toContain(`"Jws-Signature: ${signed} 'my.jwk')"`);
    expect(lines.get("401-bad-jws")).toContain(`"Jws-Signature: ${signed} 'my.jwk' | sed`);
    expect(lines.get("401-strange-jws")).toContain(`"Jws-Signature: ${signed} 'strange.jwk.json')"`);
    // A forgery was made without the key, so it is not secret, and no command can make it.
    expect(lines.get("401-unsigned-jws")).toMatch(/'Jws-Signature: [\w-]+\.\.'/);
    expect(lines.get("401-brought-jws")).toMatch(/'Jws-Signature: [\w-]+\.\.[\w-]+'/);
    expect(lines.get("401-no-credentials")).not.toContain("Jws-Signature");
    await server.close();
  });

  test("names the files of the connection", async () => {
    const server = await startWrongServer();
    const validity = { notBefore: NOW, notAfter: NOW + 60_000 };
    const authority = await createAuthority("CN=Partner", validity);
    const { certificate, key } = await issueCertificate(authority, {
      subject: "CN=poller",
      use: "client",
      ...validity,
    });
    const tls = { cert: certificate, key, ca: authority.certificate };
    const own = { cert: "c.pem", key: "k.pem", ca: "a.pem" };
    const lines = await failures(server.url, { tls }, { files: own });
    expect(lines.get("pass-200")).toContain("--cacert 'a.pem' --cert 'c.pem' --key 'k.pem'");
    expect(lines.get("401-no-credentials")).toContain("--cacert 'a.pem' 'http");
    expect(lines.get("401-strange-certificate")).toContain("--cert 'strange.pem' --key 'strange-key.pem'");
    await server.close();
  });

  const lineOf = async (id: string, traits: Traits, plan: Partial<Plan> = {}) => {
    const requests: PassRequest[] = [];
    const change: Traits["change"] = (answer, request, state) => {
      requests.push(request);
      return traits.change?.(answer, request, state) ?? answer;
    };
    const server = await startPassServer({ ...traits, change });
    const whole = { reference: REFERENCES.current, noScopeToken: TOKENS.noScope, ...plan };
    const line = (await failures(server.url, { token: TOKENS.good, tls: {} }, whole)).get(id) ?? "";
    const sent = requests.splice(0).map(told);
    await promisify(execFile)("sh", ["-c", line.replaceAll("curl ", "curl -s ")]);
    await server.close();
    return { line, sent, again: requests.map(told) };
  };

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
    "of %s sends the requests that showed the breach, and not those that confirmed it: %d of them",
    async (id, count) => {
      const { sent, again } = await lineOf(id, breachOf[id]?.() ?? {});
      expect(again).toHaveLength(count);
      for (const request of again) expect(sent).toContainEqual(request);
    },
  );

  test("changes the end of the token without the scope, and not of the other", async () => {
    const { line, again } = await lineOf("401-before-scope", breachOf["401-before-scope"]?.() ?? {});
    expect(line).toContain("weak token");
    expect(again[0]?.authorization?.slice(0, -5)).toBe(`Bearer ${TOKENS.noScope}`.slice(0, -5));
    expect(again[0]?.authorization).not.toBe(`Bearer ${TOKENS.noScope}`);
  });

  test.each(["caf\u00e9", "\u0080\u00ff%d'\\n"])("sends a tag back byte for byte: %s", async (inner) => {
    const { again } = await lineOf("304-same-tag", {
      encoding: "latin1",
      tagOf: () => `"${inner}"`,
      isNamed: () => false,
    });
    expect(again).toMatchObject([{ tag: `"${inner}"` }]);
  });

  test("sends as many requests at once as it takes to reach the limit", async () => {
    let requests = 0;
    const busy: Traits["change"] = (answer) => {
      requests += 1;
      return requests > 160 ? { ...answer, status: 500 } : answer;
    };
    const server = await startPassServer({ change: busy });
    const plan = { reference: "ref-1", burst: 200 };
    const line = (await failures(server.url, { token: TOKENS.good, tls: {} }, plan)).get("burst-statuses");
    expect(line).toMatch(/^for i in \$\(seq 200\); do curl .* & done; wait$/);
    await server.close();
  });
});
