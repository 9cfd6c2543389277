import type { MemberTexts } from "../json-schema.ts";

/** The members of every error that a function answers. */
export const errorTexts: MemberTexts = {
  error_id: { text: "New for each answer; quote it when you report a problem.", format: "uuid" },
  code: "What a program should branch on.",
  message: "For people; it names what was wrong and may be reworded.",
  timestamp: { text: "The server's clock when it answered, Unix epoch milliseconds.", type: "integer" },
  retry_after_ms: {
    text: "Present on 429 and 503: how long to wait, always in milliseconds. `Retry-After` says the same in the unit of the interface.",
    type: "integer",
    minimum: 1,
  },
};
