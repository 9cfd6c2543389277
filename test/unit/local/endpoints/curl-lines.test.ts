import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { endpoints } from "../../../../infra/endpoints.ts";
import type { DemoFile } from "../../../../local/demo/demo-file.ts";
import { curlLines } from "../../../../local/endpoints/curl-lines.ts";
import { curlWriter } from "../../../../local/terminal/shell.ts";
import { projectRoot } from "../../../support/project.ts";

const demo = {
  baseUrl: "http://127.0.0.1:3000/api/it's $HOME",
  business: { token: "to'ken$(exit 1)`exit 1`", transactionId: "id?1&2" },
  passes: {
    token: "pass-token",
    version: "2026-07-01",
    versionHeader: "Acme-Version",
    partnerReference: "a:1",
    mtls: { url: "https://127.0.0.1:3443/api", ca: "/it's/ca", cert: "/c", key: "/k" },
    jws: { privateKeyFile: "/it's/key", kid: "k" },
  },
  exchange: {
    headerPrefix: "X-It's-",
    apiKey: "k$1",
    privateKeyFile: "/tmp/a b/it's.pem",
    symbol: "BTC-USD",
  },
  ramp: { apiKey: "key_-\\", orderId: "01ARZ3NDEKTSV4RRFFQ69G5FAV" },
} as unknown as DemoFile;

const linesOf = (one: DemoFile) => curlLines(one, curlWriter("sh", "linux"));

/** What a shell hands to the command, word for word. */
function wordsOf(line: string): string[] {
  const script = `npm() { printf '%s|' "$@"; }; curl() { for word; do printf '%s\\0' "$word"; done; }; ${line}`;
  return execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

describe("the printed curl lines", () => {
  it("cover each endpoint", () => {
    const covered = new Set(linesOf(demo).map(({ endpoint }) => endpoint));
    expect(covered).toEqual(new Set(endpoints.map(({ contract }) => contract.name)));
  });

  it("cover each credential of the pass callback", () => {
    const credentials = linesOf(demo).flatMap(({ credential }) => credential ?? []);
    expect(credentials).toEqual(["access token", "detached JWS", "mutual TLS"]);
  });

  const version = "Acme-Version: 2026-07-01";
  const bearer = "Authorization: Bearer to'ken$(exit 1)`exit 1`";
  const jws = `--prefix|${projectRoot}|run|--silent|ops|--|sign-pass|/api/it's%20$HOME/passes/a:1|--jws-key|/it's/key|`;
  it.each<[endpoint: string, credential: string | undefined, words: readonly string[]]>([
    ["get-transaction", undefined, ["-H", bearer, `${demo.baseUrl}/transaction/id%3F1%262`]],
    ["list-transactions", undefined, ["-H", bearer, `${demo.baseUrl}/transactions?state=completed&count=5`]],
    [
      "get-sell-order",
      undefined,
      ["-H", "X-API-KEY: key_-\\", `${demo.baseUrl}/sell-orders/01ARZ3NDEKTSV4RRFFQ69G5FAV`],
    ],
    [
      "get-pass",
      "access token",
      ["-H", version, "-H", "Authorization: Bearer pass-token", `${demo.baseUrl}/passes/a:1`],
    ],
    [
      "get-pass",
      "detached JWS",
      ["-H", version, "-H", `Jws-Signature: ${jws}`, `${demo.baseUrl}/passes/a:1`],
    ],
    [
      "get-pass",
      "mutual TLS",
      "--cacert|/it's/ca|--cert|/c|--key|/k|-H"
        .split("|")
        .concat(version, `${demo.passes.mtls.url}/passes/a:1`),
    ],
  ])("of %s, by %s, reach curl whatever characters the values hold", (endpoint, credential, words) => {
    const shown = linesOf(demo).filter(
      (line) => line.endpoint === endpoint && line.credential === credential,
    );
    expect(shown.map(({ line }) => wordsOf(line))).toEqual([["-sS", ...words]]);
  });

  it("have a signature made when they are run, for the header prefix and the key that are in force", () => {
    const line = linesOf(demo).find(({ endpoint }) => endpoint === "list-trades")?.line ?? "";
    const npm = `npm() { for word in "$@"; do printf '%s\\0' "$word" >&2; done; echo '-H a:1 -H b:2='; }`;
    const curl = `curl() { for word; do echo "$word"; done; }`;
    const { stdout, stderr } = spawnSync("sh", ["-c", `${npm}; ${curl}; ${line}`], { encoding: "utf8" });
    expect(stdout.split("\n")).toEqual([
      "-sS",
      "-H",
      "a:1",
      "-H",
      "b:2=",
      `${demo.baseUrl}/1.0/trades/all/BTC-USD?limit=5`,
      "",
    ]);
    const url = `${demo.baseUrl}/1.0/trades/all/BTC-USD?limit=5`;
    const sign = [
      "--prefix",
      expect.stringMatching(/^\//),
      "run",
      "--silent",
      "ops",
      "--",
      "sign",
      "GET",
      url,
    ];
    const key = ["--api-key", "k$1", "--private-key", "/tmp/a b/it's.pem", "--header-prefix", "X-It's-"];
    expect(stderr.split("\0").slice(0, -1)).toEqual([...sign, ...key, "--curl-options"]);
  });
});
