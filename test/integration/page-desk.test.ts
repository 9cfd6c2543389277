import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { contractBrand } from "../../lib/brand.ts";
import { systemClock } from "../../lib/clock.ts";
import { places } from "../../local/installation.ts";
import { startService } from "../../local/local-service.ts";
import { processEnvironment } from "../../local/options.ts";
import type { LogEvent, Session } from "../../local/page/page-questions.ts";
import { readOrBuild } from "../../local/page/page-source.ts";
import { filledDataDirectory } from "../support/filled-demo.ts";
import { serviceOptions, silent } from "../support/service-options.ts";

const HTML = "text/html,application/xhtml+xml,*/*;q=0.8";
const brand = { ...contractBrand, basePath: "/api" };

const service = await startService(
  {
    ...serviceOptions(await filledDataDirectory()),
    brand,
    hasPage: true,
    allowedHosts: ["sandbox.acme.com"],
  },
  silent,
);
const { origin } = new URL(service.demo.baseUrl);
afterAll(() => service.close());

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Got {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

const open = (path: string, { method = "GET", headers = {} }: Sent): ClientRequest => {
  const { hostname, port } = new URL(origin);
  return request({ hostname, port, path, method, headers });
};

async function send(path: string, sent: Sent = {}): Promise<Got> {
  const asked = open(path, sent);
  asked.end(sent.body);
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) };
}

const ask = (name: string, input: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Got> =>
  send(`/_page/api/${name}`, {
    method: "POST",
    headers: { "x-page-key": key, ...headers },
    body: JSON.stringify(input),
  });

// Until the page is built, its document asks browsers to load it again.
await readOrBuild(
  { place: places.page, environment: processEnvironment, clock: systemClock, building: () => {} },
  new AbortController().signal,
);

const keyIn = (document: string): string => /name="page-key" content="([^"]+)"/.exec(document)?.[1] ?? "";
const key = keyIn((await send("/", { headers: { accept: HTML } })).body);

describe("the document", () => {
  test.each(["/", "/api", "/api/"])("is at %s for browsers, with a key that is not empty", async (path) => {
    const { status, body, headers } = await send(path, { headers: { accept: HTML } });
    expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(keyIn(body)).toMatch(/^[\w-]{43}$/);
  });

  test("may run and ask nothing but what its own origin has, and nobody else may read or frame it", async () => {
    const { headers } = await send("/", { headers: { accept: HTML, origin: "https://evil.example" } });
    expect(headers["content-security-policy"]).toEqual(
      expect.stringMatching(
        /^default-src 'none'; script-src 'self' 'sha256-[\w+/]{43}='; style-src 'self' 'sha256-[\w+/]{43}='; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
      ),
    );
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
    });
    expect(headers).not.toHaveProperty("access-control-allow-origin");
  });

  test("is JSON for programs, below the base path alone", async () => {
    expect(JSON.parse((await send("/api")).body)).toMatchObject({ service: "countinghouse" });
    expect((await send("/")).status).toBe(404);
  });
});

describe("the files of the page", () => {
  test("are kept by browsers for ever, with their types", async () => {
    const { body } = await send("/", { headers: { accept: HTML } });
    const paths = [...body.matchAll(/(?:src|href)="(\/_page\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) {
      const { status, headers } = await send(path);
      expect([status, headers["content-type"]]).toEqual([
        200,
        path.endsWith(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8",
      ]);
      expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
      expect(headers["x-content-type-options"]).toBe("nosniff");
    }
  });

  test("have the licences of what is in them", async () => {
    const bundled = await send("/_page/licenses.md");
    expect(bundled).toMatchObject({
      status: 200,
      headers: { "content-type": "text/plain; charset=utf-8" },
    });
    expect(bundled.body).toContain("preact");
  });

  test.each(["countinghouse.postman_collection.json", "countinghouse.http"])(
    "have %s, which browsers ask for again because its name stays",
    async (name) => {
      const { status, headers } = await send(`/_page/${name}`);
      expect([status, headers["cache-control"]]).toEqual([200, "no-cache"]);
    },
  );

  test.each([
    "/_page/",
    "/_page/index.html",
    "/_page/assets/",
    "/_page/assets/../../../package.json",
    "/_page/../package.json",
    "/_page/..%2f..%2fpackage.json",
    "/_page/assets/%2e%2e/%2e%2e/package.json",
    "/_page/assets/..\\..\\package.json",
    "/_page//etc/passwd",
    "/_page/assets/constructor",
  ])("are all that can be asked for: %s is not there", async (path) => {
    expect((await send(path)).status).toBe(404);
  });
});

describe("a question", () => {
  test("is answered when the page of this start asks", async () => {
    const { status, body } = await ask("session", {}, { origin, "sec-fetch-site": "same-origin" });
    const session = JSON.parse(body) as Session;
    expect(status).toBe(200);
    expect(session).toMatchObject({ baseUrl: service.demo.baseUrl, brand });
    expect(session.credentials.exchange.privateJwk).toMatchObject({ kty: "OKP", crv: "Ed25519" });
    expect(session.credentials.exchange.privateJwk.d).toMatch(/^[\w-]{43}$/);
    expect(session.credentials.passes.jws.privateJwk.d).toMatch(/^[\w-]{43}$/);
    expect(body).not.toContain("privateKeyFile");
  });

  test.each([
    ["without a key", 401, { "x-page-key": "" }],
    ["of another origin", 403, { origin: "https://evil.example" }],
    ["under a foreign name that points here", 403, { host: "evil.example:3000" }],
  ])("%s is refused with %i, and does nothing", async (_, status, headers) => {
    expect((await ask("set-fault", { route: "all", fault: "429" }, headers)).status).toBe(status);
    const alive = { faults: [], liveMarket: null, aheadMs: 0 };
    expect(JSON.parse((await ask("alive", {})).body)).toEqual(alive);
  });

  test("that there is not, or by another method, is a 404", async () => {
    expect((await ask("no-such-question", {})).status).toBe(404);
    expect((await send("/_page/api/session", { headers: { "x-page-key": key } })).status).toBe(404);
  });

  test("that cannot be followed says why", async () => {
    expect(await ask("state", { id: "no-such-record" })).toMatchObject({
      status: 409,
      body: expect.stringContaining("no-such-record"),
    });
    expect((await ask("state", {})).status).toBe(409);
    expect((await ask("session", undefined)).status).toBe(400);
  });

  test("moves a record on, as `ops demo advance` does", async () => {
    const id = service.demo.ramp.orders.AWAITING_DEPOSIT ?? "";
    const before = JSON.parse((await ask("state", { id })).body);
    expect(before).toMatchObject({ kind: "sell order", id, state: "AWAITING_DEPOSIT" });
    expect(JSON.parse((await ask("advance", { id })).body)).toMatchObject({
      from: "AWAITING_DEPOSIT",
      state: before.next[0],
      unusual: null,
    });
    expect((await ask("advance", { id, to: "AWAITING_DEPOSIT" })).status).toBe(409);
  });

  test("gets a token that is right, or wrong in one way", async () => {
    const path = `/api/transaction/${service.demo.business.transactionId}`;
    const statusWith = async (wanted: object): Promise<number> => {
      const { token } = JSON.parse((await ask("token", wanted)).body) as { token: string };
      return (await send(path, { headers: { authorization: `Bearer ${token}` } })).status;
    };
    expect(await statusWith({ for: "business" })).toBe(200);
    expect(await statusWith({ for: "business", scope: "accounts.read" })).toBe(403);
    expect(await statusWith({ for: "business", expiresInS: -60 })).toBe(401);
    expect(await statusWith({ for: "business", audience: "another" })).toBe(401);
    expect(await statusWith({ for: "wallet" })).toBe(401);
  });
});

describe("the live log", () => {
  /** The first event that a listener gets for which `isWanted` holds. */
  async function heard(
    isWanted: (event: LogEvent) => boolean,
    act: () => Promise<unknown>,
  ): Promise<LogEvent> {
    const asked = open(`/_page/api/log?key=${key}`, {});
    asked.end();
    const [stream] = (await once(asked, "response")) as [IncomingMessage];
    expect(stream.headers["content-type"]).toBe("text/event-stream");
    await act();
    let seen = "";
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      seen += chunk.toString();
      const texts = [...seen.matchAll(/^data: (.*)\n\n/gm)].map(([, data = ""]) => data);
      const found = texts.map((data) => JSON.parse(data) as LogEvent).find(isWanted);
      if (found !== undefined) return found;
    }
    throw new Error("The stream ended.");
  }

  test("tells of each request, without its credentials", async () => {
    const { orderId, apiKey } = service.demo.ramp;
    const target = `/api/sell-orders/${orderId}`;
    const event = await heard(
      (one) => one.target === target,
      () => send(target, { headers: { "x-api-key": apiKey } }),
    );
    expect(event).toMatchObject({
      method: "GET",
      endpoint: "get-sell-order",
      status: 200,
      fault: null,
      error: null,
    });
    expect(event.billedUnits).toBeGreaterThan(0);
    expect(JSON.stringify(event)).not.toContain(apiKey);
  });

  test.each([
    ["gateway-500", { status: 500, error: null }],
    ["reset", { status: 0 }],
  ])("names the fault that a request has met, and its status: %s", async (fault, seen) => {
    const path = `/api/passes/${fault}`;
    await ask("set-fault", { route: "get-pass", fault, times: 1 });
    const event = await heard(
      (one) => one.target === path,
      () => send(path).catch(() => {}),
    );
    expect(event).toMatchObject({ endpoint: "get-pass", fault, ...seen });
    await ask("clear-faults", {});
  });

  test("tells why a request was refused, and what its caller was told", async () => {
    const event = await heard(
      (one) => one.target.startsWith("/api/sell-orders/1"),
      () => send("/api/sell-orders/1?expand=fees"),
    );
    expect(event).toMatchObject({ status: 401, error: "invalid_credentials" });
    expect(event.hints.join(" ")).toContain("X-API-KEY");
  });

  test.each(["", "?key=", `?key=${"a".repeat(43)}`])("is refused with the query %j", async (query) => {
    expect((await send(`/_page/api/log${query}`)).status).toBe(401);
  });
});

describe("the whole server", () => {
  test.each([
    "/",
    "/api",
    "/api/openapi.json",
    "/api/sell-orders/1",
    "/_page/assets/x.js",
    "/_page/api/session",
  ])(
    "refuses %s under a public name, as an API that does not know the name, and says what to do",
    async (path) => {
      const got = await send(path, { headers: { host: "rebound.example.com:3000", accept: HTML } });
      expect([got.status, got.body]).toEqual([403, '{"message":"Forbidden"}']);
      expect(got.headers["x-local-warning"]).toContain("--allow-host rebound.example.com");
    },
  );

  test.each([
    ["a host that some readers decode", "/", "evil%2ecom", 400],
    ["a host with a user", "/", "me@localhost", 400],
    ["a whole URL of a foreign host", "http://evil.example/", "localhost", 403],
  ])("nor has a request with %s, which gets nothing of the page", async (_, path, host, status) => {
    for (const at of [path, `${path}_page/api/log`]) {
      const got = await send(at, { headers: { host, accept: HTML } });
      expect([got.status, got.body.includes("page-key")]).toEqual([status, false]);
    }
  });

  test.each(["localhost:1", "my-laptop", "host.docker.internal", "sandbox.acme.com"])(
    "answers under the name %s",
    async (host) => {
      expect((await send("/api/openapi.json", { headers: { host } })).status).toBe(200);
    },
  );
});
