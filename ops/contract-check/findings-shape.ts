import * as z from "zod/mini";
import type { Finding } from "./check-pass.ts";

/** The findings of a check, as JSON. */
export const findingsShape = z.array(
  z.object({
    id: z.string(),
    rule: z.string(),
    expected: z.string(),
    seen: z.string(),
    verdict: z.enum(["pass", "fail", "not checked"]),
    why: z.string(),
    curl: z.optional(z.string()),
    advice: z.optional(z.string()),
  }),
);

/** A finding for the documents. */
export const exampleFindings: readonly Finding[] = [
  {
    id: "304-same",
    rule: "An unchanged pass is answered with 304",
    expected: "304 without a body",
    seen: "200",
    verdict: "fail",
    why: "The wallet service polls often; a whole pass each time costs both sides.",
    curl: "curl -i -H 'If-None-Match: \"abc\"' https://partner.example/passes/demo-1",
  },
];
