import { expect, test } from "vitest";
import { announcement } from "../../../infra/local/announcement.ts";
import type { DemoFile } from "../../../infra/local/demo/demo-file.ts";

/** Its members are only written out, so what they say does not matter. */
const demo = {
  baseUrl: "http://127.0.0.1:3000",
  business: { token: "token", transactionId: "id" },
  exchange: { headerPrefix: "X-Any-", apiKey: "key", privateKeyFile: "/key", symbol: "BTC-USD" },
  passes: {
    token: "token",
    version: "1",
    versionHeader: "Any-Version",
    partnerReference: "a",
    mtls: { url: "https://127.0.0.1:3443", ca: "/ca", cert: "/cert", key: "/key" },
    jws: { privateKeyFile: "/jwk", kid: "kid" },
  },
  ramp: { apiKey: "key", orderId: "id" },
} as unknown as DemoFile;

const announced = (engineEndpoint: string | undefined, ...warnings: string[]): string =>
  announcement({ demo, warnings }, { dataDir: "/data", engineEndpoint });

test("that records survive a killed process is promised of the embedded engine only", () => {
  expect(announced(undefined)).toContain("survives a killed process");
  expect(announced("http://127.0.0.1:8000")).not.toContain("survives a killed process");
});

test("warnings stand last, where they are read", () => {
  expect(announced(undefined, "The one.", "The other.")).toMatch(
    /\n\nWarning: The one\.\n\nWarning: The other\.\n\nCtrl-C stops it\.$/,
  );
});
