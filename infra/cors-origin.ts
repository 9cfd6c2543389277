import * as z from "zod/mini";

/** A scheme, a name or address, and a port where it is not the scheme's own; browsers send it like that, in lower case. */
const isOrigin = (text: string): boolean =>
  /^https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/.test(text) && URL.parse(text)?.origin === text;

/** An origin whose browser programs may read answers, to the letter as browsers name it: another spelling would never match. */
export const corsOriginSchema = z
  .string()
  .check(z.refine(isOrigin, "must be an origin as browsers send it, such as https://app.example.com"));
