import type { ErrorCode } from "../../lib/errors.ts";

/** The steps of every request, in the order in which `endpoint` in lib/http/endpoint.ts takes them. */
export const STEPS = ["switch", "credentials", "scope", "parameters", "plan", "limit", "record"] as const;

export type Step = (typeof STEPS)[number];

/** How a step ended, as far as it is known. */
export const STEP_OUTCOMES = ["passed", "refused", "not reached", "not known"] as const;

export type StepOutcome = (typeof STEP_OUTCOMES)[number];

/** The step that refuses a request with a code; undefined for a code that several steps may answer. */
const REFUSING_STEP: Readonly<Record<ErrorCode, Step | undefined>> = {
  service_disabled: "switch",
  invalid_credentials: "credentials",
  timestamp_in_future: "credentials",
  insufficient_scope: "scope",
  // `parameters` for one that breaks its own rule, `plan` for several that do not fit together.
  validation_error: undefined,
  unsupported_version: "plan",
  invalid_cursor: "plan",
  unknown_symbol: "plan",
  rate_limited: "limit",
  not_found: "record",
  gone: "record",
  internal_error: undefined,
  temporarily_unavailable: undefined,
};

/** What is known of a request when its steps are derived. */
export interface StepClues {
  /** The code of a function's refusal; absent for a success. */
  readonly code?: string;
  /** Whether path and query keep the contract; undefined where that is not known. */
  readonly hasGoodParameters: boolean | undefined;
  /** Whether the function logged an owner, which it knows once switch and credentials have passed. */
  readonly hasOwner: boolean;
  /** Whether the switch may not have been read. Bad credentials are refused all the same. */
  readonly isSwitchUnread: boolean;
  /** Whether the store charged the request, which it does once the plan is made. */
  readonly isCharged: boolean;
}

/**
 * How each step of a function's answer ended. A refusal is the first step that fails, so the steps before it have
 * passed. Of a failure without a step of its own, only what other clues prove is told.
 */
export function stepOutcomes(clues: StepClues): Readonly<Record<Step, StepOutcome>> {
  if (clues.code === undefined) return outcomesBefore(STEPS.length, "passed", "passed");
  const refusing = refusingStep(clues.code, clues);
  if (refusing !== undefined) {
    const outcomes = outcomesBefore(STEPS.indexOf(refusing), "refused", "not reached");
    return refusing === "credentials" && clues.isSwitchUnread
      ? { ...outcomes, switch: "not known" }
      : outcomes;
  }
  return outcomesBefore(provenSteps(clues), "not known", "not known");
}

function refusingStep(code: string, { hasGoodParameters }: StepClues): Step | undefined {
  if (code === "validation_error" && hasGoodParameters !== undefined)
    return hasGoodParameters ? "plan" : "parameters";
  return Object.hasOwn(REFUSING_STEP, code) ? REFUSING_STEP[code as ErrorCode] : undefined;
}

/** How many steps have passed for certain. With an owner, the scope and good parameters have passed as well. */
function provenSteps({ hasOwner, hasGoodParameters, isCharged }: StepClues): number {
  if (isCharged) return STEPS.indexOf("record");
  if (!hasOwner) return 0;
  return hasGoodParameters ? STEPS.indexOf("plan") : STEPS.indexOf("parameters");
}

const outcomesBefore = (
  count: number,
  there: StepOutcome,
  after: StepOutcome,
): Readonly<Record<Step, StepOutcome>> =>
  Object.fromEntries(
    STEPS.map((step, at) => [step, at < count ? "passed" : at === count ? there : after]),
  ) as Record<Step, StepOutcome>;
