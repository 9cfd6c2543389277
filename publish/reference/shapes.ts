import * as z from "zod/mini";
import type { ErrorCode } from "../../lib/errors.ts";
import { statusOf } from "../../lib/http/error-response.ts";
import { passDocument } from "../../lib/passes/pass-document.ts";

/*
 * Shapes of answers that the functions write as text, so that no bundle carries a shape for them. The tests hold every
 * answer that they see to them.
 */

const word = z.string().check(z.minLength(1));

/** A pass without the member that is never served. */
export const servedPass = z.omit(passDocument, { template_id: true });

const servedTrade = z.strictObject({
  tdt: z.number(),
  aid: word,
  anm: word,
  p: z.string(),
  pc: word,
  pn: word,
  q: z.string(),
  qc: word,
  qn: word,
  ve: word,
  pdt: z.number(),
  vp: word,
  tid: z.string(),
  s: z.optional(z.enum(["buy", "sell"])),
});

export const tradePage = z.strictObject({
  data: z.array(servedTrade),
  metadata: z.strictObject({ timestamp: z.number(), next_cursor: z.optional(word) }),
});

export const errorBody = z.strictObject({
  error_id: z.string(),
  code: z.enum(Object.keys(statusOf) as [ErrorCode, ...ErrorCode[]]),
  message: word,
  timestamp: z.number(),
  retry_after_ms: z.optional(z.number()),
});
