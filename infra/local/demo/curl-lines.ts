import type { DemoFile } from "./demo-file.ts";

/** A line that a POSIX shell runs as it is, and the endpoint that answers it. */
export interface CurlLine {
  readonly endpoint: string;
  readonly line: string;
}

/** One word for a POSIX shell, whatever is in it: within single quotes only the single quote itself means something. */
const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

const curl = (url: string, header: string): string => `curl -sS -H ${quote(header)} ${quote(url)}`;

/** One working line for each endpoint, with the demo's own credentials in it. */
export function curlLines({ baseUrl, business, ramp }: DemoFile): readonly CurlLine[] {
  const bearer = `Authorization: Bearer ${business.token}`;
  const path = encodeURIComponent;
  return [
    {
      endpoint: "get-transaction",
      line: curl(`${baseUrl}/transaction/${path(business.transactionId)}`, bearer),
    },
    { endpoint: "list-transactions", line: curl(`${baseUrl}/transactions?state=completed&count=5`, bearer) },
    {
      endpoint: "get-sell-order",
      line: curl(`${baseUrl}/sell-orders/${path(ramp.orderId)}`, `X-API-KEY: ${ramp.apiKey}`),
    },
  ];
}
