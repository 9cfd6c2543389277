import { describe, expect, test } from "vitest";
import { Failure } from "../../../../lib/errors.ts";
import { OperatorError } from "../../../../local/process/operator-error.ts";
import { DISK_FULL_EXCEPTION } from "../../../../local/store/full-disk.ts";
import { explainStoreFault } from "../../../../ops/store/store-faults.ts";

const fault = (name: string, message = "details of the service") =>
  Object.assign(new Error(message), { name });

const explained = (error: unknown, isDeployed: boolean) =>
  explainStoreFault(error, "stage beta in eu-central-1", isDeployed);

describe("a fault of the store", () => {
  test.each([
    [fault("ResourceNotFoundException"), "has no such table"],
    [fault("CredentialsProviderError"), "cannot be reached without AWS credentials"],
    [fault("ExpiredTokenException"), "refuses the AWS credentials"],
    [fault("UnrecognizedClientException"), "refuses the AWS credentials"],
    [fault("AccessDeniedException"), "does not let these AWS credentials do this"],
    [fault("Error", "Region is missing"), "cannot be reached without a region"],
    [Object.assign(fault("Error"), { code: "ECONNREFUSED" }), "does not answer"],
    [new Failure("temporarily_unavailable", "The store did not answer."), "does not answer"],
  ])("%o names the store, the problem and what to do, in one line", (error, problem) => {
    for (const isDeployed of [true, false]) {
      const line = explained(error, isDeployed);
      expect(line).toBeInstanceOf(OperatorError);
      expect(line).toMatchObject({
        message: expect.stringMatching(/^The store \(stage beta in eu-central-1\) [^\n]+\. [A-Z][^\n]+\.$/),
        cause: error,
      });
      expect(String(line)).toContain(problem);
      expect(String(line)).not.toContain("details of the service");
    }
  });

  test("a full disk is reported in the store's own words", () => {
    const error = fault(DISK_FULL_EXCEPTION, "The disk of /data is full. Free some space.");
    expect(explained(error, false)).toMatchObject({ name: "OperatorError", message: error.message });
  });

  test.each([new TypeError("undefined is no function"), new OperatorError("no such file"), "text"])(
    "%o is not one, and is returned as it is",
    (error) => {
      expect(explained(error, true)).toBe(error);
    },
  );
});
