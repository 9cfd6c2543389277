import * as z from "zod/mini";

/** As browsers send an origin: scheme, name or address, and any port but the scheme's own, all in lower case. */
const isOrigin = (text: string): boolean =>
  /^https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/.test(text) && URL.parse(text)?.origin === text;

/** An origin whose browser programs may read answers, as browsers spell it: another spelling would never match. */
export const corsOriginSchema = z
  .string()
  .check(z.refine(isOrigin, "must be an origin as browsers send it, such as https://app.example.com"));
