import type { DemoFile } from "../demo/demo-file.ts";
import type { WriteCurl } from "../terminal/shell.ts";
import type { CurlRequest } from "./endpoint-reference.ts";
import { endpointReferences } from "./endpoints.ts";

/** A line that a shell runs as it is, and the endpoint that answers it. */
export interface CurlLine extends Pick<CurlRequest, "credential"> {
  readonly endpoint: string;
  readonly line: string;
}

/** One working line for each endpoint, and for each credential of the pass callback, with the demo's own in it. */
export const curlLines = (demo: DemoFile, write: WriteCurl): readonly CurlLine[] =>
  endpointReferences.flatMap(({ contract, curl }) =>
    curl(demo).map(({ url, options, ...request }) => ({
      endpoint: contract.name,
      ...request,
      line: write(["-sS", ...options, url]),
    })),
  );
