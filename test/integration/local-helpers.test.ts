import { afterAll, describe, expect, test } from "vitest";
import { contractBrand } from "../../lib/brand.ts";
import { frontPage } from "../../local/front-page/front-page.ts";
import { plainStore } from "../support/engine.ts";
import { startTestGateway } from "../support/local-gateway.ts";
import { startTestService } from "../support/service.ts";

const brand = { ...contractBrand, basePath: "/api" };

const service = await startTestService(plainStore, brand);
afterAll(() => service.close());

const partner = () => ({ "x-api-key": service.demo.ramp.apiKey });
const order = () => `/sell-orders/${service.demo.ramp.orderId}`;

describe("hints of the local gateway", () => {
  test("come in a header and in the log, under the gateway's id of the request", async () => {
    const answer = await service.get(`${order()}?expand=fees`, partner());
    const hint = 'The query parameter "expand" was ignored; this endpoint takes none.';
    expect([answer.status, answer.headers.get("x-local-warning")]).toEqual([200, hint]);
    expect(service.lines).toContain(`gateway: ${answer.headers.get("apigw-requestid")} warning: ${hint}`);
  });

  test("do not come with an answer that needs none", async () => {
    expect((await service.get(order(), partner())).headers.get("x-local-warning")).toBeNull();
  });

  test("say where the API is, to a caller who forgot the base path", async () => {
    const answer = await fetch(new URL(order(), service.baseUrl));
    expect(answer.headers.get("x-local-warning")).toBe("The API is served under /api only.");
    expect(await answer.text()).toBe('{"message":"Not Found"}');
  });
});

describe("the bare address of the local gateway", () => {
  const accept = "text/html,*/*;q=0.8";

  test("says what is here in JSON, with and without the last slash, and to browsers where there is no page", async () => {
    for (const url of [service.baseUrl, `${service.baseUrl}/`])
      for (const headers of [{}, { accept }]) {
        const shown = await (await fetch(url, { headers })).json();
        expect(shown).toMatchObject({ openapi: `${service.baseUrl}/openapi.json` });
      }
  });

  test("is a 404 outside the base path and by any other method, as on AWS", async () => {
    expect((await fetch(new URL("/", service.baseUrl), { headers: { accept } })).status).toBe(404);
    expect((await fetch(`${service.baseUrl}/`, { method: "HEAD" })).status).toBe(404);
    expect((await fetch(`${service.baseUrl}/`, { method: "POST" })).status).toBe(404);
  });

  test("belongs to the template where it has a route there", async () => {
    const gateway = await startTestGateway({
      endpoints: { a: { routeKey: "GET /" } },
      code: 'export const a = async () => "the template\'s own";',
      pages: new Map([["/", frontPage("http://127.0.0.1", contractBrand)]]),
    });
    expect(await (await fetch(gateway.url, { headers: { accept } })).text()).toBe("the template's own");
    await gateway.close();
  });
});

test("an error of a helper is logged, and withholds no answer", async () => {
  const gateway = await startTestGateway({
    endpoints: { a: { routeKey: "GET /a" } },
    code: 'export const a = async () => "answered";',
    companionOf: () => () => {
      throw new Error("a helper's fault");
    },
  });
  expect(await (await fetch(`${gateway.url}/a`)).text()).toBe("answered");
  expect(gateway.lines.join()).toContain("gateway: Error: a helper's fault");
  await gateway.close();
});
