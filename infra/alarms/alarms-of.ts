import { endpoints } from "../endpoints.ts";
import type { Stage } from "../stage.ts";
import type { AlarmDefinition } from "./alarm.ts";
import { endpointAlarms } from "./endpoint-alarms.ts";
import { expiryAlarms } from "./expiry-alarms.ts";
import { ingestAlarms } from "./ingest-alarms.ts";
import { scheduledAlarms } from "./scheduled-alarms.ts";
import { stageAlarms } from "./stage-alarms.ts";
import { tableAlarms } from "./table-alarms.ts";

/** Every alarm of a stage, apart from those that join others. A new endpoint, table or index has its alarms at once. */
export const alarmsOf = (stage: Stage): readonly AlarmDefinition[] => [
  ...endpoints.flatMap((endpoint) => endpointAlarms(stage.name, endpoint)),
  ...scheduledAlarms(stage.name),
  ...ingestAlarms(stage),
  ...tableAlarms(stage),
  ...stageAlarms(stage.name),
  ...expiryAlarms(stage),
];
