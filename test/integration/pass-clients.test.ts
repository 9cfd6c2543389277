import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import got from "got";
import { afterAll, describe, expect, test } from "vitest";
import { Failure } from "../../lib/errors.ts";
import { listenOnLoopback } from "../support/listen-on-loopback.ts";
import { temporaryDirectory } from "../support/operator.ts";
import { startPassPoll } from "../support/pass-poll.ts";
import { PASS_TEXT, passClaims, walletEndpoint, walletEvent } from "../support/wallet.ts";

const run = promisify(execFile);

const poll = await startPassPoll();
afterAll(() => poll.close());

describe("third-party clients poll a pass, with their own caches", () => {
  test("curl with --etag-save and --etag-compare", async () => {
    await using directory = await temporaryDirectory();
    const [etag, body] = [join(directory.path, "etag"), join(directory.path, "body")];
    const options = Object.entries(poll.headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
    const read = async (): Promise<string> => {
      await run("curl", [
        "-sSf",
        "--etag-compare",
        etag,
        "--etag-save",
        etag,
        "-o",
        body,
        ...options,
        `${poll.baseUrl}/passes/for-curl`,
      ]);
      return readFile(body, "utf8");
    };
    await poll.expectCached("for-curl", read);
  });

  test("got with a cache", async () => {
    const client = got.extend({
      cache: new Map(),
      cacheOptions: { shared: false },
      headers: poll.headers,
      retry: { limit: 0 },
    });
    const read = async (): Promise<string> => (await client(`${poll.baseUrl}/passes/for-got`)).body;
    await poll.expectCached("for-got", read);
  });
});

test("got waits out a Retry-After, which is in seconds", async () => {
  let reads = 0;
  const getStored = async () => {
    reads += 1;
    if (reads === 1) throw new Failure("temporarily_unavailable", "down", { retryAfterMs: 900 });
    return { state: "current", text: PASS_TEXT, version: 7, templateId: undefined } as const;
  };
  const wallet = await walletEndpoint({ passes: { get: getStored } });
  const answer = async (headers: Record<string, string>) => wallet.call(walletEvent({ headers }));
  const server = createServer((request, response) => {
    void answer(request.headers as Record<string, string>).then(({ statusCode, headers, body }) =>
      response.writeHead(statusCode, headers).end(body),
    );
  });
  const port = await listenOnLoopback(server);
  const waits: number[] = [];
  const token = await wallet.issuer.mint(passClaims);
  const response = await got(`http://127.0.0.1:${port}/passes/ref-1`, {
    headers: { "service-api-version": "2026-07-01", authorization: `Bearer ${token}` },
    retry: {
      calculateDelay: ({ computedValue }) => {
        waits.push(computedValue);
        return computedValue;
      },
    },
  });
  server.close();
  expect([response.statusCode, response.body, response.retryCount]).toEqual([200, PASS_TEXT, 1]);
  expect(waits[0]).toBe(1_000);
});
