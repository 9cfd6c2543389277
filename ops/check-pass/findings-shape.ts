import * as z from "zod/mini";
import type { Finding } from "./check-pass.ts";
import { levels, verdicts } from "./verdict.ts";

/** The findings of a check, as JSON. */
export const findingsShape = z.array(
  z.object({
    id: z.string(),
    level: z.enum(levels),
    rule: z.string(),
    expected: z.string(),
    seen: z.string(),
    verdict: z.enum(verdicts),
    why: z.string(),
    curl: z.optional(z.string()),
    advice: z.optional(z.string()),
  }),
);

/** A finding for the documents. */
export const exampleFindings: readonly Finding[] = [
  {
    id: "304-same-tag",
    level: "contract",
    rule: "The current tag is answered with 304",
    expected: "304",
    seen: "200",
    verdict: "fail",
    why: "When If-None-Match equals the tag of the unchanged pass, the answer is a 304 (contract, Rules 2).",
    curl: "curl -i -H 'If-None-Match: \"abc\"' https://partner.example/passes/demo-1",
  },
];
