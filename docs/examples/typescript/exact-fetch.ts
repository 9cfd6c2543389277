/**
 * Gives generated clients the amounts of answers as text, with every digit (docs/amounts.md). Copy it beside your client:
 * it needs Node.js 22 or later, or a current browser.
 */

if (!("rawJSON" in JSON))
  throw new Error("The digits of numbers can be read by Node.js 22 or later, and by current browsers.");

/** The members that are whole numbers, and stay numbers. Any other number is an amount. */
const INTEGERS = ["timestamp", "retry_after_ms", "tdt", "pdt", "version"];

/** A reviver for `JSON.parse`. TypeScript does not know its third argument yet. */
export const keepDigits = (key: string, value: unknown, read?: { readonly source?: string }): unknown =>
  typeof value === "number" && !INTEGERS.includes(key) ? read?.source : value;

/** `fetch` whose answers have amounts as strings. */
export const exactFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const text = await response.text();
  return new Response(text === "" ? null : JSON.stringify(JSON.parse(text, keepDigits)), response);
};
