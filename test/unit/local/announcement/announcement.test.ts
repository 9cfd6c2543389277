import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aboutText, announcement, shortAnnouncement } from "../../../../local/announcement/announcement.ts";
import type { DemoFile } from "../../../../local/demo/demo-file.ts";
import { plainBehaviour } from "../../../../local/store/store-behaviour.ts";
import { scratchDirectory } from "../../../support/scratch.ts";

const apiKey = "k".repeat(43);
/** The announcements only print these members. */
const demo = {
  baseUrl: "http://127.0.0.1:3000",
  business: { token: "a-token", transactionId: "id" },
  exchange: { headerPrefix: "X-Any-", apiKey: "key", privateKeyFile: "/key", symbol: "BTC-USD" },
  passes: {
    token: "token",
    version: "1",
    versionHeader: "Any-Version",
    partnerReference: "a",
    mtls: { url: "https://127.0.0.1:3443", ca: "/ca", cert: "/cert", key: "/key" },
    jws: { privateKeyFile: "/jwk", kid: "kid" },
  },
  ramp: { apiKey, orderId: "id" },
} as unknown as DemoFile;

const queues = {
  endpoint: "http://127.0.0.1:3324",
  url: "http://127.0.0.1:3324/000000000000/countinghouse-local-records",
};
const announced = { demo, holdsUntilMs: Date.UTC(2026, 11, 28, 7, 30, 59), queues, warnings: [] as string[] };
const options = {
  dataDir: "/data",
  engineEndpoint: undefined as string | undefined,
  behaviour: plainBehaviour,
  corsOrigins: [] as never[],
  hasPage: false,
};
type Options = Partial<typeof options>;

/** What `npm start` prints where no person looks at it. */
const long = (more: Options = {}, told: object = {}): string =>
  announcement({ ...announced, ...told }, { ...options, ...more }, "sh");

test("the announcement names every behaviour of the store that an option asked for, and no other", () => {
  const behaviour = {
    indexLagMs: 1_000,
    eventualLagMs: 500,
    partitionShare: 0.001,
    expiry: "early",
    lostShare: 0.05,
  } as const;
  expect(long({ behaviour })).toContain(
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
  expect(long()).toContain("Store: /data/dynamodb\n\nThe template");
});

test("only records of the embedded engine are promised to survive a killed process", () => {
  expect(long()).toContain("survives a killed process");
  expect(long({ engineEndpoint: "http://127.0.0.1:8000" })).not.toContain("survives a killed process");
});

test("warnings come last, where users notice them", () => {
  expect(long({}, { warnings: ["The one.", "The other."] })).toMatch(
    /\n\nWarning: The one\.\n\nWarning: The other\.\n\nCtrl-C stops it\.$/,
  );
});

test("says that a browser shows a page, if there is one", () => {
  expect(long({ hasPage: true })).toContain("open it in a browser");
  expect(long()).not.toContain("browser");
});

test("the address comes with a note that a deployment answers 404, and with the origins whose browser programs may read", () => {
  expect(long({ hasPage: true })).toMatch(
    /^countinghouse answers at http:\/\/127\.0\.0\.1:3000\n {2}\(.* a deployment answers 404 .*\)\nReference: .* http:\/\/127\.0\.0\.1:3000\/openapi\.json\n/,
  );
  expect(long()).not.toContain("Browser programs");
  const corsOrigins = ["http://localhost:5173", "https://app.example.com"] as never[];
  expect(long({ corsOrigins })).toContain(
    "\nBrowser programs that may read answers: http://localhost:5173, https://app.example.com\n",
  );
});

test("the announcement says how long tokens and certificates are valid", () => {
  expect(long()).toContain(
    "\nTokens and certificates are valid until 2026-12-28 07:30 UTC at least; another start issues new ones.\n",
  );
});

test("says where programs send records by messages, if the template has a queue", () => {
  expect(long()).toContain(
    `\nQueue of records: ${queues.url}\n  (SQS at http://127.0.0.1:3324; \`npm run ops -- send\` puts files into it)\n`,
  );
  expect(long({}, { queues: undefined })).not.toContain("Queue of records");
});

const parts = { shell: "sh", defaultDataDir: "/data" } as const;
const shown = (more: Options = {}, shell: "sh" | "powershell" = "sh"): string[] =>
  shortAnnouncement(announced, { ...options, ...more }, { ...parts, shell }).split("\n");

describe("the announcement on a terminal", () => {
  test("is an address, a curl line, the commands for the rest, and how to stop", () => {
    expect(shown()).toEqual([
      "countinghouse answers at http://127.0.0.1:3000",
      "",
      "In another terminal:",
      expect.stringMatching(/^ {2}curl -sS /),
      "",
      "A curl line for each endpoint and credential:",
      "  npm run ops -- demo curl",
      "How this machine differs from AWS:",
      "  npm start -- --about",
      "Reference: docs/reference.md, and for programs http://127.0.0.1:3000/openapi.json",
      `Queue of records: ${queues.url}`,
      expect.stringContaining("npm run ops -- send"),
      "",
      "Ctrl-C stops it.",
    ]);
  });

  test("has a curl line that reads the key from the demo's file when it is run, whatever the directory is called", () => {
    const dataDir = join(scratchDirectory(), 'it\'s a "$HOME" \\ `x`');
    execFileSync("mkdir", [dataDir]);
    writeFileSync(join(dataDir, "demo.json"), JSON.stringify(demo));
    const line = shown({ dataDir })[3] as string;
    const script = `curl() { printf '%s\\0' "$@"; }; ${line}`;
    expect(execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0")).toEqual([
      "-sS",
      "-H",
      `X-API-KEY: ${apiKey}`,
      "http://127.0.0.1:3000/sell-orders/id",
      "",
    ]);
  });

  test("says that a browser shows a page, if there is one", () => {
    const page = expect.stringMatching(/^ {2}\(open it in a browser/);
    expect(shown({ hasPage: true })[1]).toEqual(page);
    expect(shown()).not.toContainEqual(page);
  });

  test("has the line of PowerShell on Windows", () => {
    expect(shown({ dataDir: "C:\\it's" }, "powershell")[3]).toMatch(
      /^ {2}curl\.exe -sS -H \('X-API-KEY: ' \+ \(Get-Content -Raw -LiteralPath 'C:\\it''s.demo\.json' \| ConvertFrom-Json\)\.ramp\.apiKey\) 'http:[^']*'$/,
    );
  });

  test("shows no credential", () => {
    expect(shown().join("\n")).not.toMatch(/kkk|a-token/);
  });

  test("names a data directory that is not the default in the commands", () => {
    expect(shown({ dataDir: "/other place" })).toEqual(
      expect.arrayContaining([
        "  npm run ops -- demo curl --data '/other place'",
        "  npm start -- --about --data '/other place'",
      ]),
    );
  });

  test("repeats what options asked for, and ends with warnings", () => {
    const more = {
      corsOrigins: ["http://a.example"] as never[],
      behaviour: { ...plainBehaviour, lostShare: 0.5 },
    };
    const warned = { ...announced, warnings: ["The one."] };
    expect(shortAnnouncement(warned, { ...options, ...more }, parts)).toMatch(
      /Browser programs .*: http:\/\/a\.example\n50 % of the writes .*\n\nWarning: The one\.\n\nCtrl-C stops it\.$/,
    );
  });
});

describe("npm start -- --about", () => {
  const about = { dataDir: "/data", demo, isRunning: true, engineEndpoint: undefined };

  test("says what runs on the data directory, where its files are, and how it differs from AWS", () => {
    expect(aboutText(about)).toMatch(
      /^countinghouse answers at http:\/\/127\.0\.0\.1:3000\nReference: .*\nClients with certificates: https:.*\nCredentials .*: .data.demo\.json\nStore: \/data\/dynamodb\n\nThe template .*Differences from AWS .*\n {2}- Every answered write survives a killed process/,
    );
  });

  test.each([
    { ...about, isRunning: false },
    { ...about, demo: {} },
  ])("says when nothing runs there", (nothing) => {
    expect(aboutText(nothing)).toMatch(/^No `npm start` runs on \/data now\.\nStore: /);
  });

  test("promises nothing about records in another engine", () => {
    expect(aboutText({ ...about, engineEndpoint: "http://127.0.0.1:8000" })).not.toContain(
      "survives a killed process",
    );
  });
});
