import * as z from "zod/mini";

/** A setting that is a text of one form. `rule` describes the form, and follows the setting's name in the message. */
export const matching = (pattern: RegExp, rule: string) => z.string().check(z.regex(pattern, rule));

/** A setting that is a whole number. `why` continues the message where the limits need a reason. */
export const whole = (min: number, max: number, why = "") =>
  z
    .number()
    .check(
      z.refine(
        (value) => Number.isInteger(value) && value >= min && value <= max,
        `must be a whole number from ${min} to ${max}${why}`,
      ),
    );
