import * as z from "zod/mini";
import { type Instant, instantSlip, parseDateOrInstant } from "./instant.ts";

/** A parameter that is a whole number, written in digits only: no sign, no leading zero, no exponent. */
export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}, in digits only`;
  return z.pipe(
    z.string().check(z.regex(/^(?:0|[1-9]\d{0,15})$/, message)),
    z.pipe(z.transform(Number), z.number().check(z.gte(min, message), z.lte(max, message))),
  );
}

/** A parameter that is one of a closed list of words, in exactly this spelling. */
export function oneOf<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, `must be one of ${words.join(", ")}`);
}

/**
 * A parameter that is an ISO 8601 date, or a date-time with a zone. An unescaped plus sign arrives as a space, so the
 * message says how to send one.
 */
export function instantParameter() {
  return z.pipe(
    z.string(),
    z.transform((given, context) => {
      const instant: Instant | undefined = parseDateOrInstant(given);
      if (instant !== undefined) return instant;
      const rule = "must be an ISO 8601 date or a date-time with a zone (a + is sent as %2B)";
      const message = instantSlip(given) ?? rule;
      context.issues.push({ code: "custom", message, input: given });
      return z.NEVER;
    }),
  );
}
