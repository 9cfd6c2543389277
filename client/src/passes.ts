import type { Channel } from "./channel.ts";
import { type Pass, passShape, routes } from "./contract.ts";
import type { CallOptions } from "./options.ts";
import { urlOf } from "./route.ts";
import { aHeaderValue, holdTo } from "./rules.ts";

/** How a pass is asked for. */
export interface PassQuery extends CallOptions {
  /** The `tag` of the last answer with a pass: while the pass has not changed, the answer is a 304. */
  readonly ifNoneMatch?: string | undefined;
}

/** An answer about a pass, told apart by its status. After a 404 or a 410, stop polling the pass. */
export type PassAnswer =
  | {
      readonly status: 200;
      readonly pass: Pass;
      /** For `ifNoneMatch` of the next request, quotes included. */
      readonly tag: string | undefined;
      /** The pass as it was sent. */
      readonly text: string;
    }
  | { readonly status: 304; readonly tag: string }
  | { readonly status: 404 }
  | { readonly status: 410 };

/** The pass interface, as a wallet service calls it. */
export class Passes {
  readonly #channel: Channel;
  readonly #versionHeaders: Readonly<Record<string, string>>;

  /** @param versionHeaders the header that names the version of the contract. */
  constructor(channel: Channel, versionHeaders: Readonly<Record<string, string>>) {
    this.#channel = channel;
    this.#versionHeaders = versionHeaders;
  }

  /**
   * The latest state of a pass. Numbers of its `semantics`, `actions` and `triggers` are text of their digits.
   *
   * @throws {TypeError} for a tag that cannot be sent, such as an empty one.
   */
  async get(partnerReference: string, options: PassQuery = {}): Promise<PassAnswer> {
    holdTo({ ifNoneMatch: aHeaderValue }, options);
    const { ifNoneMatch } = options;
    const answer = await this.#channel.send({
      endpoint: "get-pass",
      url: urlOf(this.#channel.shared.baseUrl, routes["get-pass"], { partner_reference: partnerReference }),
      cost: 1,
      headers: {
        ...this.#versionHeaders,
        ...(ifNoneMatch !== undefined && { "If-None-Match": ifNoneMatch }),
      },
      accepts: [404, 410, ...(ifNoneMatch === undefined ? [] : [304])],
      shape: passShape,
      hasDecimals: true,
      options,
    });
    const { status, headers, text } = answer;
    const sentTag = headers.get("ETag");
    const tag = aHeaderValue.isKept(sentTag) ? (sentTag as string) : undefined;
    if (status === 304 && ifNoneMatch !== undefined) return { status, tag: tag ?? ifNoneMatch };
    if (status === 404 || status === 410) return { status };
    return { status: 200, pass: answer.value as Pass, tag, text };
  }
}
