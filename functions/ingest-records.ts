import { brandOf } from "../lib/brand.ts";
import { systemClock } from "../lib/clock.ts";
import { createDynamoClient } from "../lib/dynamo/client.ts";
import { readEnv } from "../lib/env.ts";
import { ingestRecords } from "../lib/ingest/ingest-records.ts";
import { createQueueClient } from "../lib/ingest/queue-client.ts";
import { RejectedQueue } from "../lib/ingest/rejected-queue.ts";
import { INGEST_NAME, ingestEnv } from "../lib/ingest/settings.ts";
import { recordTables, recordWriters } from "../lib/ingest/write-records.ts";
import { logOf } from "../lib/log.ts";

const env = readEnv(ingestEnv);
const brand = brandOf(env);
const tables = recordTables(createDynamoClient(), env);

export const handler = ingestRecords({
  tables,
  writers: recordWriters(tables, brand, systemClock),
  venue: brand.venue,
  rejected: new RejectedQueue(createQueueClient(), env.REJECTED_QUEUE_URL),
  log: logOf({ stage: env.STAGE_NAME, endpoint: INGEST_NAME }),
});
