import { INGEST_NAME } from "../../lib/ingest/settings.ts";
import { functionName } from "../function-name.ts";
import type { Stage } from "../stage.ts";
import { type AlarmDefinition, minutes } from "./alarm.ts";
import { queueMetric } from "./aws-metrics.ts";
import { damaged } from "./endpoint-alarms.ts";
import { crash } from "./function-alarms.ts";
import { ServiceMetrics } from "./service-metrics.ts";

/** A message that is older has been returned at least once, or more come in than are taken in. */
const AGE_MAX_S = 300;

/** The alarms of the messages that bring records; none for a stage without them. */
export const ingestAlarms = ({ name, ingest }: Pick<Stage, "name" | "ingest">): readonly AlarmDefinition[] =>
  ingest === undefined
    ? []
    : [
        crash(INGEST_NAME, functionName(name, INGEST_NAME)),
        damaged(INGEST_NAME, new ServiceMetrics(name)),
        {
          name: "ingest-dead",
          section: "ingest-dead",
          meaning: "Messages with records were received five times and could not be stored.",
          measures: { messages: waiting(name, "dead") },
          bound: { from: 1 },
          span: minutes(1, 1),
          pages: true,
        },
        {
          name: "ingest-rejected",
          section: "ingest-rejected",
          meaning: "Records of messages break their contract and were not stored.",
          measures: { messages: waiting(name, "rejected") },
          bound: { from: 1 },
          span: minutes(1, 1),
          pages: false,
        },
        {
          name: "ingest-late",
          section: "ingest-late",
          meaning: `Messages with records wait for more than ${AGE_MAX_S} seconds.`,
          measures: {
            age: {
              metric: queueMetric("ApproximateAgeOfOldestMessage", name, "records"),
              statistic: "Maximum",
            },
          },
          bound: { above: AGE_MAX_S },
          span: minutes(3, 5),
          pages: false,
        },
      ];

const waiting = (stageName: string, role: "dead" | "rejected") =>
  ({
    metric: queueMetric("ApproximateNumberOfMessagesVisible", stageName, role),
    statistic: "Maximum",
  }) as const;
