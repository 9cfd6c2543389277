import { describe, expect, it } from "vitest";
import { buildEvent, type GatewayRequest, joinHeaders } from "../../../../local/gateway/event.ts";

const request: Omit<GatewayRequest, "headers"> = {
  method: "GET",
  target: { path: "/a/1", rawQuery: "" },
  rawHeaders: ["Host", "api.example:3000", "User-Agent", "curl"],
  body: Buffer.alloc(0),
  sourceIp: "127.0.0.1",
  port: 3000,
  protocol: "HTTP/1.1",
  scheme: "http",
  requestId: "ATfSmjLgPHcESJw=",
  traceId: "1bae89e2512ec92d5d9438a0",
  receivedAtMs: 1_795_554_000_000,
};
const match = {
  route: { routeKey: "GET /a/{id}", functionName: "a", integrationTimeoutMs: 1 },
  pathParameters: { id: "1" },
};
const event = (changes: Partial<typeof request> = {}) => {
  const changed = { ...request, ...changes };
  return buildEvent({ ...changed, headers: joinHeaders(changed.rawHeaders) }, match);
};

describe("an event", () => {
  it("has the time, the source and the route of its request", () => {
    expect(event().requestContext).toEqual({
      accountId: "000000000000",
      apiId: "local",
      domainName: "api.example",
      domainPrefix: "api",
      http: { method: "GET", path: "/a/1", protocol: "HTTP/1.1", sourceIp: "127.0.0.1", userAgent: "curl" },
      requestId: request.requestId,
      routeKey: "GET /a/{id}",
      stage: "$default",
      time: "24/Nov/2026:21:00:00 +0000",
      timeEpoch: 1_795_554_000_000,
    });
  });

  it("extends the chain of proxies with the address of the client", () => {
    expect(event().headers["x-forwarded-for"]).toBe("127.0.0.1");
    expect(event({ rawHeaders: ["X-Forwarded-For", "10.0.0.1"] }).headers["x-forwarded-for"]).toBe(
      "10.0.0.1, 127.0.0.1",
    );
  });

  it("has a trace id of its time and a random part, which is not the request's id", () => {
    expect(event().headers["x-amzn-trace-id"]).toBe("Root=1-6b05fad0-1bae89e2512ec92d5d9438a0");
  });

  it("has the gateway's protocol, port and trace id, whatever the client sent", () => {
    const { headers } = event({
      rawHeaders: ["X-Forwarded-Proto", "https", "X-Forwarded-Port", "443", "X-Amzn-Trace-Id", "mine"],
    });
    expect(headers).toMatchObject({ "x-forwarded-proto": "http", "x-forwarded-port": "3000" });
    expect(headers["x-amzn-trace-id"]).toMatch(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/);
  });

  it("joins repeated headers by commas under lower-case names, and leaves out those of the connection", () => {
    const rawHeaders = ["X-Twice", "a", "x-twice", "b, c", "Cookie", "k=1", "Connection", "close"];
    const { headers } = event({ rawHeaders });
    expect(headers).toMatchObject({ "x-twice": "a,b, c" });
    expect(Object.keys(headers)).not.toContain("cookie");
    expect(Object.keys(headers)).not.toContain("connection");
  });

  it("lists the cookies of every Cookie header, with the commas in them", () => {
    expect(
      event({ rawHeaders: ["Cookie", "a=1; b=x,y;c=", "X", "Cookie", "COOKIE", "d=4"] }).cookies,
    ).toEqual(["a=1", "b=x,y", "c=", "d=4"]);
    expect(event({ rawHeaders: ["Cookie", ";"] })).not.toHaveProperty("cookies");
  });

  it.each([
    ["application/json", false],
    ["application/vnd.api+json; charset=utf-8", false],
    ["text/plain", false],
    ["application/x-www-form-urlencoded", false],
    ["application/octet-stream", true],
    ["image/png", true],
  ])("has a body of %s in Base64: %s", (type, isBase64Encoded) => {
    const { body, isBase64Encoded: is } = event({
      rawHeaders: ["Content-Type", type],
      body: Buffer.from("é"),
    });
    expect([body, is]).toEqual([isBase64Encoded ? "w6k=" : "é", isBase64Encoded]);
  });

  it("has a compressed body in Base64 whatever its type", () => {
    const rawHeaders = ["Content-Type", "application/json", "Content-Encoding", "gzip"];
    expect(event({ rawHeaders, body: Buffer.from([31, 139]) })).toMatchObject({
      body: "H4s=",
      isBase64Encoded: true,
    });
  });
});

describe("the event of a client with a certificate", () => {
  const clientCert = {
    clientCertPem: "-----BEGIN CERTIFICATE-----",
    subjectDN: "CN=client",
    issuerDN: "CN=authority",
    serialNumber: "0a:0b",
    validity: { notBefore: "Nov 24 21:00:00 2026 GMT", notAfter: "Nov 24 21:00:00 2027 GMT" },
  };

  it("has the certificate in its context, and https as its protocol", () => {
    const { requestContext, headers } = event({ clientCert, scheme: "https" });
    expect(requestContext.authentication).toEqual({ clientCert });
    expect(headers["x-forwarded-proto"]).toBe("https");
  });

  it("is the only event with a certificate", () => {
    expect(event().requestContext).not.toHaveProperty("authentication");
    expect(event().headers["x-forwarded-proto"]).toBe("http");
  });
});
