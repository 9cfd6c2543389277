import * as z from "zod/mini";

/** CodeDeploy's own ways of moving traffic to a new version, by their names without `CodeDeployDefault.Lambda`. */
export const SHIFTS = [
  "Canary10Percent5Minutes",
  "Canary10Percent10Minutes",
  "Canary10Percent15Minutes",
  "Canary10Percent30Minutes",
  "Linear10PercentEvery1Minute",
  "Linear10PercentEvery2Minutes",
  "Linear10PercentEvery3Minutes",
  "Linear10PercentEvery10Minutes",
] as const;

/** How a new version of the functions gets its traffic. */
export const releaseSchema = z.strictObject({
  /**
   * How CodeDeploy moves the traffic, and back when the function fails meanwhile. Without it, all requests go to the new
   * version at once.
   */
  shift: z.optional(
    z.enum(
      SHIFTS,
      `must be one of CodeDeploy's ways: ${SHIFTS.slice(0, 2).join(", ")}, … (docs/deployment.md)`,
    ),
  ),
});
