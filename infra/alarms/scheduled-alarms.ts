import { UPKEEP_NAME } from "../../lib/upkeep/settings.ts";
import { functionName } from "../function-name.ts";
import { type AlarmDefinition, sum } from "./alarm.ts";
import { functionMetric } from "./aws-metrics.ts";
import { issuer } from "./endpoint-alarms.ts";
import { crash } from "./function-alarms.ts";
import { ServiceMetrics } from "./service-metrics.ts";

/** Longer than the time between two calls, so that every period has one. */
const PERIOD_S = 300;

/**
 * The alarms of the scheduled function: while it fails, or is not called, the alarms that rest on its reports cannot ring.
 * The first call comes before there are alarms, so that a new stage does not begin with one. A daily schedule that is
 * disabled alone rings nothing.
 */
export const scheduledAlarms = (stageName: string): readonly AlarmDefinition[] => [
  crash(UPKEEP_NAME, functionName(stageName, UPKEEP_NAME)),
  issuer(UPKEEP_NAME, new ServiceMetrics(stageName)),
  {
    name: `uncalled-${UPKEEP_NAME}`,
    section: "uncalled",
    meaning: `No schedule has called ${UPKEEP_NAME} for 15 minutes.`,
    measures: { calls: sum(functionMetric("Invocations", functionName(stageName, UPKEEP_NAME))) },
    bound: { below: 1 },
    span: { periodS: PERIOD_S, breaching: 3, of: 3 },
    ringsWithoutData: true,
    pages: false,
  },
];
