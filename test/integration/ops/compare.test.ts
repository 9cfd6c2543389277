import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { createLoopbackCertificate } from "../../../bench/support/loopback-certificate.ts";
import { contractBrand } from "../../../lib/brand.ts";
import { listTrades } from "../../../lib/trades/contract.ts";
import { getTransaction } from "../../../lib/transactions/contract.ts";
import { endpointReferences } from "../../../local/endpoints/endpoints.ts";
import { credentialMembers, credentialsIn } from "../../../ops/compare/credentials.ts";
import type { Sending } from "../../../ops/compare/probe.ts";
import { createReceipt, openReceipt, type Receipt } from "../../../ops/compare/receipt.ts";
import { comparisonOf } from "../../../ops/compare/report.ts";
import { type Outcome, recordSuite, runSuite } from "../../../ops/compare/run-suite.ts";
import { type Seen, sendMessage } from "../../../ops/compare/send-message.ts";
import { type Label, Side } from "../../../ops/compare/side.ts";
import { chooseProbes, suite } from "../../../ops/compare/suite.ts";
import { commonHeaders } from "../../../publish/reference/common-headers.ts";
import { type Alterations, startAlteringProxy } from "../../support/altering-proxy.ts";
import { listenOnLoopback } from "../../support/listen-on-loopback.ts";
import { runOperator } from "../../support/operator.ts";
import { scratchDirectory } from "../../support/scratch.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const never = new AbortController().signal;
const limits = { timeoutMs: 30_000, signal: never };

const brand = { ...contractBrand, basePath: "/api" };
const service = await startTestService("dynalite", brand);
// The other engine, where it is installed.
const other = await startTestService("a store that lags", brand);
other.settle();
afterAll(async () => {
  await service.close();
  await other.close();
});

const sideOf = (label: Label, { demo }: TestService, url = demo.baseUrl): Side =>
  new Side({ label, url: new URL(url), credentials: credentialsIn(demo, "demo.json") });

/** The names of headers in the answers of each endpoint, in lower case. */
const seenHeaders = new Map<string, Set<string>>();

async function sendAndRemember(side: Side, { message, to }: Sending): Promise<Seen> {
  const seen = await sendMessage(to ?? side.destination, message, limits);
  const reference = endpointReferences.find(
    ({ contract }) => "target" in message && message.target.startsWith(`/api${contract.route.split("{")[0]}`),
  );
  if (reference === undefined || seen.kind === "none") return seen;
  const names = seenHeaders.get(reference.contract.name) ?? new Set();
  seenHeaders.set(reference.contract.name, names);
  for (const [name] of seen.fields) names.add(name.toLowerCase());
  return seen;
}

/** Compares two sides without a pause. */
async function compare(
  left: Side | Receipt,
  right: Side | Receipt,
  { only = [], isExact = false }: { readonly only?: readonly string[]; readonly isExact?: boolean } = {},
) {
  const outcomes: Outcome[] = [];
  const parts = {
    probes: chooseProbes(suite, only, false),
    left,
    right,
    send: sendAndRemember,
    pace: async () => {},
    isExact,
    signal: never,
  };
  for await (const outcome of runSuite(parts)) outcomes.push(outcome);
  const addresses = { left: left.title, right: right.title };
  return comparisonOf({ ...addresses, outcomes, ignore: [], isExact, byHand: [] });
}

describe("two services on different engines, one of which lags,", () => {
  test("answer every request alike, and nothing is left out", async () => {
    const { differences, notCompared, compared } = await compare(
      sideOf("left", service),
      sideOf("right", other),
    );
    expect(differences).toEqual([]);
    expect(notCompared).toEqual([]);
    expect(compared).toHaveLength(chooseProbes(suite, [], false).length);
  }, 60_000);

  test.each(
    endpointReferences.map(
      ({ contract: { name }, success }) => [name, Object.keys(success.headers)] as const,
    ),
  )("were asked for every header that the reference of %s names: %j", (name, headers) => {
    const documented = [...headers, ...Object.keys(commonHeaders), "WWW-Authenticate"];
    const seen = seenHeaders.get(name) ?? new Set();
    expect(documented.filter((header) => !seen.has(header.toLowerCase()))).toEqual([]);
  });
});

/** Compares a service with itself behind a proxy that alters something. */
async function compareAltered(alterations: Alterations, only: string[]) {
  const proxy = await startAlteringProxy(service.baseUrl, alterations);
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  const sides = [sideOf("left", service), sideOf("right", service, proxy.url)] as const;
  return (await compare(...sides, { only, isExact: true })).differences;
}

const challenge = 'ApiKey realm="countinghouse"';
const RATE = expect.stringContaining("exchange_rate");
const difference = (aspect: string, left: unknown, right: unknown) => ({ aspect, left, right });

/** What a gateway does to each answer or request, the requests that are sent, how it shows, and in which if not in all. */
type Altered = [string, Alterations, string[], readonly ReturnType<typeof difference>[], string[]?];

describe("a gateway that differs is found out:", () => {
  test("nothing differs behind one that alters nothing", async () => {
    expect(await compareAltered({}, ["path", "get-pass", "list-trades", "header-latin1"])).toEqual([]);
  }, 60_000);

  test.each<Altered>([
    [
      "it renames a header",
      { answer: (text) => text.replace(/^www-authenticate:/m, "x-amzn-remapped-www-authenticate:") },
      ["get-sell-order-invalid-credentials"],
      [
        difference("header www-authenticate", challenge, "absent"),
        difference("header x-amzn-remapped-www-authenticate", "absent", challenge),
      ],
    ],
    [
      "it drops a header",
      { answer: (text) => text.replace(/^ratelimit-policy:.*\r\n/m, "") },
      ["get-pass-not-found", "get-pass-gone"],
      [difference("header ratelimit-policy", expect.stringContaining("passes"), "absent")],
    ],
    [
      "it spells a header in another letter case",
      { answer: (text) => text.replace(/^content-type:/m, "Content-Type:") },
      ["path-unknown"],
      [difference("spelling of content-type", "content-type", "Content-Type")],
    ],
    [
      "it adds a content type of its own to a 304",
      {
        answer: (text) =>
          text.replace(/(?<=^HTTP\/1\.1 304.*)application\/json/s, "text/plain; charset=utf-8"),
      },
      ["get-pass-unchanged", "get-pass"],
      [difference("header content-type", "application/json", "text/plain; charset=utf-8")],
      ["get-pass-unchanged", "get-pass-unchanged-by-tag"],
    ],
    [
      "it answers HEAD as GET",
      { request: (text) => text.replace(/^HEAD /, "GET ") },
      ["get-pass-head"],
      [difference("status", "404", "401")],
    ],
    [
      "it takes an encoded slash for a part of a segment",
      { request: (text) => text.replace("%2F", "-") },
      ["path-slash"],
      [difference("status", '404 {"message":"Not Found"}', "401 invalid_credentials")],
    ],
    [
      "it routes a path with a slash at its end",
      { request: (text) => text.replace(/\/ HTTP/, " HTTP") },
      ["get-pass-trailing-slash"],
      [difference("status", expect.any(String), expect.any(String))],
    ],
    [
      "it changes a status",
      { answer: (text) => text.replace("HTTP/1.1 410 Gone", "HTTP/1.1 404 Not Found") },
      ["get-pass-gone"],
      [difference("status", "410 gone", "404 gone")],
    ],
    [
      "it decodes the query",
      { request: (text) => text.replace("limit=%31", "limit=1") },
      ["query-signed-encoded-digit"],
      [difference("status", "200", "401 invalid_credentials")],
    ],
    [
      "it changes a digit of an amount",
      { answer: (text) => text.replace(/("exchange_rate":\d*)(\d)(\d)\b/, "$1$3$2") },
      ["get-sell-order-letter-case"],
      [difference("body", RATE, RATE)],
    ],
    [
      "it ends the connection without an answer",
      { answer: () => "" },
      ["path-plus"],
      [difference("answer", "401 invalid_credentials", "the connection was ended without an answer")],
    ],
  ])("%s", async (_, alterations, only, differences, requests = only) => {
    const found = await compareAltered(alterations, only);
    expect(found).toEqual(differences.map((one) => ({ ...one, requests })));
  });
});

/** A side's credentials, with the secrets among them. */
const secretsOf = ({ demo }: TestService): string[] =>
  [...credentialsIn(demo, "demo.json")].flatMap(([name, value]) =>
    credentialMembers[name] === "secret" ? [value] : [],
  );

describe("compare", () => {
  test("names each difference, ends with 1, and never shows a secret that a gateway sends back", async () => {
    const { baseUrl, dataDir, demo } = service;
    const answer = (text: string, sent: string) => {
      const secret = /^(?:authorization: Bearer |X-API-KEY: )(.*)\r$/im.exec(sent)?.[1] ?? "none";
      return text.replace(/^date:/im, `x-sent: ${secret}\r\ndate:`);
    };
    const proxy = await startAlteringProxy(baseUrl, { answer });
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    const sides = ["--left", baseUrl, "--data", dataDir, "--right", proxy.url];
    const credentials = ["--right-credentials", join(dataDir, "demo.json")];
    const chosen = ["--rate", "50", "--only", "get-sell-order,get-transaction"];
    const run = await runOperator(["compare", ...sides, ...credentials, ...chosen]);
    expect(run.code).toBe(1);
    expect(run.stdout).toMatch(/^header x-sent +absent +\(a token of yours\)/m);
    expect(run.stdout).toMatch(/^\d+ requests compared, \d differences, 0 requests not compared\.$/m);
    for (const secret of [...secretsOf(service), demo.ramp.orderId])
      expect(`${run.stdout}${run.stderr}`).not.toContain(secret);
  }, 30_000);

  test("sends nothing to a server whose certificate is not trusted, and ends with 2", async () => {
    const { certificate, key } = await createLoopbackCertificate();
    let requests = 0;
    const server = createServer({ cert: certificate, key }, (_, response) => {
      requests += 1;
      response.end();
    });
    const port = await listenOnLoopback(server);
    onTestFinished(() => void server.close());
    const right = `https://127.0.0.1:${port}`;
    const { code, stderr, stdout } = await runOperator(
      ["compare", "--left", service.baseUrl, "--right", right],
      { env: { NODE_TLS_REJECT_UNAUTHORIZED: "0" } },
    );
    expect([code, stdout, requests]).toEqual([2, "", 0]);
    expect(stderr).toContain("a certificate that is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)");
    const authority = join(scratchDirectory(), "ca.pem");
    writeFileSync(authority, certificate);
    const sides = ["--left", right, "--right", right, "--ca", authority];
    const compared = await runOperator(["compare", ...sides, "--only", "path-plus", "--json"]);
    expect([compared.code, JSON.parse(compared.stdout)]).toMatchObject([
      0,
      { differences: [], compared: [{ request: "path-plus", status: "200" }] },
    ]);
  }, 30_000);
});

describe("a receipt", () => {
  /** Every credential, and answers with codings, bytes beyond ASCII, and none at all. */
  const kinds = [
    "get-sell-order",
    "get-transaction-insufficient-scope",
    "get-transaction-of-another",
    "get-pass",
    "list-trades",
    "coding",
    "not-http",
    "header-latin1",
    "header-utf8",
    "path-raw-bytes",
    "path-nul",
  ];
  const textsIn = (directory: string) =>
    readdirSync(directory).map((file) => readFileSync(join(directory, file), "utf8"));

  test("has the answers of an address without its secrets, and differs from others as the address does", async () => {
    const directory = join(scratchDirectory(), "receipt");
    const keep = await createReceipt(directory, () => 1_795_554_000_000);
    const side = sideOf("left", service);
    const only = chooseProbes(suite, kinds, false);
    const asking = { send: sendAndRemember, pace: async () => {}, signal: never };
    for await (const outcome of recordSuite({ probes: only, side, keep, ...asking }))
      expect(outcome).toMatchObject({ differences: [] });
    const text = textsIn(directory).join("\n");
    for (const secret of secretsOf(service)) expect(text).not.toContain(secret.slice(-20));
    expect(text).not.toMatch(/[A-Za-z0-9+/]{86}==|\.\.[A-Za-z0-9_-]{20}/);
    expect(readFileSync(join(directory, "get-sell-order-not-found.txt"), "utf8")).toMatch(
      /^# An order .*\n# http:\S+ at 2026-11-24T21:00:00\.000Z\n> GET \/api\/sell-orders\/01ARZ.*\n(?:> .*\n)+< 404\n(?:< .*\n)+\n\{.*\}\n$/,
    );
    const kept = await openReceipt("left", directory);
    const names = { only: only.map(({ name }) => name) };
    const { differences, notCompared, compared } = await compare(kept, sideOf("right", other), names);
    expect([differences, notCompared, compared.length]).toEqual([[], [], only.length]);
    const exact = await compare(kept, sideOf("right", service), {
      only: ["get-sell-order", "get-pass", "coding"],
      isExact: true,
    });
    expect(exact.differences).toEqual([]);
    const answer = (sent: string) => sent.replace(/^www-authenticate:/m, "x-other:");
    const proxy = await startAlteringProxy(service.baseUrl, { answer });
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    const altered = await compare(kept, sideOf("right", service, proxy.url), {
      only: ["get-sell-order-invalid-credentials", "path-space"],
    });
    expect(altered.differences).toMatchObject([
      difference("header www-authenticate", challenge, "absent"),
      difference("header x-other", "absent", challenge),
    ]);
    expect(altered.notCompared).toMatchObject([
      { request: "path-space", why: "left is a receipt without it" },
    ]);
  }, 60_000);

  test("masks headers of answers, names hosts of requests, lists its files by name, and says if one cannot be written", async () => {
    const directory = join(scratchDirectory(), "receipt");
    const keep = await createReceipt(directory, () => 0);
    const side = sideOf("left", service);
    const to = { url: new URL("https://mtls.example:8443"), tls: {} };
    const fields = [["X-Echo", side.get("ramp.apiKey")]] as const;
    const seen = { kind: "answer", status: 200, fields, body: Buffer.alloc(0) } as const;
    const sending = { message: { target: "/" }, to };
    const keepBoth = async () => {
      for (const probe of chooseProbes(suite, ["path-space", "path-plus"], false))
        await keep(probe, side, sending, seen);
    };
    await keepBoth();
    expect(readFileSync(join(directory, "path-plus.txt"), "utf8")).toMatch(
      /\n> Host: mtls\.example:8443\n(?:> .*\n)+< 200\n< X-Echo: \(a token of yours\)\n/,
    );
    const files = readFileSync(join(directory, "SHA256SUMS"), "utf8").match(/\S+\.txt/g) ?? [];
    expect(files).toEqual(["path-plus.txt", "path-space.txt"]);
    rmSync(directory, { recursive: true });
    await expect(keepBoth()).rejects.toThrow(`--record ${directory} cannot be used: ENOENT.`);
  });

  test("is made into a new directory alone, and needs no address; a missing or damaged file is named", async () => {
    const directory = join(scratchDirectory(), "receipt");
    const run = (...args: string[]) => runOperator(["compare", "--only", "path-space,path-plus", ...args]);
    const record = ["--left", service.baseUrl, "--rate", "50", "--record", directory];
    const { code, stdout } = await run(...record, "--json");
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { recorded: ["path-space", "path-plus"] }]);
    const refusal = async (...args: string[]) => {
      const { code, stderr } = await run(...args);
      return `${code} ${stderr}`;
    };
    expect(await refusal(...record)).toMatch(/^2 --record .* is not empty/);
    const same = ["--left", directory, "--right", directory];
    expect(await run(...same)).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringContaining("2 requests compared, 0 differences"),
    });
    const file = join(directory, "path-space.txt");
    const sums = join(directory, "SHA256SUMS");
    const lines = readFileSync(sums, "utf8");
    const forged = readFileSync(join(directory, "path-plus.txt"), "utf8").replace(
      "# http",
      "# \u001b[31mhttp",
    );
    const other = join(scratchDirectory(), "forged");
    mkdirSync(other);
    writeFileSync(join(other, "a.txt"), forged);
    writeFileSync(join(other, "SHA256SUMS"), `${createHash("sha256").update(forged).digest("hex")}  a.txt\n`);
    expect((await openReceipt("left", other)).title).toContain("(\\u{1b}[31mhttp");
    writeFileSync(file, readFileSync(file, "utf8").replace("GET", "PUT"));
    expect(await refusal(...same)).toMatch(/^2 The receipt .* is damaged: path-space\.txt is not/);
    for (const foreign of ["../path-space.txt", `${"0".repeat(64)}  ../path-space.txt`]) {
      writeFileSync(sums, `${foreign}\n${lines}`);
      expect(await refusal(...same)).toMatch(/^2 The receipt .* is damaged: SHA256SUMS has the line /);
    }
    writeFileSync(sums, "");
    expect(await refusal(...same)).toMatch(/^2 The receipt .* has no answers/);
    writeFileSync(sums, lines);
    rmSync(file);
    expect(await refusal(...same)).toMatch(/^2 The receipt .* lacks path-space\.txt/);
    expect(await refusal("--left", "/nonexistent", "--right", directory)).toMatch(
      /nor a receipt: it has no SHA256SUMS/,
    );
    expect(await refusal(...same, "--record", directory)).toMatch(
      /^2 --record takes the address of one side/,
    );
  }, 30_000);
});

// The last one, because the functions remember that an owner has to wait.
test("two services refuse alike once a limit is used up", async () => {
  const only = ["list-trades-rate-limited", "get-transaction-rate-limited"];
  for (const each of [service, other]) {
    await each.useUp(listTrades.limit, each.demo.exchange.owner);
    await each.useUp(getTransaction.limit, each.demo.business.id);
  }
  const { differences, notCompared, compared } = await compare(
    sideOf("left", service),
    sideOf("right", other),
    { only },
  );
  expect([differences, notCompared]).toEqual([[], []]);
  expect(compared.map(({ status }) => status)).toEqual(["429", "429"]);
}, 60_000);
