import * as z from "zod/mini";

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
