import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { readEnv } from "../../../lib/env.ts";
import { freshnessEnv, freshnessOf } from "../../../lib/signature/settings.ts";

const read = (variables: Readonly<Record<string, string>> = {}) =>
  freshnessOf(readEnv(z.object(freshnessEnv), variables));

describe("how far a timestamp may lie from the server's time", () => {
  test("is 30 s back and 5 s ahead where a stage says nothing else", () =>
    expect(read()).toEqual({ ageMsMax: 30_000, aheadMsMax: 5_000 }));

  test("is what a stage says, each way for itself", () => {
    expect(read({ SIGNATURE_AGE_MS_MAX: "1" })).toEqual({ ageMsMax: 1, aheadMsMax: 5_000 });
    expect(read({ SIGNATURE_AHEAD_MS_MAX: "600000" })).toEqual({ ageMsMax: 30_000, aheadMsMax: 600_000 });
  });

  test.each(["SIGNATURE_AGE_MS_MAX", "SIGNATURE_AHEAD_MS_MAX"])(
    "is ten minutes at most, and a setting of another kind stops the function: %s",
    (variable) => {
      for (const value of ["0", "600001", "", "1.5", "-1"])
        expect(() => read({ [variable]: value })).toThrow(
          `${variable}: must be a whole number from 1 to 600000, in digits only`,
        );
    },
  );
});
