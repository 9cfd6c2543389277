import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import type { Context } from "aws-lambda";
import { describe, expect, test, vi } from "vitest";
import { type ErrorCode, Failure } from "../../../lib/errors.ts";
import { statusOf } from "../../../lib/http/error-response.ts";
import type { RequestLogEntry } from "../../../lib/log.ts";
import { freeLimiter, NOW, sampleChain, sampleContract, sampleEvent } from "../../support/chain.ts";
import { projectText } from "../../support/project.ts";

const off = { get: async () => ({ on: false, reason: "maintenance" }) as const };
const withoutCredential = { headers: {} };
type Chain = Parameters<typeof sampleChain>[0];
const ask = (parts?: Chain, event?: Parameters<typeof sampleEvent>[0]) =>
  sampleChain(parts).call(sampleEvent(event));
const failing =
  (...failure: ConstructorParameters<typeof Failure>) =>
  async () => {
    throw new Failure(...failure);
  };

const brokenSwitch = {
  get: failing("temporarily_unavailable", "The store did not answer.", { retryAfterMs: 1_000 }),
};

describe("order of checks", () => {
  test("a switched-off endpoint answers 503 even to a request without credentials", async () => {
    const response = await ask({ switches: off }, withoutCredential);
    expect(response.statusCode).toBe(503);
    expect(response.headers["Retry-After"]).toBe("30");
  });

  test("without credentials it is 401 whatever else is wrong", async () => {
    const wrong = { ...withoutCredential, rawQueryString: "count=x", pathParameters: null };
    for (const parts of [undefined, { switches: brokenSwitch }])
      expect((await ask(parts, wrong)).statusCode).toBe(401);
  });

  test("a switch that cannot be read answers a valid caller with 503, never with a record", async () => {
    expect((await ask({ switches: brokenSwitch })).statusCode).toBe(503);
  });

  test("a missing scope is 403 before any parameter is judged", async () => {
    const authenticate = async () => ({ owner: "owner-1", scopes: ["samples.reader", "samples"] });
    const response = await ask({ authenticate }, { rawQueryString: "count=x" });
    expect(response.statusCode).toBe(403);
    expect(response.headers["WWW-Authenticate"]).toContain(
      'error="insufficient_scope", scope="samples.read"',
    );
  });

  test("a bad parameter is 400 and the use case is not reached", async () => {
    const answer = async () => expect.unreachable("the use case ran");
    const response = await ask({ answer }, { rawQueryString: "count=x" });
    expect(response.statusCode).toBe(400);
    expect(JSON.parse(response.body).message).toMatch(/^count: /);
  });
});

describe("errors", () => {
  test.each(Object.entries(statusOf))(
    "%s is answered with %i, one body shape and no-store",
    async (code, status) => {
      const response = await ask({ answer: failing(code as ErrorCode, "what was wrong") });
      expect(response.statusCode).toBe(status);
      expect(Object.keys(JSON.parse(response.body))).toEqual(["error_id", "code", "message", "timestamp"]);
      expect(JSON.parse(response.body)).toMatchObject({ code, timestamp: NOW });
      const headers = { "Content-Type": "application/json", "Cache-Control": "no-store" };
      expect(response.headers).toMatchObject(headers);
    },
  );

  test("a fault is a generic 500 whose error_id is in the log line, and no detail of the fault leaks", async () => {
    const answer = async () => {
      throw new TypeError("secret-4111111111111111");
    };
    const { call, lines } = sampleChain({ answer });
    const response = await call(sampleEvent());
    expect(response.statusCode).toBe(500);
    expect(response.body).not.toContain("secret");
    const { error_id } = JSON.parse(response.body);
    expect(lines).toMatchObject([{ error_id, status: 500, code: "internal_error" }]);
    expect(lines[0]?.fault?.cause ?? lines[0]?.fault).toMatchObject({ name: "TypeError" });
    expect(JSON.stringify(lines)).not.toContain("secret");
  });

  test("the message of a 5xx failure stays inside", async () => {
    const answer = failing("temporarily_unavailable", "table x throttled", { retryAfterMs: 1_200 });
    const response = await ask({ answer });
    expect(response.body).not.toContain("throttled");
    expect(response.headers["Retry-After"]).toBe("2");
    expect(JSON.parse(response.body).retry_after_ms).toBe(1_200);
  });

  test("Retry-After is in milliseconds where the contract says so, and at least 1 in either unit", async () => {
    const exchange = {
      ...sampleContract,
      retryAfterUnit: "milliseconds",
    } as unknown as typeof sampleContract;
    const header = async (retryAfterMs: number, parts: Chain = {}) => {
      const answer = failing("rate_limited", "Too many requests.", { retryAfterMs });
      return (await ask({ ...parts, answer })).headers["Retry-After"];
    };
    expect([await header(200), await header(0)]).toEqual(["1", "1"]);
    const contract = { contract: exchange };
    expect([await header(200, contract), await header(0, contract)]).toEqual(["200", "1"]);
  });

  test("401 bodies are alike whatever the reason, and the challenge distinguishes a bad token from none", async () => {
    const none = await ask({}, withoutCredential);
    const message = "The credentials are missing or not valid.";
    const authenticate = failing("invalid_credentials", message, { cause: "unknown key" });
    const { call, lines } = sampleChain({ authenticate });
    const bad = await call(sampleEvent());
    const stripped = ({ body }: { body: string }) => ({ ...JSON.parse(body), error_id: "", timestamp: 0 });
    expect(stripped(bad)).toEqual(stripped(none));
    expect(none.headers["WWW-Authenticate"]).toBe('Bearer realm="countinghouse"');
    expect(bad.headers["WWW-Authenticate"]).toBe('Bearer realm="countinghouse", error="invalid_token"');
    expect(lines[0]).toMatchObject({ reason: "unknown key" });
  });
});

describe("events", () => {
  test.each([
    ["nulls for maps", { version: "2.0", headers: null, pathParameters: null, requestContext: null }],
    ["no maps", { version: "2.0", rawQueryString: "" }],
    ["nothing", {}],
    ["null", null],
  ])("an event with %s is a request without credentials, never a fault", async (_name, event) => {
    const response = await sampleChain().call(event);
    expect(response.statusCode).toBe(401);
  });

  test.each(["HEAD", "POST", "get"])(
    "%s, which the gateway does not route here, is a 404",
    async (method) => {
      const event = sampleEvent({ requestContext: { http: { method } } });
      expect((await sampleChain().call(event)).statusCode).toBe(404);
      expect((await sampleChain().call({ ...event, headers: {} })).statusCode).toBe(401);
    },
  );

  test("every returned object has a status, also when the log itself fails", async () => {
    const log = () => {
      throw new Error("disk full");
    };
    expect((await sampleChain({ log }).call(sampleEvent())).statusCode).toBeTypeOf("number");
  });
});

describe("Request-Id", () => {
  test.each(["r-1", "~".repeat(128)])("%s is echoed on success and on failure", async (given) => {
    for (const credential of [{ authorization: "Bearer good" }, {}]) {
      const response = await ask({}, { headers: { ...credential, "Request-Id": given } });
      expect(response.headers["Request-Id"]).toBe(given);
    }
  });

  test.each(["", "a b", "x".repeat(129), "é", "a\u0000", "a\n"])(
    "%j is replaced by a fresh uuid",
    async (given) => {
      const response = await ask({}, { headers: { "request-id": given } });
      expect(response.headers["Request-Id"]).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    },
  );
});

/** What a line carries for CloudWatch, apart from where it finds it. */
const metricsOf = (line: RequestLogEntry | undefined) => {
  const { Requests, Failures, Duration, TokensCharged, ColdStart } = line ?? {};
  return { Requests, Failures, Duration, TokensCharged, ColdStart };
};

describe("log line", () => {
  test("says what happened, and holds no header, path, query or credential", async () => {
    const { call, lines } = sampleChain();
    const secret = { authorization: "Bearer s3cret", "x-api-key": "s3cret", "request-id": "s3cret" };
    await call(sampleEvent({ headers: secret, rawPath: "/sample/s3cret", rawQueryString: "word=s3cret" }));
    await call(sampleEvent());
    const shown = lines.map(({ _aws, ...line }) => line);
    const both = {
      timestamp: new Date(NOW).toISOString(),
      level: "INFO",
      method: "GET",
      route: "/sample/{id}",
      status: 200,
      duration_ms: 0,
      gateway_request_id: "gateway-1",
      owner: "owner-1",
      Requests: 1,
      Failures: 0,
      Duration: 0,
      TokensCharged: 1,
    };
    expect(shown).toEqual([
      { ...both, cold_start: true, ColdStart: 1 },
      { ...both, cold_start: false },
    ]);
  });

  test("joins the lines of Lambda and of X-Ray by their ids, each of its own invocation", async () => {
    const { call, lines } = sampleChain();
    const [one, other] = ["1-6b05fad0-1bae89e2512ec92d5d9438a0", "1-6b05fad1-2bae89e2512ec92d5d9438a1"];
    for (const [trace, awsRequestId] of [
      [`Root=${one};Parent=53995c3f42cd8ad8;Sampled=1;Lineage=1:2`, "lambda-1"],
      [`Self=1-0;Root=${other}`, "lambda-2"],
    ]) {
      vi.stubEnv("_X_AMZN_TRACE_ID", trace);
      await call(sampleEvent(), { awsRequestId } as Context);
    }
    vi.unstubAllEnvs();
    expect(lines).toMatchObject([
      { aws_request_id: "lambda-1", trace_id: one },
      { aws_request_id: "lambda-2", trace_id: other },
    ]);
  });

  test.each([
    undefined,
    "",
    "Root=s3cret",
    "Root=1-6b05fad0-1bae89e2512ec92d5d9438a",
    "Root=1-6b05fad0-1bae89e2512ec92d5d9438a0f",
    "NotRoot=1-6b05fad0-1bae89e2512ec92d5d9438a0",
  ])("has no trace where the variable is %j, which holds none", async (trace) => {
    vi.stubEnv("_X_AMZN_TRACE_ID", trace);
    const { call, lines } = sampleChain();
    await call(sampleEvent());
    vi.unstubAllEnvs();
    expect(lines[0]).not.toHaveProperty("trace_id");
  });

  test("says how long the request took in whole ms, even if the time of day was set meanwhile", async () => {
    const at = { steadyMs: 0.2, wallMs: NOW };
    const answer = async () => {
      at.steadyMs += 36.7;
      at.wallMs -= 5_000;
      return { body: "{}" };
    };
    const { call, lines } = sampleChain({ answer, clock: () => at.wallMs, steady: () => at.steadyMs });
    await call(sampleEvent());
    expect(lines[0]).toMatchObject({ duration_ms: 37, Duration: 37, _aws: { Timestamp: NOW - 5_000 } });
  });

  test("counts the tokens that the plan asked for, and none for a request that was not charged", async () => {
    const plan = async () => ({ cost: 7, answer: async () => ({ body: "{}" }) });
    const charged = sampleChain({ plan });
    await charged.call(sampleEvent());
    await charged.call(sampleEvent({ rawQueryString: "count=0" }));
    const limiter = { ...freeLimiter, charge: async () => ({ waitMs: 1, headers: {} }) };
    const refused = sampleChain({ plan, limiter });
    await refused.call(sampleEvent());
    const tokens = [...charged.lines, ...refused.lines].map((line) => [line.status, line.TokensCharged]);
    expect(tokens).toEqual([
      [200, 7],
      [400, 0],
      [429, 0],
    ]);
  });

  test.each(Object.keys(statusOf) as ErrorCode[])(
    "counts a request that is refused with %s by its code too, and as a failure if an operator has to look",
    async (code) => {
      const { call, lines } = sampleChain({ answer: failing(code, "what was wrong") });
      await call(sampleEvent());
      const Failures = code !== "service_disabled" && statusOf[code] >= 500 ? 1 : 0;
      const counts = { Requests: 1, Failures, Duration: 0, TokensCharged: 1, ColdStart: 1 };
      expect(metricsOf(lines[0])).toEqual(counts);
      expect(lines[0]?._aws).toMatchObject({
        CloudWatchMetrics: [
          { Dimensions: [["stage", "endpoint"]] },
          { Dimensions: [["stage", "endpoint", "code"]], Metrics: [{ Name: "Requests" }] },
        ],
      });
    },
  );
});

describe("compression", () => {
  const body = JSON.stringify({ text: "é".repeat(2_000) });
  const askFor = (body: string, encoding?: string) => {
    const accepts = encoding !== undefined && { "accept-encoding": encoding };
    return ask({ answer: async () => ({ body }) }, { headers: { authorization: "Bearer good", ...accepts } });
  };

  const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync } as const;

  test.each([
    ["gzip, deflate, br, zstd", "zstd"],
    ["deflate, gzip, br, zstd", "zstd"],
    ["br, gzip", "br"],
    ["gzip, deflate", "gzip"],
    ["gzip;q=1.0, br;q=0.1", "gzip"],
    ["gzip;q=0.5, br;q=0.5", "br"],
    ["zstd;q=0.5, br;q=0.500", "zstd"],
    ["zstd;q=0.1, br;q=0.2", "br"],
    ["zstd;q=0.2, br;q=0.1, gzip;q=0.15", "zstd"],
    ["zstd;q=0, br;q=0.1, *;q=0.9", "gzip"],
    ["ZSTD", "zstd"],
    ["GZIP", "gzip"],
    ["zstd;q=0, br;q=0, *", "gzip"],
    ["zstd;q=none, br;q=0.1", "br"],
    ["*", "gzip"],
    ["br, *", "br"],
    ["gzip, *", "gzip"],
    ["gzip;q=0.5, *", "br"],
    ["gzip;q=0, *", "br"],
    ["zstd, *", "zstd"],
    ["zstd;q=0.5, *;q=0.5", "zstd"],
    ["*, identity", "gzip"],
    ["identity, gzip", "gzip"],
    ["identity;q=0.4, gzip;q=0.5", "gzip"],
    ["identity;q=0, gzip;q=0.001", "gzip"],
    ["identity;q=0.5, *;q=0.5", "gzip"],
  ] as const)(
    "Accept-Encoding: %s is answered with %s, base64, and the same bytes inside",
    async (accept, coding) => {
      const response = await askFor(body, accept);
      expect(response.headers).toMatchObject({ "Content-Encoding": coding, Vary: "Accept-Encoding" });
      expect(response.isBase64Encoded).toBe(true);
      const bytes = Buffer.from(response.body, "base64");
      expect(decoders[coding](bytes).toString("utf8")).toBe(body);
    },
  );

  const none = ["gzip;q=0", "gzip;q=0, br;q=0.000, zstd;q=0", "*;q=0"];
  const plain = [undefined, "", "identity", "deflate", "*/*", ...none];
  const lower = ["identity, gzip;q=0.5", "identity;q=1, br;q=0.1"];
  const preferred = ["zstd;q=0.9, identity", "identity;q=0.5, *;q=0.4", ...lower];
  test.each([...plain, ...preferred])("Accept-Encoding: %s leaves it plain", async (accept) => {
    const response = await askFor(body, accept);
    expect(response.headers["Content-Encoding"]).toBeUndefined();
    expect(response.body).toBe(body);
    expect(response.headers.Vary).toBe("Accept-Encoding");
  });

  test("a body of 1 KiB stays plain, one byte more is compressed", async () => {
    expect((await askFor("x".repeat(1_024), "br")).isBase64Encoded).toBe(false);
    expect((await askFor("x".repeat(1_025), "br")).isBase64Encoded).toBe(true);
  });
});

test("docs/errors.md tells callers of every code, with its status", async () => {
  const lines = projectText("docs/errors.md").split("\n");
  const rows = lines.map((line) => /^\| (\d{3}) \| `([a-z_]+)` \|/.exec(line)).filter((row) => row !== null);
  expect(Object.fromEntries(rows.map(([, status, code]) => [code, Number(status)]))).toEqual(statusOf);
});
