import { createServer, type RequestListener } from "node:http";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { OperatorError } from "../../../local/process/operator-error.ts";
import { tryLock, writeHolder } from "../../../local/store/data-lock.ts";
import { makeDirectory } from "../../../local/store/in-data-directory.ts";
import { listenOnLoopback } from "../../support/listen-on-loopback.ts";
import { placeOfCalls, READERS, WRITERS } from "../../support/store-calls.ts";

// Nobody waits ten seconds here.
vi.mock("../../../local/store/client-limits.ts", () => ({
  clientLimits: {
    connectionTimeout: 60,
    requestTimeout: 60,
    socketTimeout: 60,
    throwOnRequestTimeout: true,
  },
}));

/** Stores that take every request, and how they fail to answer it. */
const SILENCES: Readonly<Record<string, RequestListener>> = {
  "never begins to answer": () => {},
  "begins to answer and goes no further": (_, response) => {
    response.writeHead(200, { "content-type": "application/x-amz-json-1.0", "content-length": 99 });
    response.write("{");
  },
};

beforeAll(() => {
  vi.stubEnv("AWS_REGION", "eu-west-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "key");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterAll(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

/** One of them reads an empty file, and asks a store for nothing. */
const calls = [...READERS, ...WRITERS].filter((call) => call !== "import passes empty");

// A command mostly waits here.
vi.setConfig({ maxConcurrency: 12 });
describe.concurrent.each(Object.entries(SILENCES))("a store that %s", (_, listener) => {
  const server = createServer(listener);
  let endpoint: string;
  beforeAll(async () => {
    endpoint = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const expectSilence = (failure: unknown): void => {
    expect(failure).toBeInstanceOf(OperatorError);
    expect((failure as OperatorError).message).toMatch(
      /^The store \(.+\) does not answer, or throttles the requests\. /,
    );
  };

  test.each(calls)("of a stage ends `%s` with a line", { timeout: 20_000 }, async (call) => {
    await using here = await placeOfCalls();
    const where = ["--stage", "example", "--dynamodb-endpoint", endpoint];
    expectSilence(await here.run(call, where).catch((error: unknown) => error));
  });

  test.each(calls)("of this machine ends `%s` with a line", { timeout: 20_000 }, async (call) => {
    await using here = await placeOfCalls();
    await makeDirectory(here.data);
    const release = await tryLock(here.data);
    await writeHolder(here.data, { kind: "gateway", endpoint, accessKeyId: "key" });
    expectSilence(await here.run(call).catch((error: unknown) => error));
    await release?.();
  });
});
