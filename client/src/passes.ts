import type { Channel } from "./channel.ts";
import { type Pass, passShape, routes } from "./contract.ts";
import type { Follow, FollowOptions } from "./follow.ts";
import type { CallOptions } from "./options.ts";
import { type Looked, RecordFollow } from "./record-follow.ts";
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

/** A pass that has changed, with its text `before`, or that is gone for good. A 404 without `before`: there is no such pass. */
export type PassChange = {
  readonly reference: string;
  readonly before: string | undefined;
} & Exclude<PassAnswer, { readonly status: 304 }>;

/** The reference says so. */
const LOOK_MS = 60_000;
const GONE = "gone";

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

  /**
   * Passes as they change, each first as it is, looked at once a minute (`everyMs`) by its tag. One that is gone is given
   * as a 404 or 410, and not looked at again. It ends by `break`, by the signal, by a failure, or once all are gone.
   * References that are added to a `Set` meanwhile are looked at as well.
   *
   * @example
   * for await (const change of client.passes.follow([reference])) if (change.status === 200) …
   * @throws {TypeError} for options that cannot be meant.
   */
  follow(references: Iterable<string>, options: FollowOptions = {}): Follow<PassChange> {
    const { signal, onWait } = options;
    const lookAt = async (reference: string, seen: string | undefined): Promise<Looked<PassChange>> => {
      if (seen === GONE) return { seen, againMs: Number.POSITIVE_INFINITY };
      // A tag, which may be missing, and the text behind it.
      const [, tag, before] = /^([^\n]*)\n(.*)$/s.exec(seen ?? "") ?? [];
      const answer = await this.get(reference, { ifNoneMatch: tag || undefined, signal, onWait });
      if (answer.status === 304) return { seen };
      const change = { reference, before, ...answer };
      if (answer.status !== 200) {
        const wasThere = answer.status === 410 || before !== undefined;
        return { seen: wasThere ? GONE : undefined, change, againMs: Number.POSITIVE_INFINITY };
      }
      const isSame = answer.text === before;
      return { seen: `${answer.tag ?? ""}\n${answer.text}`, change: isSame ? undefined : change };
    };
    const rules = { everyMs: LOOK_MS, known: /\n|^gone$/ };
    return new RecordFollow({ ids: references, lookAt }, this.#channel.shared.platform, options, rules);
  }
}
