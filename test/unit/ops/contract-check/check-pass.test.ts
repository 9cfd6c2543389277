import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import { describe, expect, test } from "vitest";
import { createAuthority, issueCertificate } from "../../../../infra/local/tls/certificates.ts";
import { contractBrand } from "../../../../lib/brand.ts";
import { checkPass, type Finding, rulesOf } from "../../../../ops/contract-check/check-pass.ts";
import { Wallet, type WalletCredentials } from "../../../../ops/contract-check/wallet.ts";
import { NOW } from "../../../support/chain.ts";
import {
  type Breach,
  type PassAnswer,
  REFERENCES,
  startPassServer,
  TOKENS,
} from "../../../support/pass-server.ts";

const clock = () => NOW;
const rules = rulesOf(contractBrand.versionHeader, clock);
const ALLOWANCE = 40;

/** Checks a server with everything a check can be given but certificates and keys. */
async function check(breach: Breach = {}, ids?: readonly string[]): Promise<Finding[]> {
  const server = await startPassServer(breach, ALLOWANCE);
  const refill = (): void => {
    server.state.allowance = ALLOWANCE;
  };
  const wallet = new Wallet({
    baseUrl: new URL(server.url),
    credentials: { token: TOKENS.good, tls: {} },
    version: "2026-07-01",
    versionHeader: contractBrand.versionHeader,
    clock,
    wait: async () => refill(),
  });
  const change = async (): Promise<void> => {
    server.state.version += 1;
  };
  const plan = {
    reference: REFERENCES.current,
    goneReference: REFERENCES.gone,
    noScopeToken: TOKENS.noScope,
    change,
    burst: ALLOWANCE + 10,
  };
  const chosen = ids === undefined ? rules : rules.filter(({ id }) => ids.includes(id));
  const findings = await checkPass(chosen, { wallet, plan });
  await server.close();
  return findings;
}

const idsOf = (findings: readonly Finding[], verdict: string): string[] =>
  findings.filter((finding) => finding.verdict === verdict).map(({ id }) => id);

test("a server that keeps the contract passes every rule that its credentials let be checked", async () => {
  const findings = await check();
  expect(idsOf(findings, "fail")).toEqual([]);
  expect(
    findings.filter(({ verdict }) => verdict === "not checked").map(({ id, seen }) => [id, seen]),
  ).toEqual([
    ["401-bad-jws", "needs --jws-key"],
    ["401-strange-jws", "needs --jws-key"],
    ["401-strange-certificate", "needs --cert and --key"],
  ]);
});

test("every rule has a name of its own", () => {
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
});

const onStatus = (status: number, change: (answer: PassAnswer) => Partial<PassAnswer>): Breach => ({
  change: (answer) => (answer.status === status ? { ...answer, ...change(answer) } : answer),
});
const without = (name: string, { headers }: PassAnswer): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([header]) => header !== name));
const when = (
  condition: (headers: Readonly<Record<string, string | undefined>>, reference: string) => boolean,
  answer: Partial<PassAnswer>,
): Breach => ({
  change: (right, { headers, reference }) =>
    condition(headers, reference) ? { ...right, ...answer } : right,
});
const open = { status: 200, body: '{"partner_reference":"ref-1"}' };

/** Each rule, and a server that breaks it and no other. */
const breaches: Readonly<Record<string, Breach>> = {
  "pass-200": onStatus(200, () => ({ body: "[]" })),
  "etag-on-200": onStatus(200, (answer) => ({ headers: without("etag", answer) })),
  "etag-stable": { tagOf: () => `"${Math.random()}"` },
  "no-template-id": onStatus(200, ({ body }) => ({
    body: body.replace("{", '{"inner":[{"template_id":"t"}],'),
  })),
  "304-same-tag": {
    isNamed: (header, tag) => header === "*" || (header !== tag && (header?.includes(tag) ?? false)),
  },
  "304-no-body": { tail: "{}" },
  "304-etag": onStatus(304, (answer) => ({ headers: without("etag", answer) })),
  "304-list": { isNamed: (header, tag) => header === "*" || header === tag || header === `W/${tag}` },
  "304-any": { isNamed: (header, tag) => header?.includes(tag) ?? false },
  "304-weak": { isNamed: (header, tag) => header === "*" || (header ?? "").split(/, */).includes(tag) },
  "200-other-tag": {
    isNamed: (header, tag) => header === "*" || (header?.includes(tag.slice(1, -1)) ?? false),
  },
  "400-version": when((headers) => headers["service-api-version"] === "2999-01-01", open),
  "400-no-version": when((headers) => !("service-api-version" in headers), open),
  "400-not-a-version": when((headers) => headers["service-api-version"] === "latest", open),
  "401-no-credentials": when(
    (headers, reference) => !("authorization" in headers) && reference === "ref-1",
    open,
  ),
  "401-unknown-alike": when((headers, reference) => !("authorization" in headers) && reference !== "ref-1", {
    status: 404,
  }),
  "401-no-token": when(({ authorization }) => authorization === "Bearer not-a-token", { status: 400 }),
  "401-bad-token": when(
    (headers) =>
      /^Bearer aGVhZA\.Y2xhaW1z\.(?!bm9zY29wZQ)/.test(headers.authorization ?? "") &&
      headers.authorization !== `Bearer ${TOKENS.good}`,
    open,
  ),
  "401-unsigned-token": when((headers) => headers.authorization?.endsWith(".") ?? false, open),
  "403-no-scope": when((headers) => headers.authorization === `Bearer ${TOKENS.noScope}`, open),
  "404-unknown": when(
    (headers, reference) =>
      reference.startsWith("check-") &&
      headers.authorization === `Bearer ${TOKENS.good}` &&
      !("if-none-match" in headers),
    { status: 204, body: "" },
  ),
  "404-before-tag": when(
    (headers, reference) => reference.startsWith("check-") && headers["if-none-match"] === "*",
    { status: 304, body: "" },
  ),
  "410-gone": when((headers, reference) => reference === "ref-gone" && !("if-none-match" in headers), {
    status: 404,
  }),
  "410-before-tag": when(
    (headers, reference) => reference === "ref-gone" && headers["if-none-match"] === "*",
    { status: 304, body: "" },
  ),
  ...Object.fromEntries(
    [200, 304, 400, 401, 403, 404, 410].map((status) => [
      `request-id-${status}`,
      onStatus(status, ({ headers }) => ({ headers: { ...headers, "request-id": "mine" } })),
    ]),
  ),
  "200-after-change": { tagOf: () => '"always"' },
  "burst-statuses": onStatus(429, ({ headers }) => ({ status: 500, headers })),
  "retry-after": onStatus(429, (answer) => ({ headers: { ...answer.headers, "retry-after": "soon" } })),
  "retry-after-kept": {
    change: (answer, _, state) => {
      if (answer.status === 429) state.version = 99;
      return state.version === 99
        ? { ...answer, status: 429, headers: { ...answer.headers, "retry-after": "1" } }
        : answer;
    },
  },
};

/** Rules that cannot be seen either, or are broken as well, when a server breaks this one. */
const followers: Readonly<Record<string, readonly string[]>> = {
  "401-no-token": ["request-id-401"],
  "404-unknown": ["request-id-404"],
  "410-gone": ["request-id-410"],
  "403-no-scope": ["request-id-403"],
};

describe("a server is found out that breaks", () => {
  test("each of the rules: there is one for every rule that a token is enough for", () => {
    const needOthers = ["401-bad-jws", "401-strange-jws", "401-strange-certificate"];
    expect(Object.keys(breaches).sort()).toEqual(
      rules
        .map(({ id }) => id)
        .filter((id) => !needOthers.includes(id))
        .sort(),
    );
  });

  test.each(Object.entries(breaches))("%s", async (id, breach) => {
    const findings = await check(breach);
    expect(idsOf(findings, "fail")).toEqual([id]);
    const unseen = idsOf(findings, "not checked");
    for (const follower of followers[id] ?? []) expect(unseen).toContain(follower);
  });
});

test("a server that is not there fails without an end to the check", async () => {
  const server = await startPassServer();
  await server.close();
  const wallet = new Wallet({
    baseUrl: new URL(server.url),
    credentials: { tls: {} },
    version: "2026-07-01",
    versionHeader: contractBrand.versionHeader,
    clock,
    wait: async () => {},
  });
  const [finding] = await checkPass(rules.slice(0, 1), { wallet, plan: { reference: "r", burst: 0 } });
  expect(finding).toMatchObject({ verdict: "fail", seen: "no answer (ECONNREFUSED)" });
});

describe("a server is found out that lets in", () => {
  const judge = async (wallet: Wallet, id: string): Promise<Finding | undefined> => {
    const rule = rules.filter((one) => one.id === id);
    return (await checkPass(rule, { wallet, plan: { reference: REFERENCES.current, burst: 0 } }))[0];
  };
  const walletFor = (url: string, credentials: WalletCredentials): Wallet =>
    new Wallet({
      baseUrl: new URL(url),
      credentials,
      version: "2026-07-01",
      versionHeader: contractBrand.versionHeader,
      clock,
      wait: async () => {},
    });

  /** The algorithm that a signature's header names. */
  const algorithmOf = (jws = ""): unknown =>
    jws === "" ? undefined : JSON.parse(Buffer.from(jws.split(".")[0] ?? "", "base64url").toString()).alg;

  test.each([
    ["401-bad-jws", "ES256"],
    ["401-strange-jws", "EdDSA"],
  ])("%s: any signature with the algorithm %s", async (id, alg) => {
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    const signingKey = { ...(await exportJWK(privateKey)), kid: "k", alg: "ES256" };
    const careless = await startPassServer(
      when((headers) => algorithmOf(headers["jws-signature"]) === alg, open),
    );
    const careful = await startPassServer();
    expect(await judge(walletFor(careless.url, { signingKey, tls: {} }), id)).toMatchObject({
      verdict: "fail",
      seen: "200",
    });
    expect(await judge(walletFor(careful.url, { signingKey, tls: {} }), id)).toMatchObject({
      verdict: "pass",
      seen: "401",
    });
    await careless.close();
    await careful.close();
  });

  test.each([
    [false, "fail", "200"],
    [true, "pass", expect.stringMatching(/^no connection/)],
  ])(
    "401-strange-certificate: any certificate at all, unless it checks (%s)",
    async (rejectUnauthorized, verdict, seen) => {
      const now = Date.now();
      const validity = { notBefore: now - 60_000, notAfter: now + 60_000 };
      const authority = await createAuthority("CN=Partner", validity);
      const issue = (use: "client" | "server") =>
        issueCertificate(authority, { subject: `CN=${use}`, use, addresses: ["127.0.0.1"], ...validity });
      const [own, client] = [await issue("server"), await issue("client")];
      const ca = authority.certificate;
      const server = createServer(
        { cert: own.certificate, key: own.key, ca, requestCert: true, rejectUnauthorized },
        (_, response) => response.end("{}"),
      );
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const tls = { ca, cert: client.certificate, key: client.key };
      const wallet = new Wallet({
        baseUrl: new URL(url),
        credentials: { tls },
        version: "2026-07-01",
        versionHeader: contractBrand.versionHeader,
        clock: () => now,
        wait: async () => {},
      });
      const rule = rulesOf(contractBrand.versionHeader, () => now).filter(
        ({ id }) => id === "401-strange-certificate",
      );
      const findings = await checkPass(rule, { wallet, plan: { reference: REFERENCES.current, burst: 0 } });
      expect(findings).toMatchObject([{ verdict, seen }]);
      server.close();
    },
  );
});
