import { afterEach, expect, test, vi } from "vitest";
import { environmentCredentials } from "../../../infra/bundling/environment-credentials.ts";
import { describeFault } from "../../../lib/log.ts";

afterEach(() => vi.unstubAllEnvs());

test("the credentials of a role are the ones that its environment hands over", async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "key-id");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
  vi.stubEnv("AWS_SESSION_TOKEN", "session");
  expect(await environmentCredentials()()).toEqual({
    accessKeyId: "key-id",
    secretAccessKey: "secret",
    sessionToken: "session",
  });
});

test("long-lived credentials have no session token", async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "key-id");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
  vi.stubEnv("AWS_SESSION_TOKEN", undefined);
  expect(await environmentCredentials()()).toEqual({ accessKeyId: "key-id", secretAccessKey: "secret" });
});

test("a missing variable is named in the log with the place that may have it instead, and the value of no other is", async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", undefined);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "a-secret-that-stays");
  const failure = await environmentCredentials()().catch((error: Error) => describeFault(error).message);
  expect(failure).toContain("AWS_ACCESS_KEY_ID: must be set");
  expect(failure).toContain("AWS_CONTAINER_CREDENTIALS_FULL_URI");
  expect(failure).not.toContain("a-secret-that-stays");
});
