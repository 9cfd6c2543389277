import { expect, test } from "vitest";
import { announcement } from "../../../../local/announcement/announcement.ts";
import type { DemoFile } from "../../../../local/demo/demo-file.ts";
import { plainBehaviour } from "../../../../local/store/store-behaviour.ts";

/** The announcement only prints these members, so their values do not matter. */
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

const holdsUntilMs = Date.UTC(2026, 11, 28, 7, 30, 59);
const queues = {
  endpoint: "http://127.0.0.1:3324",
  url: "http://127.0.0.1:3324/000000000000/countinghouse-local-records",
};
const told = {
  dataDir: "/data",
  engineEndpoint: undefined,
  behaviour: plainBehaviour,
  corsOrigins: [],
  hasPage: true,
};
const announced = (engineEndpoint: string | undefined, ...warnings: string[]): string =>
  announcement({ demo, holdsUntilMs, queues, warnings }, { ...told, engineEndpoint }, "sh");

test("the announcement names every behaviour of the store that an option asked for, and no other", () => {
  const behaviour = {
    indexLagMs: 1_000,
    eventualLagMs: 500,
    partitionShare: 0.001,
    expiry: "early",
    lostShare: 0.05,
  } as const;
  expect(announcement({ demo, holdsUntilMs, queues, warnings: [] }, { ...told, behaviour }, "sh")).toContain(
    [
      "Store: /data/dynamodb",
      "  - Reads of an index are up to 1000 ms behind the writes.",
      "  - Reads that are not strongly consistent are up to 500 ms behind the writes.",
      "  - Each partition is throttled at 0.1 % of DynamoDB's capacity.",
      "  - Items are gone at the second at which they expire.",
      "  - 5 % of the writes take effect and are not answered.",
      "",
    ].join("\n"),
  );
  expect(announced(undefined)).toContain("Store: /data/dynamodb\n\nThe template");
});

test("only records of the embedded engine are promised to survive a killed process", () => {
  expect(announced(undefined)).toContain("survives a killed process");
  expect(announced("http://127.0.0.1:8000")).not.toContain("survives a killed process");
});

test("warnings come last, where users notice them", () => {
  expect(announced(undefined, "The one.", "The other.")).toMatch(
    /\n\nWarning: The one\.\n\nWarning: The other\.\n\nCtrl-C stops it\.$/,
  );
});

test("says that a browser shows a page, if there is one", () => {
  const lines = (hasPage: boolean) =>
    announcement({ demo, holdsUntilMs, queues, warnings: [] }, { ...told, hasPage }, "sh");
  expect(lines(true)).toContain("open it in a browser");
  expect(lines(false)).not.toContain("browser");
});

test("the address comes with a note that a deployment answers 404, and with the origins whose browser programs may read", () => {
  expect(announced(undefined)).toMatch(
    /^countinghouse answers at http:\/\/127\.0\.0\.1:3000\n {2}\(.* a deployment answers 404 .*\)\nReference: .* http:\/\/127\.0\.0\.1:3000\/openapi\.json\n/,
  );
  expect(announced(undefined)).not.toContain("Browser programs");
  const corsOrigins = ["http://localhost:5173", "https://app.example.com"];
  expect(
    announcement({ demo, holdsUntilMs, queues, warnings: [] }, { ...told, corsOrigins }, "sh"),
  ).toContain("\nBrowser programs that may read answers: http://localhost:5173, https://app.example.com\n");
});

test("the announcement says how long tokens and certificates are valid", () => {
  expect(announced(undefined)).toContain(
    "\nTokens and certificates are valid until 2026-12-28 07:30 UTC at least; another start issues new ones.\n",
  );
});

test("says where programs send records by messages, if the template has a queue", () => {
  expect(announced(undefined)).toContain(
    `\nQueue of records: ${queues.url}\n  (SQS at http://127.0.0.1:3324; \`npm run ops -- send\` puts files into it)\n`,
  );
  const without = { demo, holdsUntilMs, queues: undefined, warnings: [] };
  expect(announcement(without, told, "sh")).not.toContain("Queue of records");
});
