import {
  InternalServerError,
  ProvisionedThroughputExceededException,
  ResourceNotFoundException,
  ThrottlingException,
} from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { callStore } from "../../../lib/dynamo/client.ts";
import { classifyStoreFailure } from "../../../lib/dynamo/store-failure.ts";

const said = { $metadata: { httpStatusCode: 400 }, message: "said" };
const reasons = (reason: string) => [
  { reason, resource: "arn:aws:dynamodb:eu-central-1:1:table/RateLimits" },
];

describe("the failure of a store call", () => {
  test.each([
    [
      "a socket that was reset",
      Object.assign(new Error("socket hang up"), { code: "ECONNRESET", name: "TimeoutError" }),
      "connection",
    ],
    ["a refused connection", Object.assign(new Error("refused"), { code: "ECONNREFUSED" }), "connection"],
    ["a timeout", Object.assign(new Error("timed out"), { name: "TimeoutError" }), "down"],
    [
      "a timeout of the socket",
      Object.assign(new Error("timed out"), { code: "ETIMEDOUT", name: "TimeoutError" }),
      "down",
    ],
    ["a name that is not resolved", Object.assign(new Error("no name"), { code: "ENOTFOUND" }), "down"],
    ["an error of the service", new InternalServerError(said), "down"],
    [
      "a throttle of one key",
      new ThrottlingException({
        ...said,
        throttlingReasons: reasons("TableWriteKeyRangeThroughputExceeded"),
      }),
      "throttled-key",
    ],
    [
      "the same by its older name",
      new ProvisionedThroughputExceededException({
        ...said,
        ThrottlingReasons: reasons("TableWriteKeyRangeThroughputExceeded"),
      }),
      "throttled-key",
    ],
    [
      "a throttle of the account",
      new ThrottlingException({ ...said, throttlingReasons: reasons("TableWriteAccountLimitExceeded") }),
      "down",
    ],
    ["a throttle without a reason", new ThrottlingException(said), "down"],
    [
      "a call that was given up with its request",
      Object.assign(new Error("Request aborted"), { name: "AbortError", $metadata: { attempts: 1 } }),
      undefined,
    ],
    ["a missing table", new ResourceNotFoundException(said), undefined],
    ["a mistake in the code", new TypeError("x is not a function"), undefined],
    ["an answer that nobody can read", Object.assign(new SyntaxError("x"), said), "down"],
    [
      "credentials that are missing when a client signs an attempt",
      Object.assign(new Error("x"), { $metadata: { attempts: 1 } }),
      undefined,
    ],
    ["something that is not an error", "x", undefined],
  ])("%s", (_, error, failure) => {
    expect(classifyStoreFailure(error)).toBe(failure);
  });
});

test("a call that may pass by itself asks to come back; any other error is thrown as it is", async () => {
  const passing = [
    new ThrottlingException(said),
    new InternalServerError(said),
    Object.assign(new Error("hang up"), { code: "ECONNRESET" }),
    Object.assign(new Error("Request aborted"), { name: "AbortError" }),
  ];
  for (const cause of passing)
    await expect(callStore(() => Promise.reject(cause))).rejects.toMatchObject({
      code: "temporarily_unavailable",
      retryAfterMs: 1_000,
      cause,
    });
  for (const fault of [new ResourceNotFoundException(said), new TypeError("a bug")])
    await expect(callStore(() => Promise.reject(fault))).rejects.toBe(fault);
});
