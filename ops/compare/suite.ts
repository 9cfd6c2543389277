import { OperatorError } from "../../local/process/operator-error.ts";
import type { Probe } from "./probe.ts";
import { challengeProbes, headProbes, limitProbes, trailingSlashProbes } from "./probes/endpoint-probes.ts";
import { exchangeProbes, queryProbes } from "./probes/exchange-probes.ts";
import { headerProbes, headerSizeProbes } from "./probes/header-probes.ts";
import { passProbes, unchangedProbes } from "./probes/pass-probes.ts";
import { pathProbes } from "./probes/path-probes.ts";
import { businessChallenges, businessProbes, rampProbes } from "./probes/record-probes.ts";

/** Every request: first those for what is least known of AWS, in this order, and last those that use up a limit. */
export const suite: readonly Probe[] = [
  ...challengeProbes,
  ...businessChallenges,
  ...pathProbes,
  ...unchangedProbes,
  ...trailingSlashProbes,
  ...headProbes,
  ...headerSizeProbes,
  ...businessProbes,
  ...rampProbes,
  ...passProbes,
  ...exchangeProbes,
  ...queryProbes,
  ...headerProbes,
  ...limitProbes,
];

/**
 * The requests of a suite that are to be sent: those that `only` names or whose names begin so, or all. Those that use
 * up a limit are sent only with `includesLimits`, or when they are named.
 *
 * @throws {OperatorError} for a name that no request has.
 */
export function chooseProbes(
  suite: readonly Probe[],
  only: readonly string[],
  includesLimits: boolean,
): readonly Probe[] {
  const stranger = only.find((wanted) => !suite.some(({ name }) => isMeant(name, wanted)));
  if (stranger !== undefined)
    throw new OperatorError(`No request is called "${stranger}". --list shows the names of all.`);
  if (only.length === 0) return suite.filter(({ usesUp }) => usesUp === undefined || includesLimits);
  return suite.filter(({ name, usesUp }) =>
    only.some(
      (wanted) => name === wanted || (isMeant(name, wanted) && (usesUp === undefined || includesLimits)),
    ),
  );
}

const isMeant = (name: string, wanted: string): boolean => name === wanted || name.startsWith(`${wanted}-`);
