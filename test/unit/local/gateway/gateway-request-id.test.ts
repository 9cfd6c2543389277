import { expect, test } from "vitest";
import { newGatewayRequestId } from "../../../../local/gateway/request-handler.ts";

test("a request id has the form of API Gateway's, is not an option of a command line, and comes once", () => {
  // One in 64 random ids begins with a hyphen.
  const ids = Array.from({ length: 2_000 }, newGatewayRequestId);
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{14}=$/);
  expect(new Set(ids).size).toBe(ids.length);
});
