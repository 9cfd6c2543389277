import * as z from "zod/mini";

/** The days for which CloudWatch Logs can keep lines (PutRetentionPolicy); beside them only without end. */
export const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

/** A retention of a log group, in days. */
export const retentionSchema = z.literal(
  RETENTION_DAYS,
  "must be a number of days that CloudWatch offers, such as 30, 90 or 365",
);
