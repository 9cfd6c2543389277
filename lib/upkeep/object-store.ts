import { SignatureV4 } from "@smithy/signature-v4";
import { fetchText } from "../auth/fetch-text.ts";
import type { Table } from "../dynamo/table.ts";

/** API Gateway accepts a truststore of 1 MB. */
const BYTES_MAX = 1_048_576;

/** The parts of a client that also sign a request to another service in its region. */
export type SigningConfig = Pick<Table["client"]["config"], "region" | "credentials" | "sha256">;

/**
 * Reads objects of S3 by requests that the function's role signs (Signature Version 4). The SDK's client of S3 would be
 * larger than the rest of the function.
 */
export class ObjectStore {
  readonly #signer: SignatureV4;
  readonly #fetch: typeof fetchText;

  /** @param fetch sends the request; over the network by default. */
  constructor({ region, credentials, sha256 }: SigningConfig, fetch: typeof fetchText = fetchText) {
    this.#signer = new SignatureV4({ service: "s3", region, credentials, sha256, uriEscapePath: false });
    this.#fetch = fetch;
  }

  /**
   * The text of an object by its address, whose path is percent-encoded.
   *
   * @throws {Failure} `temporarily_unavailable` for any answer but a 200, as `fetchText` does.
   */
  async read(url: URL): Promise<string> {
    const { headers } = await this.#signer.sign({
      method: "GET",
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: { host: url.host },
    });
    return this.#fetch(url, { headers, bytesMax: BYTES_MAX });
  }
}
