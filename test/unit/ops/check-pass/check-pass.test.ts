import { once } from "node:events";
import { createServer as createTcpServer, type Socket } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import { describe, expect, test } from "vitest";
import { checkPass, passRules } from "../../../../ops/check-pass/check-pass.ts";
import { hasPass } from "../../../../ops/check-pass/pass-content.ts";
import { reachServer } from "../../../../ops/check-pass/reach-server.ts";
import { runShell } from "../../../../ops/check-pass/run-shell.ts";
import type { Plan } from "../../../../ops/check-pass/subject.ts";
import type { Finding, Verdict } from "../../../../ops/checks/rule.ts";
import type { Wallet, WalletOptions } from "../../../../ops/wallet/wallet.ts";
import { NOW } from "../../../support/chain.ts";
import { listenOnLoopback } from "../../../support/listen-on-loopback.ts";
import {
  idsOf,
  type PassAnswer,
  REFERENCES,
  rulesNamed,
  startPassServer,
  startSockets,
  TOKENS,
  type Traits,
  walletFor,
} from "../../../support/pass-server.ts";
import { presentCertificates } from "../../../support/secure-server.ts";
import {
  breachOf,
  onStatus,
  open,
  renamingTags,
  when,
  without,
  wrongKinds,
} from "../../../support/wrong-pass-servers.ts";

const { now, tls, startServer: startSecure } = await presentCertificates();

/** More requests than a check makes before its burst. */
const ALLOWANCE = 150;
/** The requests that are left when the burst begins: more than go out at once, and few, as each costs a connection. */
const BURST_ALLOWANCE = 20;

/** Checks by one rule, with the smallest plan unless another is given. */
async function judge(id: string, wallet: Wallet, plan: Partial<Plan> = {}): Promise<Finding | undefined> {
  const whole = { reference: REFERENCES.current, burst: 0, ...plan };
  return (await checkPass(rulesNamed(id), { wallet, plan: whole }))[0];
}

/** Checks a server, strictly unless told otherwise, with every option of a check except certificates and keys. */
async function check(breach: Traits = {}, ids?: readonly string[], isStrict = true): Promise<Finding[]> {
  const chosen = ids === undefined ? passRules : rulesNamed(...ids);
  const lastBeforeBurst = chosen.findLast(({ isBurst }) => isBurst !== true);
  const server = await startPassServer(breach, lastBeforeBurst === undefined ? BURST_ALLOWANCE : ALLOWANCE);
  const { state } = server;
  const wait = async (): Promise<void> => {
    state.allowance = ALLOWANCE;
  };
  const plan = {
    reference: REFERENCES.current,
    goneReference: REFERENCES.gone,
    noScopeToken: TOKENS.noScope,
    change: async () => {
      state.version += 1;
    },
    burst: 2 * BURST_ALLOWANCE,
    isStrict,
  };
  return checkPass(chosen, { wallet: walletFor(server.url, { wait }), plan }, ({ id }) => {
    if (id === lastBeforeBurst?.id) state.allowance = BURST_ALLOWANCE;
  });
}

test("every rule has a name of its own", () => {
  expect(new Set(passRules.map(({ id }) => id)).size).toBe(passRules.length);
});

describe("a rule says where it comes from: the contract, or an RFC", () => {
  const ofRfcs = "etag-form 304-content-length 304-etag 304-list 304-any 304-weak".split(" ");

  test("those of RFCs are these", () => {
    expect(passRules.filter(({ level }) => level !== undefined).map(({ id }) => id)).toEqual(ofRfcs);
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
const followers: Readonly<Record<string, string>> = {
  "304-same-tag": "304-gzip",
  "401-no-token": "request-id-401",
  "404-unknown": "request-id-404",
  "410-gone": "request-id-410",
  "403-no-scope": "request-id-403",
};

describe("a server is found out that", () => {
  test.each(Object.entries(wrongKinds))("%s", async (_, { finds, traits }) => {
    expect(idsOf(await check(traits()), "fail").sort()).toEqual([...finds].sort());
  });

  test.each(Object.entries(breachOf))("breaks %s", async (id, breach) => {
    const findings = await check(breach());
    expect(idsOf(findings, "fail")).toEqual([id]);
    expect(idsOf(findings, "not checked")).toEqual(expect.arrayContaining([followers[id] ?? []].flat()));
  });
});

/** What a server differs in, the rule that judges it, the verdict, and a part of what is seen. */
type Row = [what: string, rule: string, traits: Traits, verdict: Verdict, seen?: string];

const bodyIs = (body: string): Traits => ({ ...onStatus(200, () => ({ body })), encoding: "latin1" });

const ownPass = (body: string, verdict: Verdict, seen: string): Row => [
  `a pass ${body.slice(0, 60)}`,
  "own-pass",
  bodyIs(body),
  verdict,
  seen,
];

const typed = (type: string | undefined, verdict: Verdict): Row => [
  `the type ${type}`,
  "json-type",
  onStatus(200, (answer) => ({
    headers: { ...without("content-type", answer), ...(type !== undefined && { "content-type": type }) },
  })),
  verdict,
];

const told = (what: string, headers: Record<string, string>, verdict: Verdict, seen = ""): Row => [
  `a Retry-After of ${what}`,
  "retry-after",
  onStatus(429, (answer) => ({ headers: { ...answer.headers, ...headers } })),
  verdict,
  seen,
];

const told503 = (what: string, headers: Record<string, string>, verdict: Verdict, seen: string): Row => [
  `a 503 that ${what}`,
  "retry-after",
  onStatus(429, () => ({ status: 503, headers })),
  verdict,
  seen,
];

const dateText = (aheadMs: number): string => new Date(NOW + aheadMs).toUTCString();
const hints = "HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n";
const chunked = onStatus(304, ({ headers }) => ({ headers: { ...headers, "transfer-encoding": "chunked" } }));
const nested = (inner: string) => `${"[".repeat(60_000)}${inner}${"]".repeat(60_000)}`;

const rows: readonly Row[] = [
  ["a 304 with a body in a write of its own", "304-no-body", { tail: "{}", isTailLate: true }, "fail"],
  [
    "a 304 with a body in chunks",
    "304-no-body",
    { ...chunked, tail: "2\r\n{}\r\n0\r\n\r\n", isTailLate: true },
    "fail",
  ],
  ["early hints before a 304, which are not its body", "304-no-body", { early: hints }, "pass"],
  ["early hints before a 304, which is read", "304-same-tag", { early: hints }, "pass"],
  ownPass('{"partner_reference":"ref-1","a":{"partner_reference":"x"}}', "pass", "the reference of the path"),
  ownPass('{"partner_reference":"somebody-else"}', "fail", '"somebody-else"'),
  ownPass('{"partner_reference":"ref:ref-1"}', "fail", '"ref:ref-1"'),
  ownPass('{"partner_reference":"REF-1"}', "fail", '"REF-1"'),
  ownPass('{"partner_reference":"ref-1 "}', "fail", '"ref-1 "'),
  ownPass('{"partner_reference":null}', "fail", "null"),
  ownPass('{"partner_reference":["ref-1"]}', "fail", '["ref-1"]'),
  ownPass(`{"partner_reference":${nested("")}}`, "fail", "a value of too many levels"),
  ownPass('{"x":1}', "not checked", "no partner_reference in the pass"),
  ownPass("[]", "not checked", "no JSON object in the 200"),
  typed("application/json", "pass"),
  typed("Application/JSON; charset=utf-8", "pass"),
  typed("application/vnd.partner.pass+json", "pass"),
  typed("application/problem+json ;v=1", "pass"),
  typed("text/html", "fail"),
  typed("text/html; charset=application/json", "fail"),
  typed("text/plain; charset=utf-8", "fail"),
  typed("application/octet-stream", "fail"),
  typed("application/jsonp", "fail"),
  typed("application/json, text/html", "fail"),
  typed("", "fail"),
  typed(undefined, "fail"),
  [
    "a tag that compression renames and recognises",
    "304-gzip",
    {
      ...renamingTags,
      isNamed: (header, tag) => header === "*" || (header ?? "").replaceAll("-gzip", "").includes(tag),
    },
    "pass",
  ],
  ["a tag that compression renames", "304-gzip", renamingTags, "fail", "200"],
  ["a tag that is new each time", "304-gzip", { tagOf: () => `"${Math.random()}"` }, "not checked"],
  [
    "a member of semantics with any name",
    "no-template-id",
    onStatus(200, ({ body }) => ({ body: body.replace("{", '{"semantics":{"template_id":"t"},') })),
    "pass",
  ],
  [
    "a body longer than a pass",
    "pass-200",
    bodyIs(`{"a":"${"x".repeat(1_100_000)}"}`),
    "fail",
    "more than 1048576 bytes",
  ],
  ["a body that is not UTF-8", "pass-200", bodyIs('{"a":"\u0080"}'), "fail", "not UTF-8"],
  ["a mark of UTF-8", "pass-200", bodyIs('\u00ef\u00bb\u00bf{"a":1}'), "fail", "byte order mark (EF BB BF)"],
  ["UTF-16", "pass-200", bodyIs("\u00ff\u00fe{\u0000}\u0000"), "fail", "byte order mark (FF FE)"],
  ["UTF-16, big-endian", "pass-200", bodyIs("\u00fe\u00ff\u0000{\u0000}"), "fail", "byte order mark (FE FF)"],
  [
    "a body that is coded, unasked",
    "pass-200",
    onStatus(200, () => ({ headers: { etag: '"a"', "content-encoding": "gzip" } })),
    "fail",
    "gzip, unasked",
  ],
  told("a date", { "retry-after": dateText(5_000) }, "pass", dateText(5_000)),
  told("a date that has passed", { "retry-after": dateText(-5_000) }, "fail"),
  told("no time at all", { "retry-after": "0" }, "fail"),
  told("many minutes, with a remark", { "retry-after": "30000" }, "pass", "minutes: is it in milliseconds?"),
  told503(
    "says nothing, which HTTP allows",
    {},
    "not checked",
    "a 503 without Retry-After, which HTTP allows",
  ),
  told503("says when", { "retry-after": "1" }, "pass", "503, Retry-After: 1"),
  told503(
    "says nothing of use",
    { "retry-after": "soon" },
    "fail",
    "503, Retry-After: soon (neither whole seconds nor a date of HTTP)",
  ),
];

test.each<Row>(rows)("%s is judged by %s", async (_, id, traits, verdict, seen = "") => {
  const [finding] = await check(traits, [id]);
  expect(finding).toMatchObject({ verdict, seen: expect.stringContaining(seen) });
  // Minutes are remarked on where they are many.
  expect(finding?.seen.includes("minutes")).toBe(seen.includes("minutes"));
});

test.each([
  ["", "pass", "0 bytes"],
  ["{}", "fail", "4 bytes"],
])("the bytes after a 304 are counted on a connection that is kept: %j", async (stray, verdict, seen) => {
  const url = await startSockets((socket, text) => {
    const rest = /if-none-match/i.test(text)
      ? `304 X\r\netag: "a"\r\n\r\n${stray}`
      : '200 X\r\netag: "a"\r\ncontent-length: 2\r\n\r\n{}';
    socket.write(`HTTP/1.1 ${rest}`);
    if (/connection: close/i.test(text)) socket.end();
  });
  expect(await judge("304-no-body", walletFor(url))).toMatchObject({ verdict, seen });
});

test("an endless body is cut off, and its connection closed", async () => {
  let sent = 0;
  const closed = Promise.withResolvers<void>();
  const chunk = "x".repeat(65_536);
  const url = await startSockets((socket) => {
    const pour = (): void => {
      while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
      sent += chunk.length;
    };
    socket.on("close", () => closed.resolve());
    socket.on("drain", pour);
    socket.write("HTTP/1.1 200 X\r\nconnection: close\r\n\r\n");
    pour();
  });
  const seen = expect.stringContaining("more than 1048576 bytes");
  expect(await judge("pass-200", walletFor(url))).toMatchObject({ verdict: "fail", seen });
  await closed.promise;
  expect(sent).toBeLessThan(64 * 1_048_576);
});

test("a pass is recognised in a refusal however deep its members are", () => {
  const pass = (inner: string) => `{"partner_reference":"ref-1","a":${nested(inner)}}`;
  const refusal = (inner: string) => `{"code":"x","a":${nested(inner)},"partner_reference":"ref-1"}`;
  expect([hasPass(refusal("1"), pass("1")), hasPass(refusal("2"), pass("1"))]).toEqual([true, false]);
});

describe("a tag lasts as long as its pass, which the body decides", () => {
  const SECOND = 1_000;
  const DAY = 86_400_000;
  const every = (ms: number) => (passedMs: number) => `"${Math.floor(passedMs / ms)}"`;
  const LOST = "200, the same body and another ETag, again and again";

  type TagOf = (passedMs: number, requests: number) => string;

  /** The tag follows from the time since the start, and from the number of requests before. */
  test.each<[string, TagOf, Verdict, string, ((passedMs: () => number) => Traits)?]>([
    ["the time in 0.3 s", every(300), "fail", LOST],
    ["the time in 0.7 s", every(700), "fail", LOST],
    ["the time in seconds", every(SECOND), "fail", LOST],
    ["the time in 2 s", every(2 * SECOND), "fail", LOST],
    ["a counter", (_, requests) => `"${requests}"`, "fail", LOST],
    ["a random number", () => `"${Math.random()}"`, "fail", LOST],
    ["the replica that answers", (_, requests) => `"${requests % 2}"`, "fail", LOST],
    ["what stays", () => '"a"', "pass", "304"],
    ["the day", every(DAY), "pass", "304"],
    [
      "the day, and midnight comes",
      (ms) => `"${Math.floor((ms + DAY - SECOND) / DAY)}"`,
      "pass",
      "another ETag once, and then the same",
    ],
    [
      "the body, which changes in the middle of the check",
      (ms) => `"${ms < SECOND ? 1 : 2}"`,
      "pass",
      "304",
      (ms) => ({ passOf: (reference) => JSON.stringify({ reference, at: ms() < SECOND ? 1 : 2 }) }),
    ],
    [
      "a counter, whose earlier values are recognised",
      (_, requests) => `"${requests}"`,
      "pass",
      "304",
      () => ({ isNamed: (header) => /^"\d+"$/.test(header ?? "") }),
    ],
    [
      "the body, which changes all the time",
      every(1),
      "not checked",
      "the pass changed meanwhile, each time",
      (ms) => ({ passOf: () => `{"at":${ms()}}` }),
    ],
  ])("a tag made of %s", async (_, tagOf, verdict, seen, traits = () => ({})) => {
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
    const finding = await judge("etag-stable", walletFor(server.url, { clock: () => NOW + passedMs, wait }));
    expect(finding).toMatchObject({ verdict, seen });
    if (verdict === "fail") expect(finding?.curl).toMatch(/^curl .*; curl /);
  });
});

describe("a server that gives nothing to judge", () => {
  /** The waits of a client that is refused each time. */
  async function waiting(status: number, headers: Record<string, string>, more: Partial<WalletOptions> = {}) {
    const waits: number[] = [];
    const server = await startPassServer({ change: () => ({ status, headers, body: "" }) });
    return { waits, wallet: walletFor(server.url, { wait: async (ms) => void waits.push(ms), ...more }) };
  }
  /** A client of a server that accepts connections and sends nothing. */
  const hushed = async (more: Partial<WalletOptions> = {}) =>
    walletFor(await startSockets(() => {}), { timeoutMs: 30, ...more });
  const plan = { reference: REFERENCES.current, burst: 0 };

  test("is waited for within the budget, and then only its refusals are judged", async () => {
    const { waits, wallet } = await waiting(503, { "retry-after": "30" }, { waitBudgetMs: 120_000 });
    const findings = await checkPass(passRules, { wallet, plan });
    expect(waits).toEqual([30_000, 30_000, 30_000, 30_000]);
    expect(findings[0]).toMatchObject({ verdict: "not checked", seen: "the server kept answering 503" });
    expect([idsOf(findings, "pass"), idsOf(findings, "fail")]).toEqual([["retry-after"], ["request-id-503"]]);
  });

  test("is not asked again at once where it does not say for how long", async () => {
    const { waits, wallet } = await waiting(429, {});
    const seen = "the server kept answering 429";
    expect(await judge("pass-200", wallet)).toMatchObject({ verdict: "not checked", seen });
    expect(waits).toEqual([5_000, 5_000, 5_000]);
  });

  test.each([
    [45_000, 100_000, "pass"],
    [45_000, 45_000, "pass"],
    [45_000, 44_999, "not checked"],
  ])("is waited for as long as it says: %d ms within %d", async (waitMs, waitBudgetMs, verdict) => {
    const refuse = () => ({ status: 429, headers: { "retry-after": String(waitMs / 1_000) }, body: "" });
    const { url, state } = await startPassServer({ refuse }, 0);
    // Refilled twice, because the refused request has taken a token too.
    const wait = async (ms: number): Promise<void> => {
      state.allowance += ms >= waitMs ? 2 : 0;
    };
    expect(await judge("pass-200", walletFor(url, { waitBudgetMs, wait }))).toMatchObject({ verdict });
  });

  test("is not asked again once its silence has used up the budget", async () => {
    const findings = await checkPass(passRules, { wallet: await hushed({ waitBudgetMs: 60 }), plan });
    expect(findings.filter(({ seen }) => seen === "no answer (silent for 0.03 s)")).toHaveLength(2);
    expect(findings[2]).toMatchObject({ verdict: "not checked", seen: "the server kept silent" });
  });

  test("is named in one line when it is silent or not there, and fails a rule when it breaks off later", async () => {
    const quick = await hushed();
    const silent = `${quick.urlOf("r").origin} does not answer (silent for 0.03 s)`;
    await expect(reachServer(quick, "r")).rejects.toThrow(silent);
    const server = await startPassServer();
    await server.close();
    await expect(reachServer(walletFor(server.url), "r")).rejects.toThrow("ECONNREFUSED");
    const seen = "no answer (ECONNREFUSED)";
    expect(await judge("pass-200", walletFor(server.url))).toMatchObject({ verdict: "fail", seen });
  });

  test("is named in one line when its certificate is not trusted", async () => {
    const url = await startSecure({ requestCert: false }, (_, response) => response.end("{}"));
    await expect(reachServer(walletFor(url), "r")).rejects.toThrow(/not trusted .* with --ca/);
    const trusting = walletFor(url, { credentials: { tls: { ca: tls.ca } } });
    await expect(reachServer(trusting, "r")).resolves.toBeUndefined();
  });
});

test("without a 200 for the reference, the rules that depend on it are not checked", async () => {
  const ids = passRules.map(({ id }) => id).filter((id) => /^(?:4(?:00|04|10)|burst|retry)/.test(id));
  const findings = await check({ change: (answer) => ({ ...answer, status: 401 }) }, ids);
  expect(findings).toHaveLength(13);
  expect(new Set(findings.map(({ verdict, seen }) => `${verdict}: ${seen}`))).toEqual(
    new Set(["not checked: no 200 for the reference"]),
  );
});

describe("the burst", () => {
  test("is sent once, for all its rules", async () => {
    let last = 0;
    const change: Traits["change"] = (answer, _, { requests }) => {
      last = requests.length;
      return answer;
    };
    const findings = await check({ change }, ["burst-statuses", "retry-after"]);
    expect(idsOf(findings, "pass")).toEqual(["burst-statuses", "retry-after"]);
    // One request shows that the reference is answered. At the limit, only the requests under way go on.
    expect(last).toBeLessThanOrEqual(1 + ALLOWANCE + 16);
  });

  test("is not needed to find a malformed Retry-After, wherever the server refuses", async () => {
    const change: Traits["change"] = (answer, _, { requests }) =>
      requests.length % 2 === 0 ? { status: 429, headers: { "retry-after": "0.5" }, body: "" } : answer;
    const wallet = walletFor((await startPassServer({ change })).url);
    const plan = { reference: REFERENCES.current, burst: 0 };
    const finding = (await checkPass(passRules, { wallet, plan })).find(({ id }) => id === "retry-after");
    expect(finding).toMatchObject({ verdict: "fail", seen: "429, Retry-After: 0.5 (a fraction)" });
    expect(finding?.curl).toMatch(/^curl /);
  });

  test("judges a date by when its answer came, however long the others take", async () => {
    let now = NOW;
    let asked = 0;
    const held: Socket[] = [];
    const whole = 'HTTP/1.1 200 X\r\netag: "a"\r\ncontent-length: 2\r\n\r\n{}';
    const url = await startSockets((socket) => {
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
    const wallet = walletFor(url, { clock: () => now });
    expect(await judge("retry-after", wallet, { burst: 16 })).toMatchObject({ verdict: "pass" });
    expect([now, asked]).toEqual([NOW + 3_600_000, 17]);
  });

  test.each([
    [["2", "7", "3"], 7_000],
    [["0"], 1_000],
  ])("is followed by the longest wait that was named, and a second at least: %j", async (named, waitMs) => {
    let refused = 0;
    const refuse = (): PassAnswer => {
      const retryAfter = named[Math.min(refused, named.length - 1)] ?? "";
      refused += 1;
      return { status: 429, headers: { "retry-after": retryAfter }, body: "" };
    };
    const { url, state } = await startPassServer({ refuse }, 1);
    const waits: number[] = [];
    const wait = async (ms: number): Promise<void> => {
      waits.push(ms);
      state.allowance = 1;
    };
    const finding = await judge("retry-after-kept", walletFor(url, { wait }), { burst: 16 });
    expect([finding?.verdict, waits]).toEqual(["pass", [waitMs]]);
  });

  test("does not take a transient 503 for the limit", async () => {
    const change: Traits["change"] = (answer, _, { requests }) =>
      requests.length === 5 ? { status: 503, headers: {}, body: "" } : answer;
    expect(await check({ change }, ["burst-statuses", "retry-after", "retry-after-kept"])).toMatchObject([
      { verdict: "pass", seen: "200, 429, 503" },
      { verdict: "pass", seen: "429, Retry-After: 1" },
      { verdict: "pass", seen: "200" },
    ]);
  });
});

test.each([
  ["exit 1", 10_000, "the command ended with 1"],
  ["true", 10_000, "the command changed nothing"],
  ["sleep 600; true", 50, "the command took longer than 0.05 s"],
])(
  "a command that does not change the pass leaves its rule unchecked: %s",
  async (command, timeoutMs, seen) => {
    const { url } = await startPassServer();
    const plan = { change: () => runShell(command, timeoutMs) };
    expect(await judge("200-after-change", walletFor(url), plan)).toMatchObject({
      verdict: "not checked",
      seen,
    });
  },
);

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
  /** The algorithm that a signature's header names. */
  const algorithmOf = (jws = ""): unknown =>
    jws === "" ? undefined : JSON.parse(Buffer.from(jws.split(".")[0] ?? "", "base64url").toString()).alg;

  test.each([
    ["401-bad-jws", "ES256"],
    ["401-strange-jws", "EdDSA"],
  ])("%s: any signature with the algorithm %s", async (id, alg) => {
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    const signingKey = { ...(await exportJWK(privateKey)), kid: "k", alg: "ES256" };
    const careless = when((headers) => algorithmOf(headers["jws-signature"]) === alg, open);
    for (const [traits, verdict, seen] of [
      [careless, "fail", "200"],
      [{}, "pass", "401"],
    ] as const) {
      const { url } = await startPassServer(traits);
      const wallet = walletFor(url, { credentials: { signingKey, tls: {} } });
      expect(await judge(id, wallet)).toMatchObject({ verdict, seen });
    }
  });

  const SAME_NAMES = expect.stringMatching(/^200 to a certificate with the same names/);

  /** The wallet shows a certificate that the server trusts. */
  test.each([
    ["401-strange-certificate", 200, false, "fail", SAME_NAMES],
    ["401-strange-certificate", 200, true, "pass", expect.stringMatching(/^no connection/)],
    ["401-no-token", 403, false, "fail", "403"],
    ["401-bad-token", 403, false, "fail", "403"],
    ["401-bad-token", 401, false, "pass", "401"],
    ["401-no-credentials", 403, false, "pass", "403"],
    ["401-strange-certificate", 403, false, "pass", "403"],
  ])(
    "%s: a %d of a server that verifies certificates: %s (a 403 is a refusal only where no trusted one was shown)",
    async (id, status, rejectUnauthorized, verdict, seen) => {
      const options = { requestCert: true, rejectUnauthorized };
      const url = await startSecure(options, (_, response) => response.writeHead(status).end("{}"));
      const wallet = walletFor(url, { credentials: { token: TOKENS.good, tls }, clock: () => now });
      expect(await judge(id, wallet)).toMatchObject({ verdict, seen });
    },
  );
});
