import * as z from "zod/mini";
import { brandEnv } from "../brand.ts";
import { sharedEnv, tableEnv } from "../env.ts";

/** The name of the function that takes in messages, in its own lines and metrics. */
export const INGEST_NAME = "ingest-records";

const { STAGE_NAME, SETTINGS_TABLE } = sharedEnv;

/** The environment of the function. */
export const ingestEnv = z.object({
  STAGE_NAME,
  SETTINGS_TABLE,
  ...tableEnv("TRANSACTIONS_TABLE"),
  ...tableEnv("SELL_ORDERS_TABLE"),
  ...tableEnv("PASSES_TABLE"),
  ...tableEnv("TRADES_TABLE"),
  ...brandEnv,
  /** The address of the queue for records that can never be stored. */
  REJECTED_QUEUE_URL: z.string().check(z.refine((text) => URL.canParse(text), "must be a URL")),
});
