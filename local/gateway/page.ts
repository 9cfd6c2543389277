import type { GatewayResponse } from "./response.ts";

/** A text that the local gateway serves beside the endpoints. A deployment answers 404 there. */
export interface Page {
  readonly type: string;
  readonly text: string;
}

/** The answer that shows a page, which any program may read, in a browser as well. */
export const pageResponse = ({ type, text }: Page): GatewayResponse => ({
  statusCode: 200,
  headers: { "content-type": type, "cache-control": "no-store", "access-control-allow-origin": "*" },
  body: Buffer.from(text),
});

/** Whether an `Accept` header names HTML, and weighs it no less than JSON. Programs that name nothing get JSON. */
export function prefersHtml(accept: string): boolean {
  const weights = new Map(accept.split(",").map(readWeight));
  const html = weights.get("text/html") ?? 0;
  return html > 0 && html >= (weights.get("application/json") ?? 0);
}

/** A media type and its weight, which is 1 when absent (RFC 9110, section 12.4.2). */
function readWeight(entry: string): readonly [type: string, weight: number] {
  const [type = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  return [type, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
}
