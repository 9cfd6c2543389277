import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer, type ServerOptions } from "node:https";
import { createServer as createTcpServer, type Socket } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import { describe, expect, test } from "vitest";
import { contractBrand } from "../../../../lib/brand.ts";
import { createAuthority, issueCertificate } from "../../../../local/identity/certificates.ts";
import { checkPass, type Finding, rulesOf } from "../../../../ops/check-pass/check-pass.ts";
import { hasPass } from "../../../../ops/check-pass/content-rules.ts";
import { reachServer } from "../../../../ops/check-pass/reach-server.ts";
import { runShell } from "../../../../ops/check-pass/run-shell.ts";
import { Wallet, type WalletOptions } from "../../../../ops/wallet/wallet.ts";
import { NOW } from "../../../support/chain.ts";
import { listenOnLoopback } from "../../../support/listen-on-loopback.ts";
import {
  type PassAnswer,
  REFERENCES,
  startPassServer,
  TOKENS,
  type Traits,
} from "../../../support/pass-server.ts";
import {
  breachOf,
  onStatus,
  open,
  renamingTags,
  when,
  without,
  wrongKinds,
} from "../../../support/wrong-pass-servers.ts";

const clock = () => NOW;
const rules = rulesOf(contractBrand.versionHeader, clock);
/** More requests than a check makes before its burst. */
const ALLOWANCE = 150;
/** The requests that are left when the burst begins: more than go out at once, and few, as each costs a connection. */
const BURST_ALLOWANCE = 20;

/** The smallest plan. */
const plan = { reference: REFERENCES.current, burst: 0 };

const walletFor = (url: string, options: Partial<WalletOptions> = {}): Wallet =>
  new Wallet({
    baseUrl: new URL(url),
    credentials: { token: TOKENS.good, tls: {} },
    version: "2026-07-01",
    versionHeader: contractBrand.versionHeader,
    clock,
    wait: async () => {},
    ...options,
  });

/** A server that accepts connections and sends nothing. */
async function startSilentServer() {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => void sockets.push(socket.on("error", () => {})));
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Checks a server, strictly unless told otherwise, with every option of a check except certificates and keys. */
async function check(breach: Traits = {}, ids?: readonly string[], isStrict = true): Promise<Finding[]> {
  const chosen = ids === undefined ? rules : rules.filter(({ id }) => ids.includes(id));
  const lastBeforeBurst = chosen.findLast(({ isBurst }) => isBurst !== true);
  const server = await startPassServer(breach, lastBeforeBurst === undefined ? BURST_ALLOWANCE : ALLOWANCE);
  const refill = (): void => {
    server.state.allowance = ALLOWANCE;
  };
  const wallet = walletFor(server.url, { wait: async () => refill() });
  const change = async (): Promise<void> => {
    server.state.version += 1;
  };
  const plan = {
    reference: REFERENCES.current,
    goneReference: REFERENCES.gone,
    noScopeToken: TOKENS.noScope,
    change,
    burst: 2 * BURST_ALLOWANCE,
    isStrict,
  };
  const findings = await checkPass(chosen, { wallet, plan }, ({ id }) => {
    if (id === lastBeforeBurst?.id) server.state.allowance = BURST_ALLOWANCE;
  });
  await server.close();
  return findings;
}

const idsOf = (findings: readonly Finding[], verdict: string): string[] =>
  findings.filter((finding) => finding.verdict === verdict).map(({ id }) => id);

test("a server that keeps the contract passes every rule that can be checked with the credentials", async () => {
  const findings = await check();
  expect(idsOf(findings, "fail")).toEqual([]);
  expect(
    findings.filter(({ verdict }) => verdict === "not checked").map(({ id, seen }) => [id, seen]),
  ).toEqual([
    ["401-bad-jws", "needs --jws-key"],
    ["401-strange-jws", "needs --jws-key"],
    ["401-unsigned-jws", "needs --jws-key"],
    ["401-brought-jws", "needs --jws-key"],
    ["401-confused-jws", "needs --jws-key"],
    ["401-strange-certificate", "needs --cert and --key"],
    ["request-id-503", "no 503 was met"],
  ]);
});

test("every rule has a name of its own", () => {
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
});

describe("a rule says where it comes from", () => {
  const ofRfcs = [
    "json-type",
    "etag-form",
    "304-content-length",
    "304-etag",
    "304-list",
    "304-any",
    "304-weak",
  ];

  test("the contract, or an RFC", () => {
    expect(rules.filter(({ level }) => level === "RFC").map(({ id }) => id)).toEqual(ofRfcs);
    expect(rules.filter(({ level }) => level === "contract")).toHaveLength(rules.length - ofRfcs.length);
  });

  test.each(ofRfcs)("%s is of an RFC: its breach is a warning, and only a strict check fails", async (id) => {
    expect(await check(breachOf[id]?.(), [id], false)).toMatchObject([{ id, level: "RFC", verdict: "warn" }]);
    expect(await check(breachOf[id]?.(), [id])).toMatchObject([{ id, level: "RFC", verdict: "fail" }]);
  });

  test("a server that knows only its own tag, and says no more on a 304 than the contract asks, fails nothing", async () => {
    const plainest: Traits = {
      ...onStatus(304, (answer) => ({ headers: without("etag", answer) })),
      isNamed: (header, tag) => header === tag,
    };
    const findings = await check(plainest, undefined, false);
    expect(idsOf(findings, "fail")).toEqual([]);
    expect(idsOf(findings, "warn")).toEqual(["304-etag", "304-list", "304-any", "304-weak"]);
  });
});

/** Other rules that are broken as well, or cannot be observed, when a server breaks this one. */
const followers: Readonly<Record<string, readonly string[]>> = {
  "304-same-tag": ["304-gzip"],
  "401-no-token": ["request-id-401"],
  "404-unknown": ["request-id-404"],
  "410-gone": ["request-id-410"],
  "403-no-scope": ["request-id-403"],
};

describe("a server is found out that", () => {
  test.each(Object.entries(wrongKinds))("%s", async (_, { finds, traits }) => {
    expect(idsOf(await check(traits()), "fail").sort()).toEqual([...finds].sort());
  });
});

describe("a server is found out that breaks", () => {
  test("each of the rules: there is one for every rule that a token is enough for", () => {
    expect(Object.keys(breachOf).sort()).toEqual(
      rules
        .map(({ id }) => id)
        .filter((id) => !id.endsWith("-jws") && id !== "401-strange-certificate")
        .sort(),
    );
  });

  test.each(Object.entries(breachOf))("%s", async (id, breach) => {
    const findings = await check(breach());
    expect(idsOf(findings, "fail")).toEqual([id]);
    const unseen = idsOf(findings, "not checked");
    for (const follower of followers[id] ?? []) expect(unseen).toContain(follower);
  });
});

test("a 304 may name the type of the 200", async () => {
  const named = onStatus(304, ({ headers }) => ({
    headers: { ...headers, "content-type": "application/json" },
  }));
  expect(idsOf(await check(named), "fail")).toEqual([]);
});

describe("a 304 with a body is found out, however the body comes", () => {
  test.each<[string, Traits]>([
    ["in a write of its own", { tail: "{}", isTailLate: true }],
    [
      "in chunks",
      {
        ...onStatus(304, ({ headers }) => ({ headers: { ...headers, "transfer-encoding": "chunked" } })),
        tail: "2\r\n{}\r\n0\r\n\r\n",
        isTailLate: true,
      },
    ],
  ])("%s", async (_, breach) => {
    expect(idsOf(await check(breach, ["304-no-body"]), "fail")).toEqual(["304-no-body"]);
  });

  test("early hints before it are not taken for one", async () => {
    const early = "HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n";
    const findings = await check({ early }, ["304-no-body", "304-same-tag"]);
    expect(idsOf(findings, "pass")).toEqual(["304-same-tag", "304-no-body"]);
  });

  test("on a connection that is kept, before the next answer", async () => {
    const noBody = rules.filter(({ id }) => id === "304-no-body");
    for (const [stray, verdict] of [
      ["", "pass"],
      ["{}", "fail"],
    ] as const) {
      const server = createTcpServer((socket) => {
        socket.on("error", () => {});
        socket.on("data", (chunk) => {
          const isConditional = /if-none-match/i.test(chunk.toString());
          const rest = isConditional
            ? `304 X\r\netag: "a"\r\n\r\n${stray}`
            : '200 X\r\netag: "a"\r\ncontent-length: 2\r\n\r\n{}';
          socket.write(`HTTP/1.1 ${rest}`);
          if (/connection: close/i.test(chunk.toString())) socket.end();
        });
      });
      const wallet = walletFor(`http://127.0.0.1:${await listenOnLoopback(server)}`);
      const findings = await checkPass(noBody, { wallet, plan });
      expect(findings).toMatchObject([{ verdict, seen: stray === "" ? "0 bytes" : "4 bytes" }]);
      server.close();
    }
  });
});

describe("what a pass is judged by", () => {
  const bodyIs = (text: string): Traits => onStatus(200, () => ({ body: text }));

  test.each([
    ['{"partner_reference":"ref-1","a":{"partner_reference":"x"}}', "pass", "the reference of the path"],
    ['{"partner_reference":"somebody-else"}', "fail", '"somebody-else"'],
    ['{"partner_reference":"ref:ref-1"}', "fail", '"ref:ref-1"'],
    ['{"partner_reference":"REF-1"}', "fail", '"REF-1"'],
    ['{"partner_reference":"ref-1 "}', "fail", '"ref-1 "'],
    ['{"partner_reference":null}', "fail", "null"],
    ['{"partner_reference":["ref-1"]}', "fail", '["ref-1"]'],
    [
      `{"partner_reference":${"[".repeat(60_000)}${"]".repeat(60_000)}}`,
      "fail",
      "a value of too many levels",
    ],
    ['{"x":1}', "not checked", "no partner_reference in the pass"],
    ["[]", "not checked", "no JSON object in the 200"],
  ])("its reference is the one that was asked for: %.60s", async (body, verdict, seen) => {
    expect(await check(bodyIs(body), ["own-pass"])).toMatchObject([{ verdict, seen }]);
  });

  test.each([
    ["application/json", "pass"],
    ["Application/JSON; charset=utf-8", "pass"],
    ["application/vnd.partner.pass+json", "pass"],
    ["application/problem+json ;v=1", "pass"],
    ["text/html", "fail"],
    ["text/html; charset=application/json", "fail"],
    ["text/plain; charset=utf-8", "fail"],
    ["application/octet-stream", "fail"],
    ["application/jsonp", "fail"],
    ["application/json, text/html", "fail"],
    ["", "fail"],
    [undefined, "fail"],
  ])("its type says that it is JSON: %s", async (type, verdict) => {
    const breach = onStatus(200, (answer) => ({
      headers: {
        ...without("content-type", answer),
        ...(type !== undefined && { "content-type": type }),
      },
    }));
    expect(await check(breach, ["json-type"])).toMatchObject([{ verdict }]);
  });

  test("a tag that compression renames and recognises is answered with 304", async () => {
    const known: Traits = {
      ...renamingTags,
      isNamed: (header, tag) => header === "*" || (header ?? "").replaceAll("-gzip", "").includes(tag),
    };
    expect(await check(known, ["304-gzip"])).toMatchObject([{ verdict: "pass" }]);
    expect(await check(renamingTags, ["304-gzip"])).toMatchObject([{ verdict: "fail", seen: "200" }]);
  });

  test("a tag that is new each time leaves the rule about compression unchecked", async () => {
    const changing: Traits = { tagOf: () => `"${Math.random()}"` };
    expect(await check(changing, ["304-gzip"])).toMatchObject([{ verdict: "not checked" }]);
  });

  test("a member of semantics may have any name", async () => {
    const breach = onStatus(200, ({ body }) => ({
      body: body.replace("{", '{"semantics":{"template_id":"t"},'),
    }));
    expect(idsOf(await check(breach, ["no-template-id"]), "fail")).toEqual([]);
  });

  test.each<[string, Partial<PassAnswer>, string]>([
    ["is longer than a pass can be", { body: `{"a":"${"x".repeat(1_100_000)}"}` }, "more than 1048576 bytes"],
    ["is not UTF-8", { body: '{"a":"\u0080"}' }, "not UTF-8"],
    ["begins with a byte order mark", { body: '\u00ef\u00bb\u00bf{"a":1}' }, "byte order mark (EF BB BF)"],
    ["is UTF-16", { body: "\u00ff\u00fe{\u0000}\u0000" }, "byte order mark (FF FE)"],
    ["is UTF-16, big-endian", { body: "\u00fe\u00ff\u0000{\u0000}" }, "byte order mark (FE FF)"],
    ["is coded, unasked", { headers: { etag: '"a"', "content-encoding": "gzip" } }, "gzip, unasked"],
  ])("a body that %s is a fault", async (_, answer, seen) => {
    const breach = { ...onStatus(200, () => answer), encoding: "latin1" as const };
    const [finding] = await check(breach, ["pass-200"]);
    expect(finding).toMatchObject({ verdict: "fail", seen: expect.stringContaining(seen) });
  });

  test("an endless body is cut off, and its connection closed", async () => {
    let sent = 0;
    const closed = Promise.withResolvers<void>();
    const server = createTcpServer((socket) => {
      const chunk = "x".repeat(65_536);
      const pour = (): void => {
        while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
        sent += chunk.length;
      };
      socket.on("error", () => {});
      socket.on("close", () => closed.resolve());
      socket.on("drain", pour);
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 X\r\nconnection: close\r\n\r\n");
        pour();
      });
    });
    const wallet = walletFor(`http://127.0.0.1:${await listenOnLoopback(server)}`);
    const [finding] = await checkPass(rules.slice(0, 1), { wallet, plan });
    await closed.promise;
    expect(finding).toMatchObject({
      verdict: "fail",
      seen: expect.stringContaining("more than 1048576 bytes"),
    });
    expect(sent).toBeLessThan(64 * 1_048_576);
    server.close();
  });
});

test("a pass is recognised in a refusal however deep its members are", () => {
  const nested = (inner: string) => `${"[".repeat(60_000)}${inner}${"]".repeat(60_000)}`;
  const pass = (inner: string) => `{"partner_reference":"ref-1","a":${nested(inner)}}`;
  const refusal = (inner: string) => `{"code":"x","a":${nested(inner)},"partner_reference":"ref-1"}`;
  expect([hasPass(refusal("1"), pass("1")), hasPass(refusal("2"), pass("1"))]).toEqual([true, false]);
});

describe("a tag lasts as long as its pass, which the body decides", () => {
  const SECOND = 1_000;
  const DAY = 86_400_000;
  const every = (ms: number) => (passedMs: number) => `"${Math.floor(passedMs / ms)}"`;

  /** The verdict on a server whose tag follows from the time since the start, and from the number of requests before. */
  async function judge(
    tagOf: (passedMs: number, requests: number) => string,
    traits: (passedMs: () => number) => Traits = () => ({}),
  ): Promise<Finding | undefined> {
    let passedMs = 0;
    let requests = 0;
    const server = await startPassServer({
      tagOf: () => tagOf(passedMs, requests),
      ...traits(() => passedMs),
      change: (answer) => {
        passedMs += 50;
        requests += 1;
        return answer;
      },
    });
    const wait = async (ms: number): Promise<void> => {
      passedMs += ms;
    };
    const wallet = walletFor(server.url, { clock: () => NOW + passedMs, wait });
    const rule = rules.filter(({ id }) => id === "etag-stable");
    const [finding] = await checkPass(rule, { wallet, plan });
    await server.close();
    return finding;
  }

  test.each<[string, Parameters<typeof judge>[0]]>([
    ["the time in 0.3 s", every(300)],
    ["the time in 0.7 s", every(700)],
    ["the time in seconds", every(SECOND)],
    ["the time in 2 s", every(2 * SECOND)],
    ["a counter", (_, requests) => `"${requests}"`],
    ["a random number", () => `"${Math.random()}"`],
    ["the replica that answers", (_, requests) => `"${requests % 2}"`],
  ])("a tag made of %s is a breach", async (_, tagOf) => {
    expect(await judge(tagOf)).toMatchObject({
      verdict: "fail",
      seen: "200, the same body and another ETag, again and again",
      curl: expect.stringMatching(/^curl .*; curl /),
    });
  });

  test.each<[string, Parameters<typeof judge>, string]>([
    ["stays", [() => '"a"'], "304"],
    ["changes once a day", [every(DAY)], "304"],
    [
      "changes at midnight, which comes",
      [(ms) => `"${Math.floor((ms + DAY - SECOND) / DAY)}"`],
      "another ETag once, and then the same",
    ],
    [
      "changes with the body, in the middle of the check",
      [
        (ms) => `"${ms < SECOND ? 1 : 2}"`,
        (ms) => ({ passOf: (reference) => JSON.stringify({ reference, at: ms() < SECOND ? 1 : 2 }) }),
      ],
      "304",
    ],
    [
      "is fresh in each answer, while those before it are recognised",
      [(_, requests) => `"${requests}"`, () => ({ isNamed: (header) => /^"\d+"$/.test(header ?? "") })],
      "304",
    ],
  ])("a tag that %s is none", async (_, given, seen) => {
    expect(await judge(...given)).toMatchObject({ verdict: "pass", seen });
  });

  test("a pass that changes all the time is not judged", async () => {
    const changing = (ms: () => number): Traits => ({ passOf: () => `{"at":${ms()}}` });
    expect(await judge(every(1), changing)).toMatchObject({
      verdict: "not checked",
      seen: "the pass changed meanwhile, each time",
    });
  });
});

describe("a server that gives nothing to judge", () => {
  const all503: Traits = {
    change: () => ({ status: 503, headers: { "retry-after": "30" }, body: "" }),
  };

  test("is waited for within the budget, and then only its refusals are judged", async () => {
    const server = await startPassServer(all503);
    const waits: number[] = [];
    const wallet = walletFor(server.url, { wait: async (ms) => void waits.push(ms), waitBudgetMs: 120_000 });
    const findings = await checkPass(rules, { wallet, plan });
    expect(waits).toEqual([30_000, 30_000, 30_000, 30_000]);
    expect(idsOf(findings, "pass")).toEqual(["retry-after"]);
    expect(findings[0]).toMatchObject({ verdict: "not checked", seen: "the server kept answering 503" });
    expect(idsOf(findings, "fail")).toEqual(["request-id-503"]);
    await server.close();
  });

  test.each([
    ["says so by a date that has passed", { "retry-after": new Date(NOW - 5_000).toUTCString() }, 1_000],
    ["asks for no wait", { "retry-after": "0" }, 1_000],
    ["does not say for how long", {}, 5_000],
  ])("is never asked again at once: it %s", async (_, headers, waitMs) => {
    const server = await startPassServer({ change: () => ({ status: 429, headers, body: "" }) });
    const waits: number[] = [];
    const wallet = walletFor(server.url, { wait: async (ms) => void waits.push(ms) });
    const [finding] = await checkPass(rules.slice(0, 1), { wallet, plan });
    expect(finding).toMatchObject({ verdict: "not checked", seen: "the server kept answering 429" });
    expect(waits).toEqual([waitMs, waitMs, waitMs]);
    await server.close();
  });

  test.each([
    [45_000, 100_000, "pass"],
    [45_000, 45_000, "pass"],
    [45_000, 44_999, "not checked"],
  ])("is waited for as long as it says: %d ms within %d", async (waitMs, waitBudgetMs, verdict) => {
    const refuse = () => ({ status: 429, headers: { "retry-after": String(waitMs / 1_000) }, body: "" });
    const server = await startPassServer({ refuse }, 0);
    const wait = async (ms: number): Promise<void> => {
      server.state.allowance += ms >= waitMs ? 1 : 0;
    };
    // Refilled twice, because the refused request has taken a token too.
    const refilling = async (ms: number) => wait(ms).then(() => wait(ms));
    const wallet = walletFor(server.url, { waitBudgetMs, wait: refilling });
    expect(await checkPass(rules.slice(0, 1), { wallet, plan })).toMatchObject([{ verdict }]);
    await server.close();
  });

  test("is not asked again once its silence has used up the budget", async () => {
    await using server = await startSilentServer();
    const wallet = walletFor(server.url, { timeoutMs: 30, waitBudgetMs: 60 });
    const findings = await checkPass(rules, { wallet, plan });
    expect(findings.filter(({ seen }) => seen === "no answer (silent for 0.03 s)")).toHaveLength(2);
    expect(findings[2]).toMatchObject({ verdict: "not checked", seen: "the server kept silent" });
  });

  test("is named in one line when it is silent or not there", async () => {
    await using silent = await startSilentServer();
    const quick = walletFor(silent.url, { timeoutMs: 30 });
    await expect(reachServer(quick, "r")).rejects.toThrow(
      `${silent.url} does not answer (silent for 0.03 s)`,
    );
    const server = await startPassServer();
    await server.close();
    await expect(reachServer(walletFor(server.url), "r")).rejects.toThrow("ECONNREFUSED");
  });

  test("is named in one line when its certificate is not trusted", async () => {
    const now = Date.now();
    const validity = { notBefore: now - 60_000, notAfter: now + 60_000 };
    const authority = await createAuthority("CN=Partner", validity);
    const request = { subject: "CN=server", use: "server", addresses: ["127.0.0.1"], ...validity } as const;
    const own = await issueCertificate(authority, request);
    const server = createServer({ cert: own.certificate, key: own.key }, (_, response) => response.end("{}"));
    const url = `https://127.0.0.1:${await listenOnLoopback(server)}`;
    await expect(reachServer(walletFor(url), "r")).rejects.toThrow(/not trusted .* with --ca/);
    const trusting = walletFor(url, { credentials: { tls: { ca: authority.certificate } } });
    await expect(reachServer(trusting, "r")).resolves.toBeUndefined();
    server.close();
  });

  test("fails the rule when it breaks off in the middle of a check", async () => {
    const server = await startPassServer();
    await server.close();
    const [finding] = await checkPass(rules.slice(0, 1), { wallet: walletFor(server.url), plan });
    expect(finding).toMatchObject({ verdict: "fail", seen: "no answer (ECONNREFUSED)" });
  });
});

test("without a 200 for the reference, the rules that depend on it are not checked", async () => {
  const findings = await check(
    { change: (answer) => ({ ...answer, status: 401 }) },
    rules.map(({ id }) => id).filter((id) => /^(?:4(?:00|04|10)|burst|retry)/.test(id)),
  );
  expect(findings).toHaveLength(13);
  for (const finding of findings)
    expect(finding).toMatchObject({ verdict: "not checked", seen: "no 200 for the reference" });
});

describe("the burst", () => {
  test("is sent once, for all its rules", async () => {
    let asked = 0;
    const count: Traits["change"] = (answer) => {
      asked += 1;
      return answer;
    };
    const findings = await check({ change: count }, ["burst-statuses", "retry-after"]);
    expect(idsOf(findings, "pass")).toEqual(["burst-statuses", "retry-after"]);
    // One request shows that the reference is answered. At the limit, only the requests under way go on.
    expect(asked).toBeLessThanOrEqual(1 + ALLOWANCE + 16);
  });

  const dateText = (aheadMs: number): string => new Date(NOW + aheadMs).toUTCString();

  test.each([
    ["a date", { "retry-after": dateText(5_000) }, "pass", expect.not.stringContaining("minutes")],
    ["a date that has passed", { "retry-after": dateText(-5_000) }, "fail", expect.anything()],
    [
      "a date by the server's own clock",
      { "retry-after": dateText(-5_000), date: dateText(-6_000) },
      "pass",
      expect.anything(),
    ],
    [
      "a date that has passed by the server's own clock",
      { "retry-after": dateText(5_000), date: dateText(5_000) },
      "fail",
      expect.anything(),
    ],
    ["no time at all", { "retry-after": "0" }, "fail", expect.anything()],
    [
      "many minutes, with a remark",
      { "retry-after": "30000" },
      "pass",
      expect.stringContaining("500 minutes: is it in milliseconds?"),
    ],
  ])("judges a Retry-After: %s", async (_, told, verdict, seen) => {
    const breach = onStatus(429, ({ headers }) => ({ headers: { ...headers, ...told } }));
    expect(await check(breach, ["retry-after"])).toMatchObject([{ verdict, seen }]);
  });

  test.each<[string, Record<string, string>, string, string]>([
    ["says nothing, which HTTP allows", {}, "not checked", "a 503 without Retry-After, which HTTP allows"],
    ["says when", { "retry-after": "1" }, "pass", "503, Retry-After: 1"],
    [
      "says nothing of use",
      { "retry-after": "soon" },
      "fail",
      "503, Retry-After: soon (neither whole seconds nor a date of HTTP)",
    ],
  ])("judges a 503 that %s", async (_, headers, verdict, seen) => {
    const breach = onStatus(429, () => ({ status: 503, headers }));
    expect(await check(breach, ["retry-after"])).toMatchObject([{ verdict, seen }]);
  });

  test("a malformed Retry-After is found and named without a burst, wherever the server refuses", async () => {
    let asked = 0;
    const change: Traits["change"] = (answer) => {
      asked += 1;
      return asked % 2 === 0 ? { status: 429, headers: { "retry-after": "0.5" }, body: "" } : answer;
    };
    const server = await startPassServer({ change });
    const findings = await checkPass(rules, { wallet: walletFor(server.url), plan });
    await server.close();
    const finding = findings.find(({ id }) => id === "retry-after");
    expect(finding).toMatchObject({ verdict: "fail", seen: "429, Retry-After: 0.5 (a fraction)" });
    expect(finding?.curl).toMatch(/^curl /);
  });

  test("judges a date by when its answer came, however long the others take", async () => {
    let now = NOW;
    let asked = 0;
    const held: Socket[] = [];
    const server = createTcpServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => {
        asked += 1;
        const until = new Date(now + 5_000).toUTCString();
        if (asked === 1 || now > NOW) socket.end(whole);
        else if (asked > 2) held.push(socket);
        else socket.end(`HTTP/1.1 429 X\r\nretry-after: ${until}\r\ncontent-length: 0\r\n\r\n`);
        // Once the refusal was read, an hour goes by until the rest is answered.
        if (asked === 2)
          socket.on("close", () => {
            now += 3_600_000;
            for (const other of held) other.end(whole);
          });
      });
    });
    const whole = 'HTTP/1.1 200 X\r\netag: "a"\r\ncontent-length: 2\r\n\r\n{}';
    const port = await listenOnLoopback(server);
    const wallet = walletFor(`http://127.0.0.1:${port}`, {
      clock: () => now,
    });
    const rule = rules.filter(({ id }) => id === "retry-after");
    const findings = await checkPass(rule, { wallet, plan: { ...plan, burst: 16 } });
    expect(findings).toMatchObject([{ verdict: "pass" }]);
    expect([now, asked]).toEqual([NOW + 3_600_000, 17]);
    server.close();
  });

  test("asks again after the longest wait that was named, and after a second at least", async () => {
    const waitsAfter = async (told: readonly string[]): Promise<number[]> => {
      let refused = 0;
      const refuse = (): PassAnswer => {
        const retryAfter = told[Math.min(refused, told.length - 1)] ?? "";
        refused += 1;
        return { status: 429, headers: { "retry-after": retryAfter }, body: "" };
      };
      const server = await startPassServer({ refuse }, 1);
      const waits: number[] = [];
      const wait = async (ms: number): Promise<void> => {
        waits.push(ms);
        server.state.allowance = 1;
      };
      const rule = rules.filter(({ id }) => id === "retry-after-kept");
      const wallet = walletFor(server.url, { wait });
      expect(await checkPass(rule, { wallet, plan: { ...plan, burst: 16 } })).toMatchObject([
        { verdict: "pass" },
      ]);
      await server.close();
      return waits;
    };
    expect(await waitsAfter(["2", "7", "3"])).toEqual([7_000]);
    expect(await waitsAfter(["0"])).toEqual([1_000]);
  });

  test("does not take a transient 503 for the limit", async () => {
    let asked = 0;
    const change: Traits["change"] = (answer) => {
      asked += 1;
      return asked === 5 ? { status: 503, headers: {}, body: "" } : answer;
    };
    expect(await check({ change }, ["burst-statuses", "retry-after", "retry-after-kept"])).toMatchObject([
      { verdict: "pass", seen: "200, 429, 503" },
      { verdict: "pass", seen: "429, Retry-After: 1" },
      { verdict: "pass", seen: "200" },
    ]);
  });
});

describe("the command that changes the pass", () => {
  const changing = async (command: string, timeoutMs = 10_000): Promise<Finding | undefined> => {
    const server = await startPassServer();
    const change = () => runShell(command, timeoutMs);
    const rule = rules.filter(({ id }) => id === "200-after-change");
    const [finding] = await checkPass(rule, { wallet: walletFor(server.url), plan: { ...plan, change } });
    await server.close();
    return finding;
  };

  test.each([
    ["exit 1", 10_000, "the command ended with 1"],
    ["true", 10_000, "the command changed nothing"],
    ["sleep 600; true", 50, "the command took longer than 0.05 s"],
  ])("leaves its rule unchecked when it does not: %s", async (command, timeoutMs, seen) => {
    expect(await changing(command, timeoutMs)).toMatchObject({ verdict: "not checked", seen });
  });
});

test("stopping a command stops everything that it started", async () => {
  const stop = new AbortController();
  const server = createTcpServer();
  const port = await listenOnLoopback(server);
  const program = `require("node:net").connect(${port}, "127.0.0.1").resume()`;
  const running = runShell(`'${process.execPath}' -e '${program}'; true`, 60_000, stop.signal);
  const [socket] = (await once(server, "connection")) as [Socket];
  socket.on("error", () => {});
  const closed = once(socket, "close");
  stop.abort();
  await expect(running).rejects.toThrow("ended with a signal");
  await closed;
  server.close();
});

test("secrets of ours that a server sends back are not shown", async () => {
  const breach = when(() => true, { headers: { etag: `${TOKENS.good} x`, "request-id": TOKENS.noScope } });
  const text = JSON.stringify(await check(breach));
  expect(text).toContain("(a token of yours)");
  for (const token of Object.values(TOKENS)) expect(text).not.toContain(token.slice(0, -2));
});

describe("a server is found out that lets in", () => {
  const judge = async (wallet: Wallet, id: string): Promise<Finding | undefined> => {
    const rule = rules.filter((one) => one.id === id);
    return (await checkPass(rule, { wallet, plan: { reference: REFERENCES.current, burst: 0 } }))[0];
  };

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
    expect(await judge(walletFor(careless.url, { credentials: { signingKey, tls: {} } }), id)).toMatchObject({
      verdict: "fail",
      seen: "200",
    });
    expect(await judge(walletFor(careful.url, { credentials: { signingKey, tls: {} } }), id)).toMatchObject({
      verdict: "pass",
      seen: "401",
    });
    await careless.close();
    await careful.close();
  });

  const now = Date.now();
  /** Certificates of one authority, for all tests: a server's and a client's. */
  const issued = (async () => {
    const validity = { notBefore: now - 3_600_000, notAfter: now + 3_600_000 };
    const authority = await createAuthority("CN=Partner", validity);
    const issue = (use: "client" | "server") =>
      issueCertificate(authority, { subject: `CN=${use}`, use, addresses: ["127.0.0.1"], ...validity });
    return { ca: authority.certificate, own: await issue("server"), client: await issue("client") };
  })();

  /** What a rule finds of a server that asks for certificates; the wallet shows one that the server trusts. */
  async function judgeMutualTls(id: string, options: ServerOptions, answer: RequestListener, token?: string) {
    const { ca, own, client } = await issued;
    const server = createServer(
      { cert: own.certificate, key: own.key, ca, requestCert: true, ...options },
      answer,
    );
    const port = await listenOnLoopback(server);
    const tls = { ca, cert: client.certificate, key: client.key };
    const wallet = walletFor(`https://127.0.0.1:${port}`, {
      credentials: { ...(token !== undefined && { token }), tls },
      clock: () => now,
    });
    const rule = rulesOf(contractBrand.versionHeader, () => now).filter((one) => one.id === id);
    const findings = await checkPass(rule, { wallet, plan });
    server.close();
    return findings;
  }

  test.each([
    [false, "fail", expect.stringMatching(/^200 to a certificate with the same names/)],
    [true, "pass", expect.stringMatching(/^no connection/)],
  ])(
    "401-strange-certificate: any certificate at all, unless it checks (%s)",
    async (rejectUnauthorized, verdict, seen) => {
      const findings = await judgeMutualTls(
        "401-strange-certificate",
        { rejectUnauthorized },
        (_, response) => response.end("{}"),
      );
      expect(findings).toMatchObject([{ verdict, seen }]);
    },
  );

  test.each([
    ["401-no-token", 403, "fail"],
    ["401-bad-token", 403, "fail"],
    ["401-bad-token", 401, "pass"],
    ["401-no-credentials", 403, "pass"],
    ["401-strange-certificate", 403, "pass"],
  ])(
    "%s: a %d is a refusal only where no trusted certificate was shown (%s)",
    async (id, status, verdict) => {
      const refuse: RequestListener = (_, response) => response.writeHead(status).end("{}");
      const findings = await judgeMutualTls(id, { rejectUnauthorized: false }, refuse, TOKENS.good);
      expect(findings).toMatchObject([{ verdict, seen: String(status) }]);
    },
  );
});
