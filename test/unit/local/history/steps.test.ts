import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Failure } from "../../../../lib/errors.ts";
import { statusOf } from "../../../../lib/http/error-response.ts";
import { invalidCredentials } from "../../../../lib/principal.ts";
import { STEPS, type Step, type StepClues, stepOutcomes } from "../../../../local/history/steps.ts";
import { freeLimiter, sampleChain, sampleEvent } from "../../../support/chain.ts";

const clues: StepClues = { hasGoodParameters: true, hasOwner: true, isSwitchUnread: false, isCharged: false };

const refuse = (code: ConstructorParameters<typeof Failure>[0]) => async (): Promise<never> => {
  throw new Failure(code, "refused");
};

/** Parts of the chain by which each of some steps refuses every request. */
function refusingParts(steps: ReadonlySet<Step>): Parameters<typeof sampleChain>[0] {
  return {
    ...(steps.has("switch") && { switches: { get: async () => ({ on: false, reason: "maintenance" }) } }),
    authenticate: async () => {
      if (steps.has("credentials")) throw invalidCredentials("unknown API key");
      return { owner: "owner-1", scopes: steps.has("scope") ? [] : ["samples.read"] };
    },
    ...(steps.has("plan") && { plan: refuse("invalid_cursor") }),
    ...(steps.has("limit") && {
      limiter: { ...freeLimiter, charge: async () => ({ waitMs: 1, headers: {} }) },
    }),
    ...(steps.has("record") && { answer: refuse("not_found") }),
  };
}

describe("the steps of a refused request", () => {
  test("are derived as the chain takes them: of several that refuse, the first one did", async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray([...STEPS], { minLength: 1 }), async (refusing) => {
        const parts = refusingParts(new Set(refusing));
        const hasGoodParameters = !refusing.includes("parameters");
        const event = sampleEvent({ rawQueryString: hasGoodParameters ? "" : "count=x" });
        const { code } = JSON.parse((await sampleChain(parts).call(event)).body) as { code: string };
        const outcomes = stepOutcomes({ ...clues, code, hasGoodParameters });
        const first = STEPS.indexOf(refusing[0] as Step);
        STEPS.forEach((step, at) => {
          const expected = at < first ? "passed" : at === first ? "refused" : "not reached";
          expect([step, outcomes[step]]).toEqual([step, expected]);
        });
      }),
    );
  });

  test("tell a bad parameter from several that do not fit together", () => {
    const code = "validation_error";
    expect(stepOutcomes({ ...clues, code, hasGoodParameters: false }).parameters).toBe("refused");
    expect(stepOutcomes({ ...clues, code })).toMatchObject({ parameters: "passed", plan: "refused" });
  });

  test("do not claim a switch that could not be read", () => {
    const code = "invalid_credentials";
    expect(stepOutcomes({ ...clues, code, isSwitchUnread: true })).toMatchObject({
      switch: "not known",
      credentials: "refused",
    });
    expect(stepOutcomes({ ...clues, code }).switch).toBe("passed");
  });
});

test("all steps of an answered request have passed", () => {
  expect(new Set(Object.values(stepOutcomes(clues)))).toEqual(new Set(["passed"]));
});

describe("of a failure that any step may have, only what is proven is told:", () => {
  test.each([
    [{ hasOwner: false }, 0],
    [{ hasOwner: true, hasGoodParameters: false }, 3],
    [{ hasOwner: true }, 4],
    [{ hasOwner: true, isCharged: true }, 6],
  ])("%o", (more, passed) => {
    for (const code of ["internal_error", "temporarily_unavailable", "a code of another release"]) {
      const outcomes = Object.values(stepOutcomes({ ...clues, code, ...more }));
      expect(outcomes).toEqual(STEPS.map((_, at) => (at < passed ? "passed" : "not known")));
    }
  });
});

test("every code names a step or leaves it open", () => {
  for (const code of Object.keys(statusOf)) {
    const outcomes = Object.values(stepOutcomes({ ...clues, code }));
    expect(outcomes.includes("refused") !== outcomes.includes("not known")).toBe(true);
  }
});
