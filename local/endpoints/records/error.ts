import * as z from "zod/mini";
import type { ErrorCode } from "../../../lib/errors.ts";
import { statusOf } from "../../../lib/http/error-response.ts";
import type { RecordText } from "../json-schema.ts";

const word = z.string().check(z.minLength(1));

const shape = z.strictObject({
  error_id: z.string(),
  code: z.enum(Object.keys(statusOf) as [ErrorCode, ...ErrorCode[]]),
  message: word,
  timestamp: z.number(),
  retry_after_ms: z.optional(z.number()),
});

/** Every error that a function answers. */
export const errorRecord: RecordText = {
  title: "Error",
  text: "The body of every error that the service answers.",
  shape,
  types: { code: { name: "ServiceCode", text: "The codes of the service's own errors." } },
  texts: {
    error_id: { text: "New for each answer; quote it when you report a problem.", format: "uuid" },
    code: "What a program should branch on.",
    message: "For people; it names what was wrong and may be reworded.",
    timestamp: { text: "The server's clock when it answered, Unix epoch milliseconds.", type: "integer" },
    retry_after_ms: {
      text: "Present on 429 and 503: how long to wait, always in milliseconds. `Retry-After` says the same in the unit of the interface.",
      type: "integer",
      minimum: 1,
    },
  },
};
