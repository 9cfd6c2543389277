import * as z from "zod/mini";
import { isExactNumber } from "../json/exact-json.ts";
import { foreignId, id, instant } from "../json/members.ts";
import { isObject, optional } from "../json/object-members.ts";

const VERSION = /^(?:0|[1-9]\d{0,14})$/;
const VERSION_RULE = "must be a whole number from 0 to 999999999999999, in digits only";

/** A version in digits only: `1.0` and `1e2` are whole numbers too, but no source counts like that. */
const version = z.custom<{ readonly rawJSON: string }>(
  (value) => isExactNumber(value) && VERSION.test(value.rawJSON),
  { error: ({ input }) => (input === undefined ? "is required" : VERSION_RULE) },
);

/** An object with any members. The object itself is passed on, because a copy would lose a member named `__proto__`. */
const openObject = z.custom<object>(isObject, { error: () => "must be an object" });

/** A pass as it is handed in, with its members in the order in which they are served. `template_id` is not served. */
export const passDocument = z.strictObject({
  partner_reference: id,
  template_id: optional(foreignId),
  type: z
    .string()
    .check(z.regex(/^[a-z][a-z0-9_]{0,63}$/, "must be a word of lower-case letters, digits and underscores")),
  version,
  semantics: optional(openObject),
  relevant_at: optional(instant),
  actions: optional(z.array(openObject)),
  triggers: optional(z.array(openObject)),
});
