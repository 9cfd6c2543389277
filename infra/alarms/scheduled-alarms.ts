import { functionName } from "../function-name.ts";
import type { AlarmDefinition } from "./alarm.ts";
import { issuer } from "./endpoint-alarms.ts";
import { crash } from "./function-alarms.ts";
import { ServiceMetrics } from "./service-metrics.ts";

/** The function that looks at switches, issuers and dates of expiry. */
const NAME = "report-expiry";

/** The alarms of the scheduled function: while it fails, the alarms that rest on its reports cannot ring. */
export const scheduledAlarms = (stageName: string): readonly AlarmDefinition[] => [
  crash(NAME, functionName(stageName, NAME)),
  issuer(NAME, new ServiceMetrics(stageName)),
];
