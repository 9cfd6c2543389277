import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aboutText, shortAnnouncement } from "../../../../local/announcement/announcement.ts";
import type { DemoFile } from "../../../../local/demo/demo-file.ts";
import { plainBehaviour } from "../../../../local/store/store-behaviour.ts";
import { scratchDirectory } from "../../../support/scratch.ts";

const apiKey = "k".repeat(43);
const demo = {
  baseUrl: "http://127.0.0.1:3000/api",
  business: { token: "a-token" },
  ramp: { apiKey, orderId: "id" },
  passes: { mtls: { url: "https://127.0.0.1:3443/api" } },
} as unknown as DemoFile;

const announced = { demo, holdsUntilMs: 0, queues: undefined, warnings: [] };
const options = {
  dataDir: "/data",
  engineEndpoint: undefined,
  behaviour: plainBehaviour,
  corsOrigins: [],
  hasPage: false,
};
const parts = { shell: "sh", defaultDataDir: "/data" } as const;
const shown = (more: Partial<typeof options> = {}, shell: "sh" | "powershell" = "sh"): string[] =>
  shortAnnouncement(announced, { ...options, ...more }, { ...parts, shell }).split("\n");

describe("the announcement on a terminal", () => {
  test("is an address, a curl line, the commands for the rest, and how to stop", () => {
    expect(shown()).toEqual([
      "countinghouse answers at http://127.0.0.1:3000/api",
      "",
      "In another terminal:",
      expect.stringMatching(/^ {2}curl -sS /),
      "",
      "A curl line for each endpoint and credential:",
      "  npm run ops -- demo curl",
      "How this machine differs from AWS:",
      "  npm start -- --about",
      "Reference: docs/reference.md, and for programs http://127.0.0.1:3000/api/openapi.json",
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
      "http://127.0.0.1:3000/api/sell-orders/id",
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
      /^countinghouse answers at http:\/\/127\.0\.0\.1:3000\/api\nReference: .*\nClients with certificates: https:.*\nCredentials .*: .data.demo\.json\nStore: \/data\/dynamodb\n\nThe template .*Differences from AWS .*\n {2}- Every answered write survives a killed process/,
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
