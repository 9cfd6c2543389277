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
