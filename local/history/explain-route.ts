import * as z from "zod/mini";
import { STEP_OUTCOMES, STEPS } from "./steps.ts";

const texts = z.record(z.string(), z.string());

const call = z.object({
  operation: z.string(),
  table: z.string(),
  index: z.optional(z.string()),
  key: z.string(),
  readUnits: z.number(),
  writeUnits: z.number(),
  durationMs: z.number(),
  failure: z.optional(z.string()),
});

/** An explained answer. It has no secret, no body, and no value of a record. */
export const explanationSchema = z.object({
  /** The gateway's id, as in `apigw-requestid`. */
  requestId: z.string(),
  /** The function's `Request-Id`; absent for an answer of the gateway's own. */
  clientRequestId: z.optional(z.string()),
  errorId: z.optional(z.string()),
  /** ISO 8601, when the request arrived. */
  receivedAt: z.string(),
  durationMs: z.number(),
  method: z.string(),
  /** Path and query as they were asked. */
  target: z.string(),
  endpoint: z.optional(z.string()),
  status: z.number(),
  code: z.optional(z.string()),
  /** The sentence that the caller got. */
  message: z.optional(z.string()),
  /** The check that refused the request, where the caller is not told; or why the gateway did not pass an answer on. */
  reason: z.optional(z.string()),
  /** The fault that the request met on purpose. */
  fault: z.optional(z.string()),
  steps: z.array(z.object({ step: z.enum(STEPS), outcome: z.enum(STEP_OUTCOMES) })),
  presented: z.array(z.object({ kind: z.string(), names: texts })),
  /** Whom the credentials proved; absent when they were refused, or it is not known. */
  owner: z.optional(z.string()),
  /** The parameters as they were read; absent where they were not read, or are wrong. */
  parameters: z.optional(texts),
  tokensCharged: z.number(),
  /** What was left of the limit, as `RateLimit` has it. */
  tokensLeft: z.optional(z.string()),
  calls: z.array(call),
  hints: z.array(z.string()),
});

export type Explanation = z.infer<typeof explanationSchema>;

/** Looks up one of the last answers, by any of its ids. */
export const explainAnswer = {
  name: "explain-answer",
  input: z.object({ id: z.string() }),
  output: z.object({
    /** Absent when no such answer is remembered. */
    explanation: z.optional(explanationSchema),
    /** How many answers are remembered. */
    remembered: z.number(),
  }),
};
