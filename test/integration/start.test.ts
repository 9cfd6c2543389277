import { createPrivateKey } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { join, resolve } from "node:path";
import { ClassicLevel } from "classic-level";
import { afterAll, describe, expect, it } from "vitest";
import { startCommand } from "../../bench/support/start-command.ts";
import { endpoints } from "../../infra/endpoints.ts";
import type { DemoFile } from "../../local/demo/demo-file.ts";
import { startService } from "../../local/local-service.ts";
import { StartError } from "../../local/process/start-error.ts";
import { signRequest } from "../../local/signing/sign-request.ts";
import { ownNames, privateFileNames } from "../../local/store/data-files.ts";
import { filledDataDirectory } from "../support/filled-demo.ts";
import { listenOnLoopback } from "../support/listen-on-loopback.ts";
import { curlLinesFor, pastedStatus, requestOf } from "../support/printed-curl.ts";
import { runScript } from "../support/run-script.ts";
import { scratchDirectory } from "../support/scratch.ts";
import { serviceOptions, silent } from "../support/service-options.ts";
import { stubbornClients, stubbornHandshakes, untilGone } from "../support/stubborn-clients.ts";

const dataDir = await filledDataDirectory();
const start = (...more: string[]) => startCommand(["--port", "0", "--data", dataDir, ...more]);
const readDemo = () => JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8")) as DemoFile;

const origins = ["http://localhost:5173", "https://app.example.com"];
const flags = ["--base-path", "/api", "--cors", ...origins];
let service = await start(...flags);
afterAll(() => service.stop());

describe("a start", () => {
  it("prints a terminal's lines without colours where no terminal is, and its curl line answers 200", async () => {
    const { announced } = service;
    expect(announced.length).toBeLessThanOrEqual(16);
    expect(announced.join("")).not.toContain("\u001b");
    const lines = announced.filter((line) => line.startsWith("  curl "));
    expect(lines).toHaveLength(1);
    expect(await pastedStatus(lines[0] as string)).toBe("200");
  });

  it("has one line for each endpoint and credential, and each of them answers 200", async () => {
    const lines = curlLinesFor(dataDir);
    // The pass callback has one for each kind of credential.
    expect(lines).toHaveLength(endpoints.length + 2);
    for (const line of lines) expect(await pastedStatus(line)).toBe("200");
  });

  it("shows the API under its base path and nowhere else", async () => {
    const request = requestOf(curlLinesFor(dataDir)[0] as string);
    expect(new URL(request.url).pathname).toMatch(/^\/api\/transaction\//);
    const elsewhere = await fetch(request.url.replace("/api/", "/"), { headers: request.headers });
    expect([elsewhere.status, await elsewhere.text()]).toEqual([404, '{"message":"Not Found"}']);
  });

  /** One request to each domain whose path ends with what is given; the first is signed over that path. */
  const requestsWithEnding = (
    ending: string,
  ): (readonly [url: string, headers: Record<string, string>])[] => {
    const { baseUrl, business, exchange, passes, ramp } = readDemo();
    const tradesUrl = `${baseUrl}/1.0/trades/all/${exchange.symbol}${ending}`;
    const privateKey = createPrivateKey(readFileSync(exchange.privateKeyFile));
    const key = { apiKey: exchange.apiKey, privateKey };
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    return [
      [
        tradesUrl,
        signRequest({ method: "GET", url: tradesUrl, now: Date.now() }, key, exchange.headerPrefix),
      ],
      [`${baseUrl}/transaction/${business.transactionId}${ending}`, bearer(business.token)],
      [`${baseUrl}/sell-orders/${ramp.orderId}${ending}`, { "x-api-key": ramp.apiKey }],
      [
        `${baseUrl}/passes/${passes.partnerReference}${ending}`,
        { ...bearer(passes.token), [passes.versionHeader]: passes.version },
      ],
    ];
  };

  it.each(["%253Flimit=1", "%23part"])(
    "hands a path that ends with %s on whole, for its function to refuse",
    async (ending) => {
      for (const [url, headers] of requestsWithEnding(ending)) {
        const response = await fetch(url, { headers });
        expect([url, [400, 401, 404].includes(response.status)]).toEqual([url, true]);
        // The gateway's own answers have none.
        expect(await response.json()).toHaveProperty("error_id");
      }
    },
  );

  it("hands a path on without the question mark that it encodes: what was signed is another path then", async () => {
    const statuses = requestsWithEnding("%3Flimit=1").map(
      async ([url, headers]) => (await fetch(url, { headers })).status,
    );
    expect(await Promise.all(statuses)).toEqual([401, 200, 200, 200]);
  });

  it("lets browser programs of the origins in that it was given, and no others", async () => {
    const { baseUrl, ramp } = readDemo();
    const url = `${baseUrl}/sell-orders/${ramp.orderId}`;
    const allowed = "access-control-allow-origin";
    for (const [origin, named] of [...origins.map((one) => [one, one]), ["http://localhost:5174", null]]) {
      const preflight = await fetch(url, {
        method: "OPTIONS",
        headers: {
          origin: String(origin),
          "access-control-request-method": "GET",
          "access-control-request-headers": "x-api-key",
        },
      });
      expect([preflight.status, preflight.headers.get(allowed)]).toEqual([204, named]);
      if (named !== null)
        expect(preflight.headers.get("access-control-allow-headers")?.toLowerCase()).toContain("x-api-key");
      const answer = await fetch(url, { headers: { origin: String(origin), "x-api-key": ramp.apiKey } });
      expect([answer.status, answer.headers.get(allowed)]).toEqual([200, named]);
    }
  });

  /** Headers that browsers show unasked (Fetch, 2.2.2), and those that are about the connection or the coding alone. */
  const SHOWN = ["cache-control", "content-length", "content-type"];
  const OF_TRANSPORT = ["connection", "content-encoding", "date", "keep-alive", "transfer-encoding", "vary"];

  /** Requests that bring every kind of answer: good and deprecated ones, tags, pages, refusals and exhausted limits. */
  function requestsOfEachKind(): [url: string, headers: Record<string, string>][] {
    const { baseUrl, business, exchange, passes, ramp } = readDemo();
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    const pass = { ...bearer(passes.token), [passes.versionHeader]: passes.version };
    const { from, to } = business.requestWindow;
    const byRequest = `${baseUrl}/transaction/${business.requestId}?id_type=request_id&from=${from}&to=${to}`;
    return [
      [byRequest, bearer(business.token)],
      [`${baseUrl}/transactions?count=1`, bearer(business.token)],
      [`${baseUrl}/transactions?count=1`, bearer(business.noScopeToken)],
      [`${baseUrl}/transactions?count=x`, bearer(business.token)],
      [`${baseUrl}/passes/${passes.partnerReference}`, pass],
      [`${baseUrl}/passes/${passes.partnerReference}`, { ...pass, "if-none-match": "*" }],
      [`${baseUrl}/passes/${passes.voidReference}`, pass],
      [`${baseUrl}/sell-orders/${ramp.otherOrderId}`, { "x-api-key": ramp.apiKey }],
      [`${baseUrl}/1.0/trades/all/${exchange.symbol}`, {}],
    ];
  }

  /** One that is answered with a 429 when many of its kind have come. */
  const requestThatIsLimited = (): [string, Record<string, string>] => {
    const { baseUrl, ramp } = readDemo();
    return [`${baseUrl}/sell-orders/${ramp.otherOrderId}`, { "x-api-key": ramp.otherApiKey }];
  };

  it("shows browser programs every header of its answers, and names no other", async () => {
    const exposed = new Set<string>();
    const sent = new Set<string>();
    const statuses = new Set<number>();
    const ask = async ([url, headers]: [string, Record<string, string>]): Promise<void> => {
      const answer = await fetch(url, { headers: { ...headers, origin: origins[0] as string } });
      await answer.arrayBuffer();
      statuses.add(answer.status);
      for (const name of answer.headers.keys()) sent.add(name);
      const named = answer.headers.get("access-control-expose-headers") ?? "";
      for (const name of named.split(",")) exposed.add(name.trim().toLowerCase());
    };
    // One after the other, for a machine that is busy would answer some of so many at once with a 503.
    for (const request of requestsOfEachKind()) await ask(request);
    for (let rest = 200; !statuses.has(429) && rest > 0; rest -= 1)
      await Promise.all(Array.from({ length: 10 }, () => ask(requestThatIsLimited())));
    statuses.delete(503);
    expect(statuses).toEqual(new Set([200, 304, 400, 401, 403, 404, 410, 429]));
    const hidden = [...sent].filter(
      (name) =>
        ![...SHOWN, ...OF_TRANSPORT, "apigw-requestid"].includes(name) && !name.startsWith("access-control-"),
    );
    expect([...exposed].sort()).toEqual(hidden.sort());
  });

  it("leaves every file that it writes to its owner alone, and none that housekeeping does not know", () => {
    const entries = readdirSync(dataDir, { withFileTypes: true });
    const names = entries.map(({ name }) => name);
    expect(names.filter((name) => !ownNames.includes(name))).toEqual([]);
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    expect(files.sort()).toEqual([...privateFileNames].sort());
    for (const name of files)
      expect([name, statSync(join(dataDir, name)).mode & 0o777]).toEqual([name, 0o600]);
    expect(readDemo().baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
  });
});

describe("a start that cannot be says why in one line and ends with 2:", () => {
  const refused = async (...argv: string[]) => runScript("local/start.ts", argv, {});
  /** What such a process prints. */
  const complaintOf = (data: string, isFresh: boolean): Promise<string> =>
    startService({ ...serviceOptions(data), isFresh }, silent).then(
      () => "It started.",
      (error: unknown) => (error instanceof StartError ? error.message : String(error)),
    );

  it("a port that is taken", async () => {
    const other = createServer();
    const port = await listenOnLoopback(other);
    expect(await refused("--port", `${port}`, "--data", scratchDirectory())).toEqual({
      code: 2,
      stdout: "",
      stderr: `Port ${port} of 127.0.0.1 is taken. Stop the program that uses it, or choose another port with --port, 0 for any free one. The ports 324 and 443 above it serve the queues and clients with certificates.\n`,
    });
    other.close();
  });

  it.each([
    "/proc/x",
    "file",
    "file/inside",
    "lock-is-a-file",
    "store-is-a-file",
    "lock-is-taken-by-a-directory",
  ])("a data directory that cannot be one: %s", async (name) => {
    const directory = scratchDirectory();
    writeFileSync(join(directory, "file"), "");
    mkdirSync(join(directory, "lock-is-a-file"));
    writeFileSync(join(directory, "lock-is-a-file", "lock"), "");
    mkdirSync(join(directory, "store-is-a-file", "lock"), { recursive: true });
    writeFileSync(join(directory, "store-is-a-file", "dynamodb"), "");
    mkdirSync(join(directory, "lock-is-taken-by-a-directory", "lock", "LOCK"), { recursive: true });
    const data = resolve(directory, name);
    for (const isFresh of [false, true]) {
      // What --fresh can mend does not matter then.
      if (isFresh && name === "store-is-a-file") continue;
      const complaint = await complaintOf(data, isFresh);
      expect(complaint).toMatch(/^\S+ cannot be the data directory: .*\. Name another with --data\.$/);
      expect(complaint).toContain(data);
    }
  });

  it("a data directory in use, also when it is to be emptied", async () => {
    for (const more of [[], ["--fresh"]]) {
      const { code, stderr } = await refused("--port", "0", "--data", dataDir, ...more);
      expect([code, stderr.trim().split("\n")]).toEqual([
        2,
        [expect.stringContaining(`${dataDir} is in use by process ${service.child.pid}`)],
      ]);
    }
  });
});

/** Nobody holds the directory, and the engine has left no mark that its files are in use. */
async function expectGoodOrder(): Promise<void> {
  expect(readdirSync(dataDir)).not.toContain("engine.json");
  for (const [name, kept] of [
    ["lock", 0],
    ["dynamodb", 1],
  ] as const) {
    const files = new ClassicLevel(join(dataDir, name));
    await files.open();
    expect((await files.keys({ limit: 1 }).all()).length).toBe(kept);
    expect(await files.get("countinghouse in use")).toBeUndefined();
    await files.close();
  }
}

/** One of each kind of client that a service must be able to leave, on both of its ports. */
async function stubbornCrowd(): Promise<Socket[]> {
  const { baseUrl, passes } = readDemo();
  const { ca, cert, key, url } = passes.mtls;
  const read = (file: string) => readFileSync(file, "utf8");
  const paths = { path: "/nothing", largePath: "/nothing", uploadPath: "/nothing" };
  const plain = { port: Number(new URL(baseUrl).port), ...paths };
  const tls = { ca: read(ca), cert: read(cert), key: read(key) };
  const secure = { port: Number(new URL(url).port), tls, ...paths };
  const { "has sent half a body": _, ...clients } = stubbornClients;
  const onBoth = Object.values(clients).flatMap((open) => [open(plain), open(secure)]);
  const handshakes = Object.values(stubbornHandshakes).map((open) => open(secure));
  return Promise.all([...onBoth, ...handshakes]);
}

describe("another start", () => {
  it("after the first has ended with 0, whatever its clients did, keeps ids and keys, does not synthesize, and issues tokens anew", async () => {
    const before = readDemo();
    const crowd = await stubbornCrowd();
    expect(await service.stop("SIGINT")).toBe(0);
    await Promise.all(crowd.map(untilGone));
    await expectGoodOrder();
    service = await start(...flags);
    expect(service.announced.join("\n")).not.toContain("Synthesizing");
    const after = readDemo();
    expect(after.ramp).toEqual(before.ramp);
    expect(after.passes.jws).toEqual(before.passes.jws);
    expect(after.business.transactionId).toBe(before.business.transactionId);
    expect(after.business.token).not.toBe(before.business.token);
    for (const line of curlLinesFor(dataDir)) expect(await pastedStatus(line)).toBe("200");
  });

  it("after a kill -9 works as well, and takes back what was opened to others meanwhile", async () => {
    await service.stop("SIGKILL");
    const modesOf = () => privateFileNames.map((name) => statSync(join(dataDir, name)).mode & 0o777);
    for (const name of privateFileNames) chmodSync(join(dataDir, name), 0o644);
    service = await start(...flags);
    expect(new Set(modesOf())).toEqual(new Set([0o600]));
    for (const line of curlLinesFor(dataDir)) expect(await pastedStatus(line)).toBe("200");
  });

  it("with --fresh begins with other keys, and no private file is the one that it was", async () => {
    const contents = () => privateFileNames.map((name) => readFileSync(join(dataDir, name), "utf8"));
    const before = contents();
    await service.stop();
    service = await start("--fresh", "--tomorrow");
    const after = contents();
    // Only what was said on the command line may be said again.
    // A queue without messages is an empty file.
    const same = privateFileNames.filter((_, at) => before[at] === after[at] && after[at] !== "");
    expect(same.filter((name) => name !== "start.json")).toEqual([]);
    for (const line of curlLinesFor(dataDir)) expect(await pastedStatus(line)).toBe("200");
  });

  it("with --tomorrow says that its answers have what is to come, and they name it", async () => {
    expect(service.announced.join("\n")).toContain("\nTomorrow: ");
    const { baseUrl, ramp } = readDemo();
    const answer = await fetch(`${baseUrl}/sell-orders/${ramp.orderId}`, {
      headers: { "x-api-key": ramp.apiKey },
    });
    expect(answer.headers.get("x-local-tomorrow")).toMatch(/^(?:`.+`|a new .+)/);
  });
});
