import { afterAll, expect, it } from "vitest";
import { sendRaw, startTestGateway } from "../support/local-gateway.ts";

const gateway = await startTestGateway({
  endpoints: { a: { routeKey: "GET /a" } },
  code: `export const a = async () => ({ statusCode: 200, headers: { "Access-Control-Allow-Origin": "*", "Access-Control-Max-Age": "9", etag: '"1"' }, body: "" });`,
  api: {
    CorsConfiguration: {
      AllowOrigins: ["https://a.example"],
      AllowMethods: ["GET"],
      ExposeHeaders: ["ETag"],
    },
  },
});
afterAll(() => gateway.close());

const ask = (method: string, path: string, ...headers: string[]) =>
  sendRaw(
    gateway.port,
    [`${method} ${path} HTTP/1.1`, "Host: h", "Connection: close", ...headers, "", ""].join("\r\n"),
  );

it("a preflight is answered by the gateway, on any path, without a body", async () => {
  const answer = await ask(
    "OPTIONS",
    "/any",
    "Origin: https://a.example",
    "Access-Control-Request-Method: GET",
  );
  expect(answer).toMatch(/^HTTP\/1\.1 204 /);
  expect(answer).toMatch(/access-control-allow-origin: https:\/\/a\.example\r\n/);
  expect(answer).toMatch(/access-control-allow-methods: GET\r\n/);
  expect(answer).not.toMatch(/content-length/i);
});

it("an answer to an allowed origin says so once, in the API's words and not the function's", async () => {
  const answer = await ask("GET", "/a", "Origin: https://a.example");
  expect(answer.match(/access-control-allow-origin: .*/gi)).toEqual([
    "access-control-allow-origin: https://a.example",
  ]);
  expect(answer).toMatch(/access-control-expose-headers: ETag\r\n/);
  expect(answer).not.toMatch(/access-control-max-age/i);
});

it.each([[], ["Origin: https://b.example"]])(
  "an answer to nobody who is allowed (%s) has no header of CORS, the function's neither",
  async (...headers) => {
    const answer = await ask("GET", "/a", ...headers);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toMatch(/etag: "1"\r\n/);
    expect(answer).not.toMatch(/access-control/i);
  },
);

it("OPTIONS that is not a preflight has no route", async () => {
  expect(await ask("OPTIONS", "/a", "Origin: https://a.example")).toMatch(/^HTTP\/1\.1 404 /);
});
