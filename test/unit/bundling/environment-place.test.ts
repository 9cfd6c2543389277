import { Readable } from "node:stream";
import { DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { type HttpRequest, HttpResponse } from "@smithy/core/protocols";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { placeOf, traceHeaders } from "../../../infra/bundling/environment-place.ts";

beforeEach(() => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "key-id");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "not-a-secret");
});
afterEach(() => vi.unstubAllEnvs());

/** Where the SDK's own client sends a request in this environment. */
async function hostOfSdk(): Promise<string> {
  let host = "";
  const handle = async (request: HttpRequest) => {
    host = request.headers.host ?? "";
    return { response: new HttpResponse({ statusCode: 200, body: Readable.from([Buffer.from("{}")]) }) };
  };
  const settings = { updateHttpClientConfig: () => undefined, httpHandlerConfigs: () => ({}) };
  await new DynamoDBClient({ requestHandler: { handle, ...settings } }).send(new ListTablesCommand({}));
  return host;
}

const regions = [
  "eu-central-1",
  "us-east-1",
  "ap-southeast-7",
  "cn-north-1",
  "cn-northwest-1",
  "us-gov-west-1",
  "us-gov-east-1",
  "us-iso-east-1",
  "us-isob-east-1",
  "eu-isoe-west-1",
  "us-isof-south-1",
  "eusc-de-east-1",
];
const switches = ["true", "false"].flatMap((fips) => ["true", "false"].map((ipv6) => [fips, ipv6] as const));

describe.each(regions)("a function in %s", (region) => {
  test.each(switches)("finds DynamoDB where the SDK does, with FIPS %s and IPv6 %s", async (fips, ipv6) => {
    vi.stubEnv("AWS_REGION", region);
    vi.stubEnv("AWS_USE_FIPS_ENDPOINT", fips);
    vi.stubEnv("AWS_USE_DUALSTACK_ENDPOINT", ipv6);
    const place = placeOf();
    expect(place.region).toBe(region);
    expect(place.endpoint.protocol).toBe("https:");
    expect(place.endpoint.host).toBe(await hostOfSdk());
  });
});

describe("a configured endpoint", () => {
  beforeEach(() => vi.stubEnv("AWS_REGION", "eu-central-1"));

  test("of DynamoDB comes before that of all services, and an empty one counts as none", () => {
    vi.stubEnv("AWS_ENDPOINT_URL", "http://127.0.0.1:1");
    expect(placeOf().endpoint.href).toBe("http://127.0.0.1:1/");
    vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:2");
    expect(placeOf().endpoint.href).toBe("http://127.0.0.1:2/");
    vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", "");
    expect(placeOf().endpoint.href).toBe("http://127.0.0.1:1/");
    vi.stubEnv("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "true");
    expect(placeOf().endpoint.host).toBe("dynamodb.eu-central-1.amazonaws.com");
  });

  test.each(["AWS_USE_FIPS_ENDPOINT", "AWS_USE_DUALSTACK_ENDPOINT"])(
    "is refused beside %s, as the SDK refuses it",
    async (name) => {
      vi.stubEnv("AWS_ENDPOINT_URL", "http://127.0.0.1:1");
      vi.stubEnv(name, "true");
      expect(() => placeOf()).toThrow("configured endpoint");
      await expect(hostOfSdk()).rejects.toThrow("custom endpoint");
    },
  );
});

test("a region that is not set, and a switch that is neither true nor false, are refused by name", () => {
  vi.stubEnv("AWS_REGION", undefined);
  expect(() => placeOf()).toThrow("AWS_REGION");
  vi.stubEnv("AWS_REGION", "eu-central-1");
  vi.stubEnv("AWS_USE_FIPS_ENDPOINT", "yes");
  expect(() => placeOf()).toThrow("AWS_USE_FIPS_ENDPOINT");
});

test("a call joins the trace of its invocation, inside of Lambda alone", () => {
  vi.stubEnv("_X_AMZN_TRACE_ID", "Root=1-5759e988-bd862e3fe1be46a994272793");
  vi.stubEnv("AWS_LAMBDA_FUNCTION_NAME", undefined);
  expect(traceHeaders()).toEqual({});
  vi.stubEnv("AWS_LAMBDA_FUNCTION_NAME", "countinghouse-test-get-pass");
  expect(traceHeaders()).toEqual({ "x-amzn-trace-id": "Root=1-5759e988-bd862e3fe1be46a994272793" });
  vi.stubEnv("_X_AMZN_TRACE_ID", "");
  expect(traceHeaders()).toEqual({});
});
