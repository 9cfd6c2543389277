import type { Probe } from "./probe.ts";
import { businessChallenges, businessProbes } from "./probes/business-probes.ts";
import { challengeProbes, headProbes, trailingSlashProbes } from "./probes/endpoint-probes.ts";
import { exchangeProbes } from "./probes/exchange-probes.ts";
import { headerProbes, headerSizeProbes } from "./probes/header-probes.ts";
import { limitProbes } from "./probes/limit-probes.ts";
import { passProbes, unchangedProbes } from "./probes/pass-probes.ts";
import { pathProbes } from "./probes/path-probes.ts";
import { queryProbes } from "./probes/query-probes.ts";
import { rampProbes } from "./probes/ramp-probes.ts";

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
