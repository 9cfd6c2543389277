import type { GatewayResponse } from "./response.ts";

/** A text that the local gateway serves beside the endpoints. A deployment answers 404 there. */
export interface Page {
  readonly type: string;
  readonly text: string;
  /** The same as HTML, for browsers; absent for a page that has one form only. */
  readonly html?: string;
}

/** An HTML page loads nothing and runs nothing. */
const HTML_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
} as const;

/** The answer that shows a page, which any program may read, in a browser as well. */
export function pageResponse({ type, text, html }: Page, accept: string | undefined): GatewayResponse {
  const isHtml = html !== undefined && prefersHtml(accept ?? "");
  return {
    statusCode: 200,
    headers: {
      ...(isHtml ? HTML_HEADERS : { "content-type": type }),
      ...(html !== undefined && { vary: "Accept" }),
      "cache-control": "no-store",
      "access-control-allow-origin": "*",
    },
    body: Buffer.from(isHtml ? html : text),
  };
}

/** Whether an `Accept` header names HTML, and weighs it no less than JSON. Programs that name nothing get JSON. */
function prefersHtml(accept: string): boolean {
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
