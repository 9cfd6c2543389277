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

/** `fetch` whose answers in JSON have amounts as strings. Passes stay as `fetch` reads them. */
export const exactFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  const isPass = response.url.includes("/passes/");
  // A 304 has no body, and a proxy may answer in HTML.
  if (response.body === null || !isJson || isPass) return response;
  return new Response(JSON.stringify(JSON.parse(await response.text(), keepDigits)), response);
};
