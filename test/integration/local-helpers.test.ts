import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contractBrand } from "../../lib/brand.ts";
import { startTestService, type TestService } from "../support/service.ts";

const brand = { ...contractBrand, basePath: "/api" };

let service: TestService;
beforeAll(async () => {
  service = await startTestService("dynalite", brand);
});
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
