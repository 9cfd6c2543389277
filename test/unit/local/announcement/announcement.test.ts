import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aboutText, announcement } from "../../../../local/announcement/announcement.ts";
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
const announced = { demo, queues, warnings: [] as string[] };
const options = {
  dataDir: "/data",
  behaviour: plainBehaviour,
  corsOrigins: [] as never[],
  hasPage: false,
  isTomorrow: false,
};
type Options = Partial<typeof options>;

const parts = { shell: "sh", defaultDataDir: "/data" } as const;
const shown = (more: Options = {}, shell: "sh" | "powershell" = "sh"): string[] =>
  announcement(announced, { ...options, ...more }, { ...parts, shell }).split("\n");

describe("the announcement", () => {
  test("is an address, a curl line, the commands for the rest, and how to stop", () => {
    expect(shown()).toEqual([
      "countinghouse answers at http://127.0.0.1:3000",
      "",
      "In another terminal:",
      expect.stringMatching(/^ {2}curl -sS /),
      "",
      "A curl line for each endpoint and credential: npm run ops -- demo curl",
      "How this machine differs from AWS: npm start -- --about",
      "Reference: docs/reference.md, and for programs http://127.0.0.1:3000/openapi.json",
      `Queue of records: ${queues.url}`,
      "  (SQS at http://127.0.0.1:3324; `npm run ops -- send passes FILE` puts passes into it)",
      "",
      "Ctrl-C stops it.",
    ]);
  });

  test("says that answers have what is to come", () => {
    expect(shown({ isTomorrow: true }).at(-3)).toMatch(/^Tomorrow: .*X-Local-Tomorrow/);
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
        'A curl line for each endpoint and credential: npm run ops -- demo curl --data "/other place"',
        'How this machine differs from AWS: npm start -- --about --data "/other place"',
        '  (SQS at http://127.0.0.1:3324; `npm run ops -- send passes FILE --data "/other place"` puts passes into it)',
      ]),
    );
  });

  test("repeats what options asked for, and ends with warnings", () => {
    const more = {
      corsOrigins: ["http://a.example", "https://b.example"] as never[],
      behaviour: {
        indexLagMs: 1_000,
        eventualLagMs: 500,
        partitionShare: 0.001,
        expiry: "early" as const,
        lostShare: 0.05,
      },
    };
    const told = { ...announced, queues: undefined, warnings: ["The one.", "The other."] };
    expect(
      announcement(told, { ...options, ...more }, parts)
        .split("\n")
        .slice(-12),
    ).toEqual([
      "Browser programs that may read answers: http://a.example, https://b.example",
      "Reads of an index are up to 1000 ms behind the writes.",
      "Reads that are not strongly consistent are up to 500 ms behind the writes.",
      "Each partition is throttled at 0.1 % of DynamoDB's capacity.",
      "Items are gone at the second at which they expire.",
      "5 % of the writes take effect and are not answered.",
      "",
      "Warning: The one.",
      "",
      "Warning: The other.",
      "",
      "Ctrl-C stops it.",
    ]);
  });
});

describe("npm start -- --about", () => {
  const about = { dataDir: "/data", demo, isRunning: true, engineEndpoint: undefined };

  test("says what runs on the data directory, where its files are, and how it differs from AWS", () => {
    expect(aboutText(about)).toMatch(
      /^countinghouse answers at http:\/\/127\.0\.0\.1:3000\nReference: .*\nClients with certificates: https:.*\nCredentials .*: .data.demo\.json\nTokens and certificates last 30 days .*\nStore: \/data\/dynamodb\n\nThe template .*Differences from AWS .*\n {2}- Every answered write survives a killed process/,
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
