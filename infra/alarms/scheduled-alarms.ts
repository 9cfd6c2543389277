import { UPKEEP_NAME } from "../../lib/upkeep/settings.ts";
import { functionName } from "../function-name.ts";
import type { AlarmDefinition } from "./alarm.ts";
import { issuer } from "./endpoint-alarms.ts";
import { crash } from "./function-alarms.ts";
import { ServiceMetrics } from "./service-metrics.ts";

/** The alarms of the scheduled function: while it fails, the alarms that rest on its reports cannot ring. */
export const scheduledAlarms = (stageName: string): readonly AlarmDefinition[] => [
  crash(UPKEEP_NAME, functionName(stageName, UPKEEP_NAME)),
  issuer(UPKEEP_NAME, new ServiceMetrics(stageName)),
];
