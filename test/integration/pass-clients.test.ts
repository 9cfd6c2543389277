import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import got from "got";
import makeFetchHappen from "make-fetch-happen";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Failure } from "../../lib/errors.ts";
import { PassRegister } from "../../lib/passes/pass-register.ts";
import { putPass } from "../../lib/passes/put-pass.ts";
import { temporaryDirectory } from "../support/operator.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { PASS_TEXT, passClaims, walletEndpoint, walletEvent } from "../support/wallet.ts";

const run = promisify(execFile);

const textOf = (reference: string, version: number): string =>
  `{"partner_reference":"${reference}","type":"loyalty_pass","version":${version}}`;

describe("third-party clients poll a pass, with their own caches", () => {
  let service: TestService;
  let headers: Record<string, string>;

  const publish = async (reference: string, version: number): Promise<void> => {
    const register = new PassRegister(service.table("Passes"));
    expect(await putPass(register, textOf(reference, version))).toEqual({ outcome: "written" });
  };
  /** The statuses of the endpoint's answers, which a cache hides from its user. */
  const answered = (): number[] =>
    service.lines.flatMap((line) => {
      const { endpoint, status } = JSON.parse(line.slice(line.indexOf("{"))) as {
        endpoint?: string;
        status: number;
      };
      return endpoint === "get-pass" ? [status] : [];
    });

  beforeAll(async () => {
    service = await startTestService("dynalite");
    const { versionHeader, version, token } = service.demo.passes;
    headers = { [versionHeader]: version, authorization: `Bearer ${token}` };
  });
  afterAll(() => service.close());

  /** Polls twice without a change between, twice after one, and returns the bodies that the client saw. */
  async function poll(reference: string, read: () => Promise<string>) {
    const before = answered().length;
    await publish(reference, 1);
    const bodies = [await read(), await read(), await read()];
    await publish(reference, 2);
    bodies.push(await read(), await read());
    return {
      versions: bodies.map((body) => (JSON.parse(body) as { version: number }).version),
      statuses: answered().slice(before),
    };
  }
  const expected = { versions: [1, 1, 1, 2, 2], statuses: [200, 304, 304, 200, 304] };

  test("curl with --etag-save and --etag-compare", async () => {
    await using directory = await temporaryDirectory();
    const [etag, body] = [join(directory.path, "etag"), join(directory.path, "body")];
    const options = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
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
        `${service.baseUrl}/passes/for-curl`,
      ]);
      return readFile(body, "utf8");
    };
    expect(await poll("for-curl", read)).toEqual(expected);
  });

  test("got with a cache", async () => {
    const client = got.extend({
      cache: new Map(),
      cacheOptions: { shared: false },
      headers,
      retry: { limit: 0 },
    });
    const read = async (): Promise<string> => (await client(`${service.baseUrl}/passes/for-got`)).body;
    expect(await poll("for-got", read)).toEqual(expected);
  });

  test("make-fetch-happen with a cache", async () => {
    await using directory = await temporaryDirectory();
    const fetch = makeFetchHappen.defaults({ cachePath: directory.path, retry: false });
    const read = async (): Promise<string> =>
      (await fetch(`${service.baseUrl}/passes/for-fetch`, { headers })).text();
    expect(await poll("for-fetch", read)).toEqual(expected);
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
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
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
