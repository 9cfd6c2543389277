import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { afterAll, describe, expect, it } from "vitest";
import { sendRaw, startTestGateway } from "../support/local-gateway.ts";

const code = `
import { threadId } from "node:worker_threads";
export const echo = async (event) => ({ statusCode: 200, headers: { "Content-Type": "application/json" }, body: JSON.stringify(event) });
export const variables = async () => ({ statusCode: 200, body: JSON.stringify(process.env) });
export const context = async (_, c) => ({ statusCode: 200, body: JSON.stringify({ ...c, members: Object.keys(c), left: c.getRemainingTimeInMillis() }) });
export const trace = async ({ headers }) => ({ statusCode: 200, body: JSON.stringify({ gateway: headers["x-amzn-trace-id"], own: process.env._X_AMZN_TRACE_ID }) });
export const callback = (event, context, done) => done(null, { statusCode: 200 });
export const eventBytes = async (event) => ({ statusCode: 200, body: String(Buffer.byteLength(JSON.stringify(event))) });
export const bare = async () => ({ anything: "else" });
export const nothing = async () => undefined;
export const unchanged = async () => ({ statusCode: 304, headers: { ETag: '"v1"', "Content-Type": "x/y", "Content-Length": "9" }, body: "must not be sent" });
export const binary = async () => ({ statusCode: 200, headers: { "content-type": "a/b" }, body: Buffer.from([0, 255, 1]).toString("base64"), isBase64Encoded: true });
export const cookies = async () => ({ statusCode: 200, cookies: ["a=1", "b=2"], body: "" });
export const malformed = async () => ({ statusCode: 200, headers: { "bad name": "x" } });
export const large = async () => ({ statusCode: 200, body: "x".repeat(6_300_000) });
export const boom = async () => { throw new Error("a secret of the inside"); };
export const exit = async () => process.exit(1);
export const reject = async () => { void Promise.reject(new Error("nobody caught this")); await new Promise(() => {}); };
export const spin = async () => { for (;;); };
export const hang = (event) => (event.queryStringParameters?.hang ? new Promise(() => {}) : { statusCode: 200, body: String(threadId) });
export const slow = hang;
`;

const route = (routeKey: string) => ({ routeKey });
const endpoints = {
  echo: route("GET /echo/{id}"),
  variables: {
    routeKey: "GET /variables",
    function: { Environment: { Variables: { ONLY: "this" } }, MemorySize: 256 },
  },
  context: { routeKey: "GET /context", function: { Timeout: 7, MemorySize: 256 } },
  ...Object.fromEntries(
    "trace bare nothing unchanged binary cookies malformed large callback boom exit reject absent"
      .split(" ")
      .map((name) => [name, route(`GET /${name}`)]),
  ),
  spin: { routeKey: "GET /spin", function: { Timeout: 1 } },
  hang: { routeKey: "GET /hang", function: { Timeout: 1 } },
  slow: { routeKey: "GET /slow", function: { Timeout: 20 }, integration: { TimeoutInMillis: 2_000 } },
  eventBytes: route("POST /event-bytes"),
};

const gateway = await startTestGateway({ endpoints, code });
afterAll(() => gateway.close());

const get = (path: string, init: RequestInit = {}) => fetch(`${gateway.url}${path}`, init);
const eventOf = async (path: string, init?: RequestInit) =>
  (await get(path, init)).json() as Promise<APIGatewayProxyEventV2>;
const internalError = { status: 500, type: "application/json", body: '{"message":"Internal Server Error"}' };
const tooLarge = { status: 413, type: "application/json", body: '{"message":"Request Entity Too Large"}' };
const unavailable = { status: 503, type: "application/json", body: '{"message":"Service Unavailable"}' };
const summary = async (response: Response) => ({
  status: response.status,
  type: response.headers.get("content-type"),
  body: await response.text(),
});

describe("the event", () => {
  it("carries the query byte for byte and lists repeated values joined by commas", async () => {
    const query = "b=2&a=%2C&a=x+y&&empty=&e=%C3%A9&flag";
    const event = await eventOf(`/echo/1?${query}`);
    expect(event.rawQueryString).toBe(query);
    expect(event.queryStringParameters).toEqual({ b: "2", a: ",,x y", empty: "", e: "é", flag: "" });
  });

  it("has its path decoded twice, and cut at a question mark of the first, before a route is looked for", async () => {
    const event = await eventOf("/echo/a%2520b%253F%3Fx=1/no/route?y=2");
    expect(event).toMatchObject({
      rawPath: "/echo/a b?",
      pathParameters: { id: "a b?" },
      rawQueryString: "y=2",
    });
  });

  it("names its request by the id that the answer names, and each request by another", async () => {
    const answers = await Promise.all([get("/echo/1"), get("/echo/1")]);
    const ids = await Promise.all(
      answers.map(async (answer) => {
        const { requestContext } = (await answer.json()) as APIGatewayProxyEventV2;
        expect(requestContext.requestId).toMatch(/^[A-Za-z0-9_-]{15}=$/);
        expect(answer.headers.get("apigw-requestid")).toBe(requestContext.requestId);
        return requestContext.requestId;
      }),
    );
    expect(new Set(ids).size).toBe(2);
  });

  it("takes no more than 6 MB as JSON", async () => {
    const post = (bytes: number, type = "text/plain") =>
      get("/event-bytes", { method: "POST", body: "x".repeat(bytes), headers: { "content-type": type } });
    const around = Number(await (await post(1_000_000)).text()) - 1_000_000;
    expect(await (await post(6_291_456 - around)).text()).toBe("6291456");
    expect(await summary(await post(6_291_457 - around))).toEqual(tooLarge);
    // As Base64 it is a third longer.
    expect((await post(4_800_000)).status).toBe(200);
    expect((await post(4_800_000, "image/png")).status).toBe(413);
  });
});

describe("what the function sees", () => {
  it("is its own environment and the runtime's, and nothing of the machine's", async () => {
    const seen = (await (await get("/variables")).json()) as Record<string, string>;
    expect(seen).toMatchObject({
      ONLY: "this",
      AWS_LAMBDA_FUNCTION_NAME: "variables",
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "256",
    });
    const foreign = Object.keys(seen).filter(
      (key) => !/^(?:ONLY|AWS_.*|LAMBDA_TASK_ROOT|_HANDLER|_X_AMZN_TRACE_ID|TZ)$/.test(key),
    );
    expect(foreign).toEqual([]);
  });

  it("is a trace in its variables, another one for each invocation, which goes on with the gateway's", async () => {
    const traces: { gateway: string; own: string }[] = [];
    for (const _ of [1, 2]) traces.push(JSON.parse(await (await get("/trace")).text()));
    for (const { gateway, own } of traces) expect(own).toBe(`${gateway};Parent=0000000000000000;Sampled=0`);
    expect(new Set(traces.map(({ own }) => own)).size).toBe(2);
  });

  it("is the context of the runtime for Node.js 24, with the time that is left of its timeout", async () => {
    const answer = await get("/context");
    const seen = (await answer.json()) as Record<string, unknown> & { members: string[] };
    expect(seen).toMatchObject({
      functionName: "context",
      memoryLimitInMB: "256",
      functionVersion: "$LATEST",
      logGroupName: "/aws/lambda/context",
      logStreamName: "local",
      invokedFunctionArn: expect.stringMatching(/^arn:aws:lambda:[^:]+:\d{12}:function:context$/),
      awsRequestId: expect.stringMatching(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/),
    });
    expect(seen.left).toSatisfy((left: number) => left > 0 && left <= 7000);
    expect(seen.members.toSorted()).toEqual([
      "awsRequestId",
      "clientContext",
      "functionName",
      "functionVersion",
      "getRemainingTimeInMillis",
      "identity",
      "invokedFunctionArn",
      "logGroupName",
      "logStreamName",
      "memoryLimitInMB",
    ]);
  });
});

describe("the answer", () => {
  it("is null when the function returns nothing", async () => {
    expect(await summary(await get("/nothing"))).toMatchObject({ status: 200, body: "null" });
  });

  it("has neither body nor length at 304, but its type", async () => {
    const answer = await sendRaw(
      gateway.port,
      "GET /unchanged HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
    );
    const [head = "", ...body] = answer.split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 304 /);
    expect(head.toLowerCase()).toContain('etag: "v1"');
    expect(head.toLowerCase()).toContain("content-type: x/y");
    expect(head.toLowerCase()).not.toMatch(/content-length|transfer-encoding/);
    expect(body.join()).toBe("");
  });

  it("carries decoded bytes and one Set-Cookie for each cookie", async () => {
    expect(new Uint8Array(await (await get("/binary")).arrayBuffer())).toEqual(new Uint8Array([0, 255, 1]));
    expect((await get("/cookies")).headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });

  it.each([
    ["malformed", "the answer breaks the rule header-names"],
    ["large", "Function.ResponseSizeTooLarge"],
  ])(
    "is 500 for one that is %s, and a line of the log says under its id what was wrong",
    async (name, line) => {
      const answer = await get(`/${name}`);
      expect(await summary(answer)).toEqual(internalError);
      expect(gateway.lines.find((logged) => logged.includes(line))).toMatch(
        `${name}: ${answer.headers.get("apigw-requestid")} `,
      );
    },
  );

  it("names its request and its time, also where it is the gateway's own", async () => {
    const raw = (text: string) => sendRaw(gateway.port, text);
    const answers = await Promise.all([
      raw("GET /bare HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"),
      raw("GET /unknown HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"),
      raw("NONSENSE\r\n\r\n"),
    ]);
    const ids = answers.map((answer) => /^apigw-requestid: ([A-Za-z0-9_-]{15}=)\r$/m.exec(answer)?.[1]);
    expect(new Set(ids).size).toBe(3);
    expect(ids).not.toContain(undefined);
    for (const answer of answers.slice(0, 2)) expect(answer).toMatch(/^date: \w{3}, /im);
  });
});

describe("a function that fails", () => {
  it.each(["boom", "exit", "reject"])(
    "by %s is a 500 that says nothing, is logged, and does not harm the next request",
    async (name) => {
      expect(await summary(await get(`/${name}`))).toEqual(internalError);
      expect(await summary(await get(`/${name}`))).toEqual(internalError);
      expect(gateway.lines.filter((line) => line.startsWith(`${name}: `))).not.toEqual([]);
    },
  );

  it("to load answers 500 to everybody who waits", async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, async () => summary(await get("/absent"))));
    expect(answers).toEqual(Array.from({ length: 6 }, () => internalError));
  });

  it("because it takes a callback is refused before it has run, as the runtime for Node.js 24 does", async () => {
    expect(await summary(await get("/callback"))).toEqual(internalError);
    expect(gateway.lines.find((line) => line.startsWith("callback: "))).toContain(
      "Runtime.CallbackHandlerDeprecated",
    );
  });

  it("to end within its timeout is a function error, and a new environment serves the next request", async () => {
    const before = await (await get("/hang")).text();
    expect(await summary(await get("/hang?hang=1"))).toEqual(internalError);
    const after = await get("/hang");
    expect(after.status).toBe(200);
    expect(await after.text()).not.toBe(before);
    expect(gateway.lines.find((line) => line.startsWith("hang: "))).toContain("timed out");
  });

  it("to leave a busy loop is stopped all the same", async () => {
    expect(await summary(await get("/spin"))).toEqual(internalError);
  });

  it("to answer within the integration's timeout is a 503", async () => {
    expect(await summary(await get("/slow?hang=1"))).toEqual(unavailable);
    // A busy machine may take longer than that timeout to load the environment of the next request.
    await expect.poll(async () => (await get("/slow")).status, { timeout: 50_000 }).toBe(200);
  });
});

describe("a request that reaches no function", () => {
  it.each([
    ["GET", "/unknown"],
    ["GET", "/echo"],
    ["GET", "/echo/"],
    ["GET", "/echo/1/"],
    ["GET", "/echo/a%2Fb"],
    ["GET", "/echo/a%252Fb"],
    ["POST", "/bare"],
    ["OPTIONS", "/bare"],
  ])("%s %s is the gateway's 404", async (method, path) => {
    const answer = await summary(await get(path, { method }));
    expect(answer).toEqual({ status: 404, type: "application/json", body: '{"message":"Not Found"}' });
  });

  it("is a 400 when its path has a percent sign that begins no encoded byte", async () => {
    expect(await summary(await get("/echo/50%25"))).toMatchObject({
      status: 400,
      body: '{"message":"Bad Request"}',
    });
  });

  it("HEAD is not implied by GET", async () => {
    expect((await get("/bare", { method: "HEAD" })).status).toBe(404);
  });

  it("is refused from the first byte of request line and header values beyond 10,240", async () => {
    const fixed = "GET /bare HTTP/1.1".length + `127.0.0.1:${gateway.port}`.length + "close".length;
    const request = (bytes: number) =>
      `GET /bare HTTP/1.1\r\nHost: 127.0.0.1:${gateway.port}\r\nConnection: close\r\nX-Long: ${"x".repeat(bytes - fixed)}\r\n\r\n`;
    expect(await sendRaw(gateway.port, request(10_240))).toMatch(/^HTTP\/1\.1 200 /);
    expect(await sendRaw(gateway.port, request(10_241))).toMatch(/^HTTP\/1\.1 431 /);
    expect(await sendRaw(gateway.port, request(100_000))).toMatch(/^HTTP\/1\.1 431 /);
  });
});
